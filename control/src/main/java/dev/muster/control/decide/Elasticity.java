package dev.muster.control.decide;

import dev.muster.model.Amount;
import dev.muster.model.Attempt;
import dev.muster.model.Elastic;
import dev.muster.model.JobSpec;
import dev.muster.model.JobState;
import dev.muster.model.Member;
import dev.muster.model.ProcessState;
import dev.muster.model.RestartScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is different for the workers of an elastic group. The specification says how many there are to be; the record has those that are
 * there. Who is beyond that number leaves: asked to end, not judged, and off the record once nothing of it is left and what it held is given
 * back. Who is lacking is admitted like a job, when there is room. And as long as {@code elastic.min} of them stand, the job goes on without a
 * worker for which no restart is left.
 */
public final class Elasticity {
    private Elasticity() {}

    private static boolean isWorker(Turn turn, Attempt attempt) {
        return turn.spec().elastic().isPresent() && attempt.name().role().equals(JobSpec.WORKER);
    }

    /** Whether it is a worker beyond the number that is asked for. One whose failure stops the group is judged first. */
    static boolean leaves(Turn turn, Attempt attempt) {
        return isWorker(turn, attempt)
                && attempt.name().index() >= turn.spec().role(JobSpec.WORKER).count()
                && !(Attempts.failed(attempt) && isStoppedTogether(turn));
    }

    /** Whether the group is being stopped as a whole: what its workers meet at was asked to end. */
    static boolean isStoppedTogether(Turn turn) {
        return turn.state() != JobState.RESTARTING
                && meetingPoints(turn).anyMatch(other -> other.stopAsked().isPresent());
    }

    /** What stands whoever comes and goes: the companion, or parameter servers. */
    private static Stream<Attempt> meetingPoints(Turn turn) {
        return turn.processes().stream().filter(other -> turn.plan(other).essential() || turn.parameterServer(other));
    }

    /** Whether the group does without it: it leaves, is not started, has left as it was asked to, or is lost for good. */
    static boolean absent(Turn turn, Attempt attempt) {
        return isWorker(turn, attempt)
                && (leaves(turn, attempt)
                        || attempt.state() == ProcessState.WAITING
                        || hasLeft(turn, attempt)
                        || isGivenUp(turn, attempt));
    }

    /** Whether it left and is asked for again since. Those of a group that is stopped to begin anew have not left. */
    private static boolean hasLeft(Turn turn, Attempt attempt) {
        return attempt.state().isOver()
                && turn.state() != JobState.RESTARTING
                && meetingPoints(turn)
                        .allMatch(
                                other -> turn.alive(other) && other.stopAsked().isEmpty())
                && attempt.stopAsked().isPresent()
                && !Attempts.failed(attempt)
                && !Attempts.endedWell(attempt);
    }

    /** Whether it was lost when no restart was left, and enough others stand. What failed for another reason fails the job. */
    static boolean isGivenUp(Turn turn, Attempt attempt) {
        return isWorker(turn, attempt)
                && Attempts.failed(attempt)
                && turn.state() != JobState.RESTARTING
                && turn.seen.done().findings().containsKey(turn.key(attempt))
                && turn.draft.restarts >= turn.spec().restart().max()
                && isLoss(Verdict.of(turn, attempt))
                && enough(turn, false);
    }

    private static boolean isLoss(Verdict verdict) {
        return verdict.restart() && verdict.counted() && verdict.scope() == RestartScope.PROCESS;
    }

    /**
     * Whether as many workers stand as it takes: alive or ended well.
     *
     * @param joined whether only those count that have joined
     */
    static boolean enough(Turn turn, boolean joined) {
        return turn.spec()
                .elastic()
                .map(Elastic::min)
                .filter(min -> standing(turn, joined) >= min)
                .isPresent();
    }

    private static long standing(Turn turn, boolean joined) {
        return turn.processes().stream()
                .filter(attempt -> isWorker(turn, attempt) && !leaves(turn, attempt))
                .filter(attempt -> Attempts.endedWell(attempt)
                        || turn.alive(attempt) && attempt.stopAsked().isEmpty())
                .filter(attempt -> !joined || attempt.joined())
                .count();
    }

    /** Ends those who leave, and takes off the record those who have left. */
    static void letGo(Turn turn) {
        if (turn.spec().elastic().isEmpty()) {
            return;
        }
        for (int index = turn.processes().size() - 1; index >= 0; index--) {
            Attempt attempt = turn.processes().get(index);
            if (leaves(turn, attempt)) {
                Stops.one(turn, index, turn.now);
            }
            attempt = turn.processes().get(index);
            boolean goes = leaves(turn, attempt) || isWorker(turn, attempt) && hasLeft(turn, attempt);
            // Its end is on record before it goes off it.
            if (goes && turn.gone(attempt) && turn.job().processes().contains(attempt)) {
                remove(turn, index);
            }
        }
    }

    private static void remove(Turn turn, int index) {
        Attempt attempt = turn.processes().get(index);
        Member member = attempt.name().member();
        // Where all was given back already, placing those who stay would take it again.
        boolean held = turn.draft.placement.hosts().containsKey(member)
                && !turn.seen.done().released();
        if (held && !turn.seen.done().withdrawn().contains(turn.key(attempt))) {
            turn.act(new Effect.Withdraw(turn.key(attempt)));
            return;
        }
        turn.draft.placement = turn.draft.placement.without(member);
        turn.draft.processes.remove(index);
    }

    /** Who is lacking on the record of a running group: the numbers of workers to be started. */
    public static List<Integer> lacking(JobSpec spec, List<Attempt> processes) {
        List<Integer> lacking = new ArrayList<>();
        if (spec.elastic().isPresent()) {
            for (int index = 0; index < spec.role(JobSpec.WORKER).count(); index++) {
                int number = index;
                boolean there = processes.stream()
                        .anyMatch(attempt -> attempt.name().role().equals(JobSpec.WORKER)
                                && attempt.name().index() == number);
                if (!there) {
                    lacking.add(number);
                }
            }
        }
        return lacking;
    }

    /** How many workers a job has on record, or is to have while none is there. */
    public static int workers(JobSpec spec, List<Attempt> processes) {
        int there = (int) processes.stream()
                .filter(attempt -> attempt.name().role().equals(JobSpec.WORKER))
                .map(attempt -> attempt.name().index())
                .distinct()
                .count();
        return there > 0 ? there : spec.role(JobSpec.WORKER).count();
    }

    /**
     * Goes on with those who are there, when others could not be started: the group is to be only as large as it is. False when they are not
     * enough, when one is lacking in their midst, or when it is no worker that is lacking, such as the chief.
     */
    static boolean goOnWithout(Turn turn, String why) {
        if (!enough(turn, true) || !onlyWorkersLack(turn)) {
            return false;
        }
        List<Attempt> waiting = turn.processes().stream()
                .filter(attempt -> isWorker(turn, attempt) && !leaves(turn, attempt) && isUnstarted(turn, attempt))
                .toList();
        int count = turn.spec().role(JobSpec.WORKER).count();
        boolean last = waiting.stream().allMatch(attempt -> attempt.name().index() >= count - waiting.size());
        if (!last) {
            return false;
        }
        turn.draft.spec = turn.spec().withWorkers(count - waiting.size());
        turn.draft.cause = Optional.empty();
        turn.draft.reason = Optional.of("goes on with " + Amount.workers(standing(turn, true)) + ": " + why);
        return true;
    }

    private static boolean onlyWorkersLack(Turn turn) {
        return turn.processes().stream()
                .filter(attempt -> StartingStep.mustJoin(turn, attempt) && !isWorker(turn, attempt))
                .allMatch(attempt -> attempt.joined() || Attempts.endedWell(attempt));
    }

    private static boolean isUnstarted(Turn turn, Attempt attempt) {
        return attempt.state() == ProcessState.WAITING || turn.awaitsStart(attempt);
    }

    /** Says that it waits for workers, or that it goes on without some. */
    static void tell(Turn turn) {
        if (turn.spec().elastic().isEmpty()) {
            return;
        }
        List<Attempt> lost = turn.processes().stream()
                .filter(attempt -> isGivenUp(turn, attempt))
                .toList();
        if (!lost.isEmpty()) {
            Attempt first = lost.getFirst();
            turn.draft.because(
                    first.exit().flatMap(Attempt.Exit::cause).orElseThrow(),
                    first.exit().flatMap(Attempt.Exit::reason).orElseThrow() + " (goes on without " + names(lost)
                            + ": restart.max is " + turn.spec().restart().max() + ")");
        } else if (turn.state() == JobState.STARTING
                && turn.processes().stream().anyMatch(attempt -> isWorker(turn, attempt) && attempt.joined())
                && !enough(turn, true)) {
            turn.draft.cause = Optional.empty();
            turn.draft.reason = Optional.of(Amount.of(standing(turn, true), "worker is", "workers are")
                    + " there and elastic.min is "
                    + turn.spec().elastic().orElseThrow().min() + ": waits for "
                    + names(turn.processes().stream()
                            .filter(attempt -> isWorker(turn, attempt) && !attempt.joined())
                            .toList()));
        }
    }

    private static String names(List<Attempt> attempts) {
        return attempts.stream().map(attempt -> attempt.name().toString()).collect(Collectors.joining(", "));
    }
}
