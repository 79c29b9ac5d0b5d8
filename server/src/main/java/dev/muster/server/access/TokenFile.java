package dev.muster.server.access;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonException;
import dev.muster.formats.json.JsonFields;
import dev.muster.server.home.OwnerOnly;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The file of tokens: {@code {"tokens":[...]}}, readable by its owner only. It is replaced in one step, so that a reader never sees half
 * of it; who changes it holds a lock beside it.
 *
 * @param path absolute
 */
public record TokenFile(Path path) {
    /** The file cannot be used; the message says why and what to do. */
    public static final class UnusableException extends IOException {
        private static final long serialVersionUID = 1L;

        UnusableException(String message) {
            super(message);
        }
    }

    /** All tokens that ever were, revoked ones too; none when there is no file. */
    public List<Token> read() throws IOException {
        if (!Files.exists(path)) {
            return List.of();
        }
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS);
        if (permissions.stream().anyMatch(each -> !each.name().startsWith("OWNER_"))) {
            throw new UnusableException(path + " can be read or written by others: run chmod 600 " + path);
        }
        try {
            if (Json.parse(Files.readString(path)) instanceof JsonFields fields) {
                return unique(fields.only(List.of("tokens")).list("tokens", Token::of));
            }
            throw new UnusableException(path + " is no file of tokens: it must be a JSON object");
        } catch (JsonException wrong) {
            throw new UnusableException(path + " is no file of tokens: " + wrong.getMessage());
        }
    }

    private List<Token> unique(List<Token> tokens) throws UnusableException {
        Set<String> names = new HashSet<>();
        for (Token token : tokens) {
            if (!names.add(token.name())) {
                throw new UnusableException(path + " has two tokens of the name " + token.name() + ": remove one");
            }
        }
        return tokens;
    }

    /** Changes what is stored, all of it or nothing. */
    public void change(UnaryOperator<List<Token>> change) throws IOException {
        Path lock = path.resolveSibling(path.getFileName() + ".lock");
        try (FileChannel channel = FileChannel.open(
                        lock, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), OwnerOnly.file());
                var held = channel.lock()) {
            if (!held.isValid()) {
                throw new IOException(lock + " cannot be locked");
            }
            List<Token> changed = unique(change.apply(new ArrayList<>(read())));
            StringBuilder lines = new StringBuilder("{\"tokens\":[");
            for (int index = 0; index < changed.size(); index++) {
                lines.append(index == 0 ? "\n" : ",\n")
                        .append(changed.get(index).toJson());
            }
            OwnerOnly.write(path, lines.append("\n]}\n").toString());
        }
    }

    /** The token of this name. */
    public Optional<Token> find(String name) throws IOException {
        return read().stream().filter(token -> token.name().equals(name)).findFirst();
    }

    /** The users whom these tokens let in at a time. */
    public static Set<String> users(List<Token> tokens, Instant now) {
        return tokens.stream()
                .filter(token -> token.isValid(now))
                .map(Token::user)
                .collect(Collectors.toSet());
    }

    /** What is kept of a token. */
    public static String digest(String token) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }
}
