package dev.muster.control;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Optional;

/** One simulated service: up with what it has in memory, or down. It does one piece of work at a time, each when it finds the time for it. */
final class Replica {
    private final World world;
    private final Simulation simulation;
    private final Dice dice;
    private final boolean calm;
    private final ThisReplica identity;
    private Instant frozenUntil = Instant.MIN;
    private Instant upSince = Instant.MIN;
    private Faults faults;
    private Optional<World.Node> node = Optional.empty();
    private Optional<Instant> nextStep = Optional.empty();
    private long plannedSteps;

    Replica(World world, Simulation simulation, Dice dice, boolean calm, ThisReplica identity) {
        this.world = world;
        this.simulation = simulation;
        this.dice = dice;
        this.calm = calm;
        this.identity = identity;
    }

    Optional<World.Node> node() {
        return node;
    }

    /** Starts it; true when it came up. */
    boolean boot() {
        faults = simulation.faults(identity);
        World.Node made = world.node(faults, new ArrayDeque<>(), identity);
        try {
            made.reconciler().start();
        } catch (AdoptionTest.Killed | dev.muster.spi.JobStore.StoreException again) {
            faults.die();
            return false;
        }
        node = Optional.of(made);
        upSince = world.clock.now();
        nextStep = Optional.empty();
        return true;
    }

    /** Nothing of it reaches the store until then. */
    void cutOff(Instant until) {
        faults.cutOff(until);
    }

    /** It does nothing until then, as in a long pause of its machine, and then goes on as if nothing had been. */
    void freeze(Instant until) {
        frozenUntil = until;
    }

    /** Until when it was not there: now, when it is not. */
    Instant awayUntil() {
        Instant away = node.isPresent() ? upSince : world.clock.now();
        return away.isBefore(frozenUntil) ? frozenUntil : away;
    }

    /** kill -9. */
    void die() {
        faults.die();
        node = Optional.empty();
        nextStep = Optional.empty();
        plannedSteps++;
    }

    /** Puts its next piece of work on the agenda, if it has any that is not there yet. */
    void plan(Agenda agenda, Instant now) {
        Optional<Instant> due =
                node.flatMap(up -> up.slow().isEmpty() ? up.reconciler().nextWork() : Optional.of(now));
        if (due.isEmpty()) {
            return;
        }
        Instant from = now.isBefore(frozenUntil) ? frozenUntil : now;
        Instant soonest = due.get().isBefore(from) ? from : due.get();
        if (nextStep.isPresent() && !soonest.isBefore(nextStep.get())) {
            return;
        }
        Instant at = soonest.plus(findsTime());
        if (nextStep.isEmpty() || at.isBefore(nextStep.get())) {
            nextStep = Optional.of(at);
            long mine = ++plannedSteps;
            agenda.perhaps(at, () -> mine == plannedSteps && step());
        }
    }

    private Duration findsTime() {
        int chance = calm ? 0 : dice.below(100);
        if (chance < 60) {
            return Duration.ZERO;
        }
        if (chance < 90) {
            return dice.shorterThan(Duration.ofMillis(20));
        }
        return dice.shorterThan(chance < 99 ? Duration.ofMillis(500) : Duration.ofSeconds(5));
    }

    private boolean step() {
        nextStep = Optional.empty();
        if (world.clock.now().isBefore(frozenUntil)) {
            return true; // so that it is planned anew, for then
        }
        World.Node up = node.orElseThrow();
        boolean slowFirst = !up.slow().isEmpty() && (calm || dice.oneIn(2));
        Optional<Runnable> next = slowFirst
                ? slowWork(up).or(up.reconciler()::takeWork)
                : up.reconciler().takeWork().or(() -> slowWork(up));
        next.ifPresent(task -> simulation.guarded(this, task));
        return next.isPresent();
    }

    /** Any of what takes long, as each has a thread of its own. */
    private Optional<Runnable> slowWork(World.Node up) {
        if (up.slow().isEmpty()) {
            return Optional.empty();
        }
        for (int turns = dice.below(up.slow().size()); turns > 0; turns--) {
            up.slow().add(up.slow().poll());
        }
        return Optional.of(up.slow().poll());
    }
}
