package dev.muster.control.schedule;

import dev.muster.model.BackendKind;
import dev.muster.model.Capacity;
import dev.muster.model.JobId;

/**
 * What a job asks for or holds, and on whose account.
 *
 * @param id       the job
 * @param backend  where
 * @param queue    its queue
 * @param user     who submitted it
 * @param project  the job's
 * @param priority higher goes first within the queue
 * @param demand   what the whole gang takes
 */
public record Claim(
        JobId id, BackendKind backend, String queue, String user, String project, int priority, Capacity demand) {
    Member member() {
        return new Member(queue, user);
    }

    /** A user in a queue. */
    record Member(String queue, String user) {}
}
