package dev.muster.server.http;

import dev.muster.api.ProblemDocument;
import dev.muster.api.ProblemType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Lets through who has the token. Host and Origin are checked first, so that a page in a browser that was led here by a DNS trick
 * learns nothing, not even whether a token is right.
 */
public final class Access implements Handler {
    private static final String SCHEME = "Bearer ";

    private final byte[] token;
    private final Handler inside;
    private volatile Set<String> hosts = Set.of();

    /**
     * @param token  the one token
     * @param inside answers what is let through
     */
    public Access(String token, Handler inside) {
        this.token = token.getBytes(StandardCharsets.UTF_8);
        this.inside = inside;
    }

    /** Sets which values of Host mean this service, each with its port; before this, none does. */
    public void serveAs(Set<String> names) {
        hosts = Set.copyOf(names);
    }

    @Override
    public void handle(Exchange exchange, PathVariables variables) throws IOException {
        String host = exchange.header("Host").orElse("");
        if (!hosts.contains(host)) {
            throw new ProblemException(ProblemType.FORBIDDEN, "This service is not the host that was asked for.");
        }
        Optional<String> origin = exchange.header("Origin");
        if (origin.isPresent() && !origin.get().equals("http://" + host)) {
            throw new ProblemException(ProblemType.FORBIDDEN, "Pages of other origins may not use this service.");
        }
        if (!hasToken(exchange.header("Authorization").orElse(""))) {
            throw new ProblemException(
                    ProblemDocument.of(
                            ProblemType.UNAUTHORIZED,
                            "Send the header Authorization: Bearer TOKEN; the token is in file token of MUSTER_HOME."),
                    Map.of("WWW-Authenticate", "Bearer"));
        }
        inside.handle(exchange, variables);
    }

    /** Takes the same time however much of the token is right. */
    private boolean hasToken(String authorization) {
        boolean bearer = authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
        String given = bearer ? authorization.substring(SCHEME.length()).strip() : "";
        return MessageDigest.isEqual(token, given.getBytes(StandardCharsets.UTF_8)) && bearer;
    }
}
