package dev.muster.server.http;

import dev.muster.api.ProblemDocument;
import dev.muster.api.ProblemType;
import dev.muster.server.access.Caller;
import dev.muster.server.access.Callers;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Lets through who has a token. Host and Origin are checked first, so that a page in a browser that was led here by a DNS trick
 * learns nothing, not even whether a token is right. What is open to everybody needs neither a token nor the right Host: a probe knows the
 * address of a process and no more. A token that is given has to be right there too.
 */
public final class Access implements Handler {
    private static final String SCHEME = "Bearer ";

    private final Callers callers;
    private final Predicate<Exchange> open;
    private final Handler inside;
    private volatile Set<String> hosts = Set.of();
    private volatile Set<String> origins = Set.of();

    /**
     * @param callers knows the tokens
     * @param open    whether a request is for what is open to everybody
     * @param inside  answers what is let through
     */
    public Access(Callers callers, Predicate<Exchange> open, Handler inside) {
        this.callers = callers;
        this.open = open;
        this.inside = inside;
    }

    /**
     * Sets what means this service; before this, nothing does.
     *
     * @param names values of Host, each with its port where it is not the usual one
     * @param pages values of Origin, of pages that may use it
     */
    public void serveAs(Set<String> names, Set<String> pages) {
        hosts = Set.copyOf(names);
        origins = Set.copyOf(pages);
    }

    @Override
    public void handle(Exchange exchange, PathVariables variables) throws IOException {
        boolean isOpen = open.test(exchange);
        if (!isOpen && !hosts.contains(exchange.header("Host").orElse(""))) {
            throw new ProblemException(
                    ProblemType.FORBIDDEN,
                    "This service is not the host that was asked for, "
                            + exchange.header("Host").orElse("which was not named")
                            + ". It answers to the address it listens at, and to `url` of its configuration.");
        }
        Optional<String> origin = exchange.header("Origin");
        if (origin.isPresent() && !origins.contains(origin.get())) {
            throw new ProblemException(ProblemType.FORBIDDEN, "Pages of other origins may not use this service.");
        }
        Optional<String> token = token(exchange.header("Authorization").orElse(""));
        if (!isOpen || exchange.header("Authorization").isPresent()) {
            Caller caller = token.flatMap(callers::of).orElseThrow(() -> refusal(token.isPresent()));
            exchange.note().admit(caller);
        }
        inside.handle(exchange, variables);
    }

    private ProblemException refusal(boolean given) {
        return new ProblemException(
                ProblemDocument.of(
                        ProblemType.UNAUTHORIZED,
                        (given
                                        ? "This token is unknown here, or was revoked, or has expired"
                                        : "A token is needed: MUSTER_TOKEN of the command line, or the header"
                                                + " Authorization: Bearer TOKEN")
                                + "; " + callers.hint() + "."),
                Map.of("WWW-Authenticate", given ? "Bearer error=\"invalid_token\"" : "Bearer"));
    }

    private static Optional<String> token(String authorization) {
        boolean bearer = authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
        return bearer ? Optional.of(authorization.substring(SCHEME.length()).strip()) : Optional.empty();
    }
}
