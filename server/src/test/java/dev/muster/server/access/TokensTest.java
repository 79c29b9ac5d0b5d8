package dev.muster.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.testkit.FakeClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens in their file, and whom they let in. */
class TokensTest {
    @TempDir
    private Path folder;

    private final FakeClock clock = new FakeClock();
    private TokenFile file;

    @BeforeEach
    void place() {
        file = new TokenFile(folder.resolve("tokens.json"));
    }

    @Test
    void aTokenIsKeptByItsDigestAloneAndReadableByItsOwnerAlone() throws Exception {
        add(token("ann", "s3cret", Set.of(Scope.READ), Optional.empty()));
        assertThat(Files.readString(file.path())).doesNotContain("s3cret").contains(TokenFile.digest("s3cret"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.path())))
                .isEqualTo("rw-------");
        Files.setPosixFilePermissions(file.path(), PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(file::read).hasMessageContaining("chmod 600");
    }

    @Test
    void aTokenLetsInUntilItExpiresOrIsRevoked() throws Exception {
        Instant end = clock.now().plusSeconds(60);
        add(token("ann", "one", Set.of(Scope.READ), Optional.of(end)));
        add(token("bob", "two", Set.of(Scope.SUBMIT), Optional.empty()));
        FileTokens tokens = FileTokens.open(file, clock);
        assertThat(tokens.of("one")).map(Caller::user).contains("ann");
        assertThat(tokens.of("")).isEmpty();
        assertThat(tokens.of(TokenFile.digest("one")))
                .as("the digest lets nobody in")
                .isEmpty();
        clock.advance(Duration.ofSeconds(60));
        assertThat(tokens.of("one")).isEmpty();
        assertThat(tokens.users()).containsExactly("bob");
        file.change(all -> all.stream()
                .map(token -> token.name().equals("bob") ? token.revoked(clock.now()) : token)
                .toList());
        clock.advance(Duration.ofSeconds(1));
        assertThat(tokens.of("two")).isEmpty();
    }

    @Test
    void aNewTokenCountsAtOnceAndABrokenFileChangesNothing() throws Exception {
        add(token("ann", "one", Set.of(Scope.READ), Optional.empty()));
        FileTokens tokens = FileTokens.open(file, clock);
        assertThat(tokens.of("two")).isEmpty();
        add(token("bob", "two", Set.of(Scope.READ), Optional.empty()));
        clock.advance(Duration.ofSeconds(1));
        assertThat(tokens.of("two")).isPresent();
        Files.writeString(file.path(), "{");
        clock.advance(Duration.ofSeconds(1));
        assertThat(tokens.of("two")).isPresent();
        Files.delete(file.path());
        clock.advance(Duration.ofSeconds(1));
        assertThat(tokens.of("two")).as("no file, nobody gets in").isEmpty();
    }

    @Test
    void anAdminSeesEveryProjectAndOthersTheirs() {
        Caller admin = token("ops", "x", Set.of(Scope.ADMIN), Optional.empty()).caller();
        assertThat(admin.projects().allow("anything")).isTrue();
        assertThat(admin.may(Scope.SUBMIT)).isTrue();
        Caller reader = token("ann", "x", Set.of(Scope.READ), Optional.empty()).caller();
        assertThat(reader.may(Scope.READ)).isTrue();
        assertThat(reader.may(Scope.SUBMIT)).isFalse();
        assertThat(reader.projects().allow("vision")).isTrue();
        assertThat(reader.projects().allow("speech")).isFalse();
        assertThat(reader.project(Optional.empty())).contains("vision");
        assertThat(reader.project(Optional.of("text"))).contains("text");
        assertThat(reader.project(Optional.of("speech"))).isEmpty();
    }

    @Test
    void aFileThatIsNoneIsRefusedInPlainWords() throws Exception {
        for (String text : List.of(
                "[]",
                "{\"tokens\":[{}]}",
                "{\"tokens\":[],\"more\":1}",
                "{\"tokens\":[{\"name\":\"a/b\",\"user\":\"a\",\"projects\":[\"p\"],\"scopes\":[\"read\"],\"digest\":\"x\","
                        + "\"createdAt\":\"2026-01-01T00:00:00Z\"}]}")) {
            Files.deleteIfExists(file.path());
            Files.createFile(file.path(), dev.muster.server.home.OwnerOnly.file());
            Files.writeString(file.path(), text);
            assertThatThrownBy(file::read).isInstanceOf(IOException.class).hasMessageContaining("is no file of tokens");
        }
    }

    private void add(Token token) throws IOException {
        file.change(tokens -> {
            tokens.add(token);
            return tokens;
        });
    }

    private Token token(String user, String secret, Set<Scope> scopes, Optional<Instant> expires) {
        return new Token(
                user,
                user,
                List.of("vision", "text"),
                scopes,
                TokenFile.digest(secret),
                clock.now(),
                expires,
                Optional.empty());
    }
}
