package dev.muster.control;

import dev.muster.control.decide.Demand;
import dev.muster.model.Capacity;
import dev.muster.model.JobSpec;
import dev.muster.model.JobState;
import dev.muster.model.Queue;
import dev.muster.model.Queues;
import dev.muster.model.Quota;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What happens in one simulation besides calls that go wrong, all drawn from one seed. Any part of it can be left out.
 *
 * @param horizon  when faults end
 * @param replicas how many services share the store
 * @param calm     whether a service does at once what is due, where otherwise it takes its time
 */
record Scenario(
        long seed,
        Capacity capacity,
        Duration horizon,
        int replicas,
        List<Submission> submissions,
        List<Incident> incidents,
        boolean calm) {
    Scenario {
        submissions = List.copyOf(submissions);
        incidents = List.copyOf(incidents);
    }

    static Scenario of(long seed) {
        Dice dice = Dice.of(seed, "scenario", 0);
        Capacity capacity = new Capacity(3 + dice.below(5), 1, 1, 0);
        Duration horizon = Duration.ofSeconds(40 + dice.below(160));
        List<Submission> submissions = new ArrayList<>();
        int count = 2 + dice.below(6);
        for (int number = 0; number < count; number++) {
            submissions.add(new Submission(dice.nextLong(), number, dice.shorterThan(horizon.dividedBy(2))));
        }
        List<Incident> incidents = new ArrayList<>();
        users(incidents, dice, horizon, count);
        world(incidents, dice, horizon);
        rows(incidents, Dice.of(seed, "rows", 0), horizon, count);
        scaling(incidents, Dice.of(seed, "scaling", 0), horizon, count);
        Dice more = Dice.of(seed, "replicas", 0);
        int replicas = more.oneIn(4) ? 2 : 1;
        if (replicas > 1) {
            replicas(incidents, more, horizon);
        }
        return new Scenario(seed, capacity, horizon, replicas, submissions, incidents, false);
    }

    private static void users(List<Incident> incidents, Dice dice, Duration horizon, int jobs) {
        for (int times = dice.below(6); times > 0; times--) {
            incidents.add(new Incident.Asked(
                    dice.shorterThan(horizon), dice.anyOf(Incident.Request.values()), dice.below(jobs)));
        }
        if (dice.oneIn(3)) { // rare, and where much can go wrong
            incidents.add(new Incident.AskedWhen(
                    Duration.ZERO, JobState.PUBLISHING, Incident.Request.CANCEL, dice.below(jobs)));
        }
        for (int times = dice.below(5); times > 0; times--) {
            incidents.add(new Incident.AskedWhen(
                    dice.shorterThan(horizon.dividedBy(2)),
                    dice.anyOf(JobState.values()),
                    dice.anyOf(Incident.Request.values()),
                    dice.below(jobs)));
        }
    }

    private static void scaling(List<Incident> incidents, Dice dice, Duration horizon, int jobs) {
        for (int times = dice.below(8); times > 0; times--) {
            incidents.add(new Incident.Scaled(dice.shorterThan(horizon), dice.below(6), dice.below(jobs)));
        }
    }

    private static void world(List<Incident> incidents, Dice dice, Duration horizon) {
        for (int times = dice.below(6); times > 0; times--) {
            Duration down = dice.oneIn(3) ? Duration.ofSeconds(60) : Duration.ofSeconds(1);
            incidents.add(new Incident.ServiceKilled(dice.shorterThan(horizon), dice.shorterThan(down), dice.below(8)));
        }
        for (int times = dice.below(4); times > 0; times--) {
            incidents.add(new Incident.ContactLost(
                    dice.shorterThan(horizon), dice.shorterThan(Duration.ofSeconds(dice.oneIn(4) ? 90 : 15))));
        }
        if (dice.oneIn(2)) {
            incidents.add(new Incident.ClockJumps(dice.shorterThan(horizon), dice.shorterThan(Duration.ofMinutes(2))));
        }
        for (int times = dice.below(8); times > 0; times--) {
            incidents.add(new Incident.ProcessEnds(dice.shorterThan(horizon), dice.below(1000), dice.oneIn(4)));
        }
        for (int times = dice.below(6); times > 0; times--) {
            incidents.add(new Incident.OtherWriter(dice.shorterThan(horizon), dice.below(1000)));
        }
    }

    private static void rows(List<Incident> incidents, Dice dice, Duration horizon, int jobs) {
        for (int times = dice.below(4); times > 0; times--) {
            incidents.add(new Incident.RowFails(
                    dice.shorterThan(horizon),
                    dice.shorterThan(Duration.ofSeconds(20)),
                    dice.below(jobs),
                    dice.oneIn(2)));
        }
    }

    /** What befalls one of several services, so that another takes over from one that is not dead. */
    private static void replicas(List<Incident> incidents, Dice dice, Duration horizon) {
        for (int times = dice.below(4); times > 0; times--) {
            incidents.add(new Incident.CutOff(
                    dice.shorterThan(horizon), dice.shorterThan(Duration.ofSeconds(60)), dice.below(8)));
        }
        for (int times = dice.below(4); times > 0; times--) {
            incidents.add(new Incident.Frozen(
                    dice.shorterThan(horizon), dice.shorterThan(Duration.ofSeconds(40)), dice.below(8)));
        }
    }

    /** Four queues: one without quota, one that claims back and preempts, one with a quota only, and one that borrows all it can get. */
    Queues queues() {
        Dice dice = Dice.of(seed, "queues", 0);
        Duration after = Duration.ofSeconds(dice.below(30));
        int third = Math.max(1, capacity.processes() / 3);
        return Queues.of(List.of(
                new Queue(Queue.DEFAULT, Quota.NONE, Optional.empty(), true, 1, dice.oneIn(2), after),
                new Queue(
                        "owner",
                        dice.oneIn(3) ? Quota.NONE : processes(2 * third),
                        Optional.empty(),
                        dice.oneIn(2),
                        1 + dice.below(3),
                        dice.oneIn(2),
                        after),
                new Queue("strict", processes(Math.min(3, 2 * third)), Optional.empty(), false, 1, false, after),
                new Queue("borrower", processes(1), Optional.of(Quota.NONE), true, 1, dice.oneIn(2), after)));
    }

    private static Quota processes(int count) {
        return new Quota(OptionalInt.of(count), OptionalLong.empty(), OptionalLong.empty(), OptionalInt.empty());
    }

    /** Whether the job's queue may never hold all of it: its own and what all other queues could lend it. */
    boolean tooLargeForQueue(JobSpec spec) {
        Queue queue = queues().get(spec.queue());
        int all = queues().byName().values().stream()
                .mapToInt(each -> each.quota().processes().orElse(0))
                .sum();
        int most = queue.borrow().isPresent() ? all : queue.quota().processes().orElse(Integer.MAX_VALUE);
        return Demand.of(spec).processes() > most;
    }

    Scenario with(List<Submission> some, List<Incident> happen, boolean calmly) {
        return new Scenario(seed, capacity, horizon, replicas, some, happen, calmly);
    }
}
