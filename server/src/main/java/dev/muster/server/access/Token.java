package dev.muster.server.access;

import dev.muster.api.Document;
import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonException;
import dev.muster.formats.json.JsonFields;
import dev.muster.spi.Projects;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A token as it is kept: by its digest, so that who reads the file cannot use it.
 *
 * @param name      unique among all tokens that ever were
 * @param user      whom jobs belong to; several tokens may be of one user
 * @param projects  what it sees, at least one; jobs go to the first unless they name another
 * @param scopes    what it may do, at least one
 * @param digest    SHA-256 of the token, 64 hexadecimal digits
 * @param createdAt when
 * @param expiresAt from when on it lets nobody in; absent = never
 * @param revokedAt when it was taken back
 */
public record Token(
        String name,
        String user,
        List<String> projects,
        Set<Scope> scopes,
        String digest,
        Instant createdAt,
        Optional<Instant> expiresAt,
        Optional<Instant> revokedAt)
        implements Document {
    private static final List<String> FIELDS =
            List.of("name", "user", "projects", "scopes", "digest", "createdAt", "expiresAt", "revokedAt");
    /** Names of tokens, users and projects. */
    static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._@-]{0,62}[A-Za-z0-9])?");

    static final String NAME_RULE = "is 1 to 64 letters, digits, . _ @ or -, with a letter or digit at both ends";
    private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");

    public Token {
        projects = List.copyOf(projects);
        scopes = Set.copyOf(scopes);
        require("name", NAME.matcher(name).matches(), "the name of a token " + NAME_RULE);
        require("user", NAME.matcher(user).matches(), "a user " + NAME_RULE);
        require("projects", !projects.isEmpty(), "a token has at least one project");
        projects.forEach(project -> require("projects", NAME.matcher(project).matches(), "a project " + NAME_RULE));
        require("scopes", !scopes.isEmpty(), "a token has at least one of the scopes read, submit, admin");
        require("digest", DIGEST.matcher(digest).matches(), "digest is 64 hexadecimal digits");
    }

    private static void require(String field, boolean holds, String rule) {
        if (!holds) {
            throw new JsonException(field, rule);
        }
    }

    /** Whether it lets its holder in. */
    boolean isValid(Instant now) {
        return revokedAt.isEmpty()
                && expiresAt.filter(end -> !now.isBefore(end)).isEmpty();
    }

    Caller caller() {
        Projects seen = scopes.contains(Scope.ADMIN) ? Projects.ALL : Projects.of(Set.copyOf(projects));
        return new Caller(name, user, seen, projects.getFirst(), scopes);
    }

    /** The same, letting nobody in from now on. */
    public Token revoked(Instant now) {
        return revokedAt.isPresent()
                ? this
                : new Token(name, user, projects, scopes, digest, createdAt, expiresAt, Optional.of(now));
    }

    static Token of(JsonFields json) {
        json.only(FIELDS);
        Set<Scope> scopes = new LinkedHashSet<>();
        for (String text : json.texts("scopes")) {
            scopes.add(
                    Scope.of(text).orElseThrow(() -> new JsonException("scopes", "there is no scope '" + text + "'")));
        }
        return new Token(
                json.text("name"),
                json.text("user"),
                json.texts("projects"),
                scopes,
                json.text("digest"),
                json.time("createdAt"),
                json.optionalTime("expiresAt"),
                json.optionalTime("revokedAt"));
    }

    @Override
    public JsonFields toJson() {
        Set<String> written = scopes.stream().map(Scope::text).collect(Collectors.toCollection(TreeSet::new));
        return Json.object()
                .put("name", name)
                .put("user", user)
                .put("projects", Json.ofTexts(projects))
                .put("scopes", Json.ofTexts(List.copyOf(written)))
                .put("digest", digest)
                .put("createdAt", Json.of(createdAt))
                .put("expiresAt", Json.ofTime(expiresAt))
                .put("revokedAt", Json.ofTime(revokedAt))
                .build();
    }

    /** Without the digest. */
    @Override
    public String toString() {
        return "Token[" + name + "]";
    }
}
