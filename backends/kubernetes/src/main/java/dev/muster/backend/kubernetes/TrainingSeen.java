package dev.muster.backend.kubernetes;

import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the API server tells of an object of the training operator, as far as Muster asks.
 *
 * @param kind      which
 * @param name      its name
 * @param job       whose it is
 * @param members   the attempts it stands for
 * @param createdAt when it was made
 * @param deleted   whether its deletion was asked for
 * @param suspended whether its run policy says that nothing of it runs
 * @param limit     a limit of its run policy by which the operator deletes pods; Muster sets none
 * @param conditions what the operator says of it, oldest first
 */
record TrainingSeen(
        TrainingKind kind,
        String name,
        JobId job,
        List<ProcessKey> members,
        Instant createdAt,
        boolean deleted,
        boolean suspended,
        Optional<String> limit,
        List<Condition> conditions)
        implements ObjectWatch.Seen {
    TrainingSeen {
        members = List.copyOf(members);
        conditions = List.copyOf(conditions);
    }

    /** One of the operator's conditions: Created, Running, Restarting, Suspended, Succeeded, Failed. */
    record Condition(String type, boolean holds, String reason, String message) {}

    /** Kind and name. */
    String title() {
        return kind.kind() + " " + name;
    }

    /** Whether somebody had its pods removed for a while, which may be over: the operator tells of a suspension also after its end. */
    boolean wasSuspended() {
        return suspended || conditions.stream().anyMatch(each -> each.type().equals("Suspended"));
    }

    /** The same when the API server has it no more. */
    TrainingSeen gone() {
        return new TrainingSeen(kind, name, job, members, createdAt, true, suspended, limit, conditions);
    }

    /** The condition while it holds. */
    Optional<Condition> condition(String type) {
        return conditions.stream()
                .filter(each -> each.type().equals(type) && each.holds())
                .findFirst();
    }
}
