package dev.muster.server.access;

import dev.muster.model.Origin;
import dev.muster.spi.Projects;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.Set;

/** The one token of a service that one person uses: it may do everything. */
public final class OneToken implements Callers {
    private final byte[] token;
    private final Caller caller;

    /**
     * @param token the token
     * @param user  whom jobs belong to
     */
    public OneToken(String token, String user) {
        this.token = token.getBytes(StandardCharsets.UTF_8);
        this.caller = new Caller("token", user, Projects.ALL, Origin.DEFAULT_PROJECT, Set.of(Scope.ADMIN));
    }

    @Override
    public Optional<Caller> of(String given) {
        return MessageDigest.isEqual(token, given.getBytes(StandardCharsets.UTF_8))
                ? Optional.of(caller)
                : Optional.empty();
    }

    @Override
    public Set<String> users() {
        return Set.of(caller.user());
    }

    @Override
    public String hint() {
        return "the one of this service is in file token of its MUSTER_HOME";
    }
}
