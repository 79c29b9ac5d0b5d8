package dev.muster.server.access;

import dev.muster.spi.Clock;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The tokens of a file, which may change while the service runs: a new or revoked token counts within a second. A file that cannot be
 * read any more changes nothing about who is let in, and is told in the log.
 */
public final class FileTokens implements Callers {
    private static final Logger LOG = System.getLogger(FileTokens.class.getName());
    private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

    private final TokenFile file;
    private final Clock clock;
    private List<Token> tokens;
    private Optional<String> stamp;
    private Instant looked;

    private FileTokens(TokenFile file, Clock clock, List<Token> tokens) {
        this.file = file;
        this.clock = clock;
        this.tokens = List.copyOf(tokens);
        this.stamp = stampNow();
        this.looked = clock.now();
    }

    /**
     * Reads the file.
     *
     * @throws IOException when it cannot be used; the message says why
     */
    public static FileTokens open(TokenFile file, Clock clock) throws IOException {
        return new FileTokens(file, clock, file.read());
    }

    @Override
    public Optional<Caller> of(String given) {
        byte[] digest = TokenFile.digest(given).getBytes(StandardCharsets.US_ASCII);
        Instant now = clock.now();
        Optional<Caller> found = Optional.empty();
        // Every token is compared, and each in the same time.
        for (Token token : current(now)) {
            boolean same = MessageDigest.isEqual(token.digest().getBytes(StandardCharsets.US_ASCII), digest);
            if (same && token.isValid(now)) {
                found = Optional.of(token.caller());
            }
        }
        return found;
    }

    @Override
    public Set<String> users() {
        Instant now = clock.now();
        return TokenFile.users(current(now), now);
    }

    @Override
    public String hint() {
        return "whoever runs this service makes one with: muster server token create";
    }

    private synchronized List<Token> current(Instant now) {
        if (!now.isBefore(looked.plus(LOOK_AGAIN))) {
            looked = now;
            Optional<String> seen = stampNow();
            if (!seen.equals(stamp)) {
                stamp = seen;
                readAgain();
            }
        }
        return tokens;
    }

    private void readAgain() {
        try {
            tokens = List.copyOf(file.read());
            LOG.log(Level.INFO, "tokens were read anew: " + tokens.size());
        } catch (IOException unusable) {
            LOG.log(Level.ERROR, "the tokens stay as they were: " + unusable.getMessage());
        }
    }

    private Optional<String> stampNow() {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file.path(), BasicFileAttributes.class);
            return Optional.of(attributes.lastModifiedTime() + " " + attributes.size() + " " + attributes.fileKey());
        } catch (IOException none) {
            return Optional.empty();
        }
    }
}
