package dev.muster.server;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonException;
import dev.muster.formats.json.JsonFields;
import dev.muster.model.BackendKind;
import dev.muster.model.Origin;
import dev.muster.server.access.Scope;
import dev.muster.server.access.Token;
import dev.muster.server.access.TokenFile;
import dev.muster.server.config.ServerConfig;
import dev.muster.server.jobs.LocalUse;
import dev.muster.server.system.WallTime;
import dev.muster.spec.form.At;
import dev.muster.spec.form.Block;
import dev.muster.spec.form.Durations;
import dev.muster.spec.form.Reading;
import dev.muster.spec.form.Vocabulary;
import dev.muster.spec.tree.Tree;
import java.io.IOException;
import java.io.PrintStream;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** {@code muster server token}: makes tokens, shows them without what would let somebody in, and takes them back. */
final class TokenCommand {
    private static final int DONE = 0;
    private static final int WRONG = 2;
    private static final int NOT_FOUND = 5;
    private static final int REFUSED = 6;
    /** 256 bits. */
    private static final int BYTES = 32;

    private static final String PREFIX = "muster_";

    private final TokenFile file;
    private final ServerConfig config;
    private final ServerArguments arguments;
    private final PrintStream out;
    private final PrintStream err;

    TokenCommand(TokenFile file, ServerConfig config, ServerArguments arguments, PrintStream out, PrintStream err) {
        this.file = file;
        this.config = config;
        this.arguments = arguments;
        this.out = out;
        this.err = err;
    }

    int run() {
        try {
            return switch (arguments.action()) {
                case TOKEN_CREATE -> create();
                case TOKEN_LIST -> list();
                case TOKEN_REVOKE -> revoke();
                case SERVE -> throw new IllegalStateException("that is no command about tokens");
            };
        } catch (JsonException wrong) {
            err.println("--" + wrong.field() + ": " + wrong.getMessage());
            return WRONG;
        } catch (IOException unusable) {
            err.println(unusable.getMessage());
            return REFUSED;
        }
    }

    private int create() throws IOException {
        String name = name();
        List<String> projects = arguments.all("--project");
        Instant now = WallTime.now();
        String secret = secret();
        Token token = new Token(
                name,
                arguments.value("--user").orElse(name),
                projects.isEmpty() ? List.of(Origin.DEFAULT_PROJECT) : projects,
                scopes(),
                TokenFile.digest(secret),
                now,
                expires().map(now::plus),
                Optional.empty());
        if (file.find(name).isPresent()) {
            err.println("--name: a token " + name + " is there already, and names are not given twice");
            return REFUSED;
        }
        file.change(tokens -> {
            tokens.add(token);
            return tokens;
        });
        if (arguments.json()) {
            out.println(shown(token).put("token", secret).build());
        } else {
            out.println(secret);
            err.println(
                    "Token " + name + " of " + token.user() + " is made. It is shown this once: keep it where only its"
                            + " user can read it, and give it to the command line as MUSTER_TOKEN.");
        }
        if (config.backends().contains(BackendKind.LOCAL)) {
            LocalUse.refusal("backends.local", TokenFile.users(file.read(), now), config.runAs())
                    .or(() -> LocalUse.unmapped("backends.local", token.user(), config.runAs()))
                    .ifPresent(refusal -> err.println("Warning: jobs of backend local are refused from now on"
                            + (config.runAs().isOn() ? " for this user" : "") + ". " + refusal));
        }
        return DONE;
    }

    private String name() {
        return arguments.value("--name").orElseThrow(() -> new JsonException("name", "is needed"));
    }

    private Set<Scope> scopes() {
        Set<Scope> scopes = new LinkedHashSet<>();
        for (String text : arguments.all("--scope")) {
            scopes.add(Scope.of(text)
                    .orElseThrow(() -> new JsonException("scope", "is read, submit or admin, not " + text)));
        }
        return scopes.isEmpty() ? Set.of(Scope.READ, Scope.SUBMIT) : scopes;
    }

    private Optional<Duration> expires() {
        return arguments.value("--expires").map(text -> {
            Reading reading = new Reading(new Vocabulary(Block.of(), Map.of()));
            return Durations.positive()
                    .read(new At("expires", new Tree.Scalar(text, true), reading))
                    .orElseThrow(() -> new JsonException(
                            "expires", reading.problems().getFirst().message()));
        });
    }

    private static String secret() {
        byte[] bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private int list() throws IOException {
        List<Token> tokens = file.read();
        Instant now = WallTime.now();
        if (arguments.json()) {
            out.println(Json.object()
                    .put(
                            "items",
                            new Json.Items(tokens.stream()
                                    .map(token -> (Json) shown(token).build())
                                    .toList()))
                    .put("next", Json.NULL)
                    .build());
            return DONE;
        }
        out.printf("%-20s %-16s %-24s %-20s %s%n", "NAME", "USER", "PROJECTS", "SCOPES", "STATE");
        for (Token token : tokens) {
            JsonFields json = token.toJson();
            out.printf(
                    "%-20s %-16s %-24s %-20s %s%n",
                    token.name(),
                    token.user(),
                    String.join(",", token.projects()),
                    String.join(",", json.texts("scopes")),
                    state(token, now));
        }
        return DONE;
    }

    private static String state(Token token, Instant now) {
        if (token.revokedAt().isPresent()) {
            return "revoked " + token.revokedAt().get();
        }
        return token.expiresAt()
                .map(end -> (now.isBefore(end) ? "expires " : "expired ") + end)
                .orElse("valid");
    }

    /** Without the digest. */
    private static Json.Builder shown(Token token) {
        Json.Builder shown = Json.object();
        token.toJson().values().forEach((field, value) -> {
            if (!field.equals("digest")) {
                shown.put(field, value);
            }
        });
        return shown;
    }

    private int revoke() throws IOException {
        String name = name();
        if (file.find(name).isEmpty()) {
            err.println("--name: there is no token " + name);
            return NOT_FOUND;
        }
        Instant now = WallTime.now();
        file.change(tokens -> tokens.stream()
                .map(token -> token.name().equals(name) ? token.revoked(now) : token)
                .toList());
        if (!arguments.json()) {
            err.println("Token " + name + " lets nobody in any more; a running service knows within a second.");
        }
        return DONE;
    }
}
