package dev.muster.server.jobs;

import dev.muster.backend.local.RunAs;
import dev.muster.model.BackendKind;
import dev.muster.model.JobSpec;
import dev.muster.model.Problem;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Whether backend local may be used. Its processes run as the user of the service, where they can read each other's files and memory, so
 * only while the service has one user; or as users of the machine, where each user of the service is mapped to one.
 */
public final class LocalUse {
    private final Supplier<Set<String>> users;
    private final RunAs runAs;

    /** @param users those whom the service lets in now */
    public LocalUse(Supplier<Set<String>> users, RunAs runAs) {
        this.users = users;
        this.runAs = runAs;
    }

    /** Why such a job of this user is refused. */
    Optional<Problem> refusal(JobSpec spec, String owner) {
        if (spec.backend() != BackendKind.LOCAL) {
            return Optional.empty();
        }
        if (runAs.isOn()) {
            return unmapped("backend", owner, runAs);
        }
        return refusal("backend", users.get(), runAs);
    }

    /** Why these users cannot share it. One who is not mapped may still use other backends. */
    public static Optional<Problem> refusal(String field, Set<String> users, RunAs runAs) {
        return runAs.isOn() || users.size() <= 1
                ? Optional.empty()
                : Optional.of(Problem.of(
                        field,
                        "local runs every process as the user of the service, so it is refused where several users have tokens ("
                                + String.join(", ", new TreeSet<>(users)) + ")",
                        "map them to users of the machine by " + RunAs.FIELD
                                + ", name other backends alone, such as backends: {docker: {}}, or run one service for each"
                                + " user"));
    }

    /** Why the user may not use it though others are mapped. */
    public static Optional<Problem> unmapped(String field, String user, RunAs runAs) {
        return !runAs.isOn() || runAs.users().containsKey(user)
                ? Optional.empty()
                : Optional.of(Problem.of(
                        field,
                        "local runs processes of mapped users only, and " + RunAs.FIELD + " does not map " + user,
                        "have the service's configuration say " + RunAs.FIELD + "." + user
                                + ": NAME-ON-THE-MACHINE, or name another backend"));
    }
}
