package dev.muster.server.access;

import dev.muster.spi.Projects;
import java.util.Optional;
import java.util.Set;

/**
 * Who sent a request.
 *
 * @param token    name of the token, never the token itself
 * @param user     whom jobs belong to that come with it
 * @param projects what it may see
 * @param project  where jobs go that name no project
 * @param scopes   what it may do
 */
public record Caller(String token, String user, Projects projects, String project, Set<Scope> scopes) {
    public Caller {
        scopes = Set.copyOf(scopes);
    }

    public boolean may(Scope scope) {
        return scopes.contains(scope) || scopes.contains(Scope.ADMIN);
    }

    /** The project of a submission that names this one, or none; empty when it may not use that, or it is no name of a project. */
    public Optional<String> project(Optional<String> named) {
        return named.isEmpty()
                ? Optional.of(project)
                : named.filter(projects::allow).filter(Token.NAME.asMatchPredicate());
    }
}
