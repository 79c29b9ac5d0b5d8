package dev.muster.backend.kubernetes;

/** Labels, annotations and other fixed words on the objects of a job. */
final class Labels {
    static final String PREFIX = "muster.dev/";

    /** Labels: which service made it, for which job. */
    static final String INSTANCE = PREFIX + "instance";

    static final String JOB = PREFIX + "job";
    static final String NAME = PREFIX + "name";

    /** Whom of its group a pod is now, in jobs that hold processes ready: by it the member's Service finds it. An annotation too. */
    static final String MEMBER = PREFIX + "member";

    /** Label of what lets an attempt begin once where it may be handed to a pod that is there: the pod that it is. */
    static final String POD = PREFIX + "pod";

    /** Annotations: which attempt a pod is, and what a service that did not make it has to know to go on with it. */
    static final String PROCESS = PREFIX + "process";

    static final String ATTEMPT = PREFIX + "attempt";
    static final String ADDRESS = PREFIX + "address";
    static final String JOIN = PREFIX + "join";
    static final String CHIEF = PREFIX + "chief";
    static final String CODE = PREFIX + "code";
    static final String DATA = PREFIX + "data";
    static final String RESUME = PREFIX + "resume";
    static final String MEMBERS = PREFIX + "members";
    static final String CLAIM = PREFIX + "claim";

    /** Its process is held ready to become an attempt. */
    static final String READY = PREFIX + "ready";

    /** Annotations of what the training operator made: the members of an object; role, first index and container of a template. */
    static final String PROCESSES = PREFIX + "processes";

    static final String ROLE = PREFIX + "role";
    static final String FIRST = PREFIX + "first";
    static final String CONTAINER = PREFIX + "container";

    /** Annotations that are set later: code and data are whole; Muster asked it to end; the log is fetched; all is fetched. */
    static final String DELIVERED = PREFIX + "delivered";

    static final String STOP = PREFIX + "stop";
    static final String TOLD = PREFIX + "told";
    /** Values of it: whether the pod was being deleted by then. */
    static final String TOLD_ALL = "all";

    static final String TOLD_WHEN_DELETED = "all, when deleted";
    static final String COLLECTED = PREFIX + "collected";

    /** What it was before it became the attempt that it is, see {@link Held}; the log of that is fetched. */
    static final String WAS = PREFIX + "was";

    static final String WAS_TOLD = PREFIX + "was-told";

    /** Why it was over before Muster ended it for that, a cause and a sentence: what is seen of it afterwards does not tell any more. */
    static final String OVER = PREFIX + "over";

    /** Keeps a pod that somebody deletes until its end is known. */
    static final String FINALIZER = PREFIX + "exit";

    /** The container that runs the program, and Muster's own. */
    static final String MAIN = "main";

    static final String SIDECAR = "muster";

    private Labels() {}
}
