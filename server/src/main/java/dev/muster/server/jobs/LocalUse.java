package dev.muster.server.jobs;

import dev.muster.model.BackendKind;
import dev.muster.model.JobSpec;
import dev.muster.model.Problem;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Whether backend local may be used: its processes run as the user of the service and can read each other's files and memory, so only
 * while the service has one user.
 */
public final class LocalUse {
    private final Supplier<Set<String>> users;

    /** @param users those whom the service lets in now */
    public LocalUse(Supplier<Set<String>> users) {
        this.users = users;
    }

    /** Why such a job is refused. */
    Optional<Problem> refusal(JobSpec spec) {
        return spec.backend() == BackendKind.LOCAL ? refusal("backend", users.get()) : Optional.empty();
    }

    /** Why these users cannot share it. */
    public static Optional<Problem> refusal(String field, Set<String> users) {
        return users.size() <= 1
                ? Optional.empty()
                : Optional.of(Problem.of(
                        field,
                        "local runs every process as the user of the service, so it is refused where several users have tokens ("
                                + String.join(", ", new TreeSet<>(users)) + ")",
                        "name other backends alone, such as backends: {docker: {}}, or run one service for each user"));
    }
}
