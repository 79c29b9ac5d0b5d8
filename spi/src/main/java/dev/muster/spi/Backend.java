package dev.muster.spi;

import dev.muster.model.BackendKind;
import dev.muster.model.Capacity;
import dev.muster.model.JobId;
import dev.muster.model.JobSpec;
import dev.muster.model.LaunchPlan;
import dev.muster.model.Origin;
import dev.muster.model.Placement;
import dev.muster.model.Problem;
import dev.muster.model.ProcessKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Where processes run. Every effect is idempotent, because it may be executed again after a crash or a lost answer: what is asked
 * for a second time and is already so counts as done. Any thread may call; calls for one job never overlap.
 *
 * <p>What the service writes to the control folder of a job ({@link JobFolders#control}) reaches the job's processes soon.
 *
 * <p>A backend outlives the service in what it started: a new instance over the same place sees every process of the old one.
 */
public interface Backend extends AutoCloseable {
    BackendKind kind();

    /** What this backend cannot do for such a job, in plain words, each with its field; asked before a job is accepted. */
    List<Problem> check(JobSpec spec);

    /** All it can carry at once. A job that asks for more than this is refused, not queued. */
    Capacity capacity();

    /**
     * Whether its processes bring their Python with them, in an image, so that no environment is built by the service. Requirements
     * are then met by {@link #prepare}.
     */
    default boolean hasOwnPython() {
        return false;
    }

    /**
     * Whether each process of a group is started by itself. Where not, one order starts them all: it comes with the last of them, so none is held
     * back until others have joined but waits for them itself, and every restart is the group's.
     */
    default boolean startsSingly() {
        return true;
    }

    /**
     * How long exits of a group are collected before the failure is judged: as long as it may take until this backend knows what
     * became of every process.
     */
    default Duration settleWindow() {
        return Duration.ofSeconds(5);
    }

    /** How a job gets more shared memory, as the end of a sentence for a user whose program ran out of it. */
    String moreSharedMemory();

    /**
     * Makes ready what takes long and outlasts attempts, such as images and requirements installed for them. Runs beside other calls
     * for the job and may be interrupted; asked again, it goes on or finds all ready.
     *
     * @param progress is told what is being done, a line at a time
     */
    default void prepare(JobId job, JobSpec spec, Origin origin, Consumer<String> progress) throws BackendException {}

    /**
     * Gives every member its address, its ports and its GPUs. For the same job and group attempt the answer is the same as long as
     * it can be held; a member whose port was lost makes this fail with PortLost. Asked for the same attempt with other members, it
     * gives those who are new theirs, leaves what the others have as it is, and takes back what those had who are gone: an elastic group
     * grows and shrinks while it runs. A backend that refuses elastic jobs is not asked for that.
     *
     * @param attempt the group's attempt
     * @param plan    of those who are members now
     */
    Placement place(JobId job, int attempt, JobSpec spec, LaunchPlan plan) throws BackendException;

    /** A placement of the same form that nothing is reserved for, to show a plan before submission. */
    Placement sample(JobSpec spec, LaunchPlan plan);

    /** What exactly the process would be given; {@link #start} gives just that. Does nothing. */
    Rendered render(Launch launch);

    /**
     * Starts the attempt unless it was ever started. Returns once the start is claimed, so that no later call can start it again;
     * whether it runs is told by {@link #observe}.
     */
    void start(Launch launch) throws BackendException;

    /** Asks the attempt to end, or ends it with everything it started. What is over stays as it is. */
    void stop(ProcessKey key, StopHow how) throws BackendException;

    /**
     * Every attempt of the job that this backend knows, over or not. One is told to be over only when all that it wrote to its log and
     * to its report file is in the service's {@link JobFolders}, where it comes by itself, soon, while it runs. An end that was told is
     * never told otherwise, whoever removes what stood for the attempt.
     */
    List<Sighting> observe(JobId job) throws BackendException;

    /**
     * What tells why a running attempt does not go on: read without harm to it, kept as files in {@link JobFolders#evidence}, and
     * summed up. Takes at most 10 s, and may be called beside other calls for the job. A backend that cannot look into its processes
     * knows nothing.
     */
    default Evidence evidence(ProcessKey key) throws BackendException {
        return Evidence.NONE;
    }

    /**
     * Cores that each running attempt has wanted since the call before: time it ran or waited for a core, by the time that passed. One
     * that was not seen then is left out; a backend that cannot tell knows of none. Asked every few seconds while a group runs, so it is cheap.
     */
    default Map<ProcessKey, Double> wantedCores(JobId job) throws BackendException {
        return Map.of();
    }

    /** Ends whatever is left of the attempt, such as children its main process left behind. Returns when nothing is left. */
    void sweep(ProcessKey key) throws BackendException;

    /**
     * Returns when all that attempts which are over wrote to their model folders and to the checkpoint folder of the job is in
     * the service's {@link JobFolders}. Asked before a model is registered and before a checkpoint is chosen with nobody alive. What
     * running attempts write to the checkpoint folder comes there by itself, soon.
     */
    default void collect(JobId job) throws BackendException {}

    /** Gives back addresses, ports and GPUs of the job. No attempt of it may be alive. */
    void release(JobId job) throws BackendException;

    /** Forgets the job and removes every object it made for it, but no log, checkpoint or model. */
    void remove(JobId job) throws BackendException;

    /** Every job this backend has objects of; a job the store does not know is an orphan. */
    Set<JobId> jobs() throws BackendException;

    /** Calls {@code changed} soon after something about a job changed. A hint only: it may be late, doubled or missing. */
    void listen(Consumer<JobId> changed);

    /** Lets go of everything but what it started; that goes on. */
    @Override
    void close();

    /** How an attempt is ended. */
    enum StopHow {
        /** SIGTERM to its main process, which may save. */
        ASK,
        /** SIGKILL to everything that belongs to the attempt. */
        KILL
    }
}
