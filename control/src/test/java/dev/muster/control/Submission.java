package dev.muster.control;

import dev.muster.model.JobSpec;
import dev.muster.model.Origin;
import dev.muster.model.ProcessKey;
import dev.muster.model.Queue;
import dev.muster.model.RestartPolicy.Action;
import dev.muster.model.RestartScope;
import dev.muster.testkit.FakeProcess;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One job that a user hands in, and how its processes behave.
 *
 * @param number gives its name
 * @param at     when, from the start of the simulation
 */
record Submission(long seed, int number, Duration at) {
    private static final int[] CODES = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 42, 42, 126, 130, 137, 137, 139, 143};
    private static final int EMPTY_MODEL_ONE_IN = 5;

    String name() {
        return "job-" + number;
    }

    private Dice dice(String purpose) {
        return Dice.of(seed, name() + purpose, number);
    }

    /** Who hands it in. */
    Origin origin() {
        String user = dice("user").anyOf(new String[] {"ann", "bob", "cid"});
        return new Origin(user, "/home/" + user, Optional.empty(), Optional.empty(), "/usr/bin", Map.of());
    }

    JobSpec spec() {
        Dice dice = dice("");
        Spec spec = dice.oneIn(3) ? parameterServers(dice) : Spec.workers(1 + dice.below(3));
        Dice elastic = dice("elastic");
        if (elastic.oneIn(2)) {
            int workers = spec.build().role("worker").count();
            spec.elastic(1 + elastic.below(workers), workers + elastic.below(3));
        }
        spec.named(name())
                .restarts(dice.below(4))
                .priority(dice.below(3))
                .grace(Duration.ofMillis(500L * (1 + dice.below(12))))
                .startDeadline(Duration.ofSeconds(60));
        spec.queue(dice("queue").anyOf(new String[] {Queue.DEFAULT, "owner", "strict", "borrower"}));
        if (dice("standby").oneIn(3)) {
            spec.standby(1);
        }
        if (dice.oneIn(3)) {
            spec.model("model");
        }
        if (dice.oneIn(4)) {
            spec.sidecar("viewer");
        }
        if (dice.oneIn(6)) {
            spec.deadline(Duration.ofSeconds(5 + dice("deadline").below(36)));
        }
        if (dice.oneIn(6)) {
            spec.queueDeadline(Duration.ofSeconds(60));
        }
        if (dice("stall").oneIn(6)) {
            spec.stallTimeout(
                    Duration.ofSeconds(15)); // nobody reports in a simulation: it comes when nothing else does
        }
        if (dice.oneIn(8)) {
            spec.suspended();
        }
        if (dice.oneIn(3)) {
            spec.rule(42, Action.RESTART, dice.oneIn(2), dice.anyOf(RestartScope.values()));
        }
        return spec.build();
    }

    private static Spec parameterServers(Dice dice) {
        return new Spec()
                .role("chief", 1)
                .role("worker", 1 + dice.below(2))
                .role("ps", 1)
                .tensorflow();
    }

    /** Whether the chief leaves an empty model folder. */
    boolean emptyModel() {
        return dice("model").oneIn(EMPTY_MODEL_ONE_IN);
    }

    FakeProcess behaviour(ProcessKey key) {
        Dice dice = Dice.of(seed, name() + key.name(), key.attempt());
        FakeProcess process = FakeProcess.runs();
        boolean server = Set.of("ps", "viewer", "rendezvous", "standby")
                .contains(key.name().role());
        if (!server || dice.oneIn(5)) {
            process = process.exiting(CODES[dice.below(CODES.length)], dice.shorterThan(Duration.ofSeconds(30)));
        }
        process = process.joining(dice.shorterThan(Duration.ofSeconds(3)));
        if (dice.oneIn(25)) {
            process = process.neverJoining();
        }
        if (dice.oneIn(20)) {
            process = process.overItsMemory();
        }
        if (dice.oneIn(4)) {
            process = process.onTerm(dice.below(2), dice.shorterThan(Duration.ofSeconds(4)));
        }
        if (dice.oneIn(8)) {
            process = process.ignoringTerm();
        }
        return dice.oneIn(2) ? process.leavingOnStopFile(dice.shorterThan(Duration.ofSeconds(3))) : process;
    }

    @Override
    public String toString() {
        JobSpec spec = spec();
        StringBuilder text = new StringBuilder(name() + " at " + at.toMillis() + " ms:");
        spec.roles()
                .forEach((role, of) -> text.append(" ")
                        .append(of.count())
                        .append(" ")
                        .append(role)
                        .append(","));
        text.append(" queue ")
                .append(spec.queue())
                .append(", priority ")
                .append(spec.priority())
                .append(", of ")
                .append(origin().owner())
                .append(", restart.max ")
                .append(spec.restart().max());
        if (spec.standby() > 0) {
            text.append(", standby ").append(spec.standby());
        }
        spec.model().ifPresent(model -> text.append(emptyModel() ? ", an empty model" : ", a model"));
        spec.limits()
                .stallTimeout()
                .ifPresent(limit -> text.append(", stallTimeout ").append(limit));
        spec.limits().deadline().ifPresent(limit -> text.append(", deadline ").append(limit));
        spec.limits()
                .queueDeadline()
                .ifPresent(limit -> text.append(", queueDeadline ").append(limit));
        if (!spec.restart().rules().isEmpty()) {
            text.append(", ").append(spec.restart().rules());
        }
        return text.append(spec.suspended() ? ", suspended" : "").toString();
    }
}
