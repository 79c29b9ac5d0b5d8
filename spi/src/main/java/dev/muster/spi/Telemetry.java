package dev.muster.spi;

import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import dev.muster.model.Progress;
import dev.muster.model.RestartPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What processes say: their logs, report lines and files, TensorBoard event files. Reading never disturbs a process, and nothing a
 * process says decides its success. Any thread may call.
 */
public interface Telemetry extends AutoCloseable {
    /**
     * Begins, or goes on, to follow what the attempt says. Called before it is started, so that nothing is missed of one that is over at once; what is
     * followed anew, or only when it is over, is read from where the last service that followed it left off.
     *
     * @param chief whether its progress is the job's; of several such, the one that reports
     */
    void follow(ProcessKey key, boolean chief);

    /** Reads what is there to the end and stops following. Called when the attempt is over; nothing is read of one that is not followed. */
    void finish(ProcessKey key);

    /** What is known of the job's current attempts. */
    Signs signs(JobId job);

    /** Searches the last part (1 MiB) of the log of an ended attempt. */
    LogFindings examine(ProcessKey key, List<RestartPolicy.Rule> rules);

    /** Calls {@code changed} soon after signs of a job changed, at most a few times a second a job. */
    void listen(Consumer<JobId> changed);

    /** Forgets the job. */
    void forget(JobId job);

    @Override
    void close();

    /**
     * Signs of life and progress of a job.
     *
     * @param reported    attempts that have sent a report
     * @param lastOutput  when each attempt last said anything
     * @param progress    of the chief
     * @param badRecords  sum over all attempts of the bad records each last reported
     * @param checkpoints names that were reported whole, oldest first
     * @param paces       how attempts that report steps go on; one that is not there is not known to report any
     * @param refusals    what was wrong with reports of each attempt, a sentence a kind, the first few kinds, and what its launcher told of the ranks below
     *                    it; not kept over services
     */
    record Signs(
            Set<ProcessKey> reported,
            Map<ProcessKey, Instant> lastOutput,
            Progress progress,
            long badRecords,
            List<String> checkpoints,
            Map<ProcessKey, Pace> paces,
            Map<ProcessKey, List<String>> refusals) {
        public static final Signs NONE = new Signs(Set.of(), Map.of(), Progress.NONE, 0, List.of());

        public Signs {
            reported = Set.copyOf(reported);
            lastOutput = Map.copyOf(lastOutput);
            checkpoints = List.copyOf(checkpoints);
            paces = Map.copyOf(paces);
            refusals = Map.copyOf(refusals);
        }

        /** Signs of processes whose steps are not told one by one. */
        public Signs(
                Set<ProcessKey> reported,
                Map<ProcessKey, Instant> lastOutput,
                Progress progress,
                long badRecords,
                List<String> checkpoints) {
            this(reported, lastOutput, progress, badRecords, checkpoints, Map.of(), Map.of());
        }
    }

    /**
     * How one attempt goes on, by its own reports.
     *
     * @param step   its last step
     * @param at     when that step was first seen
     * @param total  steps in all, where it says so
     * @param rhythm what is usual; empty until two steps were seen
     */
    record Pace(long step, Instant at, OptionalLong total, Optional<Rhythm> rhythm) {}

    /**
     * What was usual of late.
     *
     * @param step    time of a step, the median
     * @param every   time from one report of a step to the next, the median
     * @param longest the longest time from one report of a step to the next, of all the attempt
     * @param reports how many of these times there were
     */
    record Rhythm(Duration step, Duration every, Duration longest, long reports) {}

    /**
     * What the log of an ended process tells.
     *
     * @param diskFull   it says "No space left on device"
     * @param peerKilled it says, in the words of torchrun, horovodrun or mpirun, that a child of it was killed
     * @param peerLost   it ends with words that say that a peer is gone, so that this one's end is likely to follow from the peer's
     * @param rules      indexes of the given rules whose pattern is found
     * @param sharedMemoryFull it says that shared memory is used up
     * @param lastLines  the last lines, up to the one that tells the error where one does, for the reason shown to a user
     */
    record LogFindings(
            boolean diskFull,
            boolean peerKilled,
            boolean peerLost,
            Set<Integer> rules,
            boolean sharedMemoryFull,
            List<String> lastLines) {
        public static final LogFindings NONE = new LogFindings(false, false, false, Set.of(), List.of());

        /** Findings that tell nothing of shared memory. */
        public LogFindings(
                boolean diskFull, boolean peerKilled, boolean peerLost, Set<Integer> rules, List<String> lastLines) {
            this(diskFull, peerKilled, peerLost, rules, false, lastLines);
        }

        public LogFindings {
            rules = Set.copyOf(rules);
            lastLines = List.copyOf(lastLines);
        }

        /** The last line that says something to a reader: one that has a letter or a digit and is no report. */
        public Optional<String> lastLine() {
            return lastLines.reversed().stream()
                    .filter(line -> line.chars().anyMatch(Character::isLetterOrDigit) && !line.startsWith("::muster::"))
                    .findFirst();
        }
    }
}
