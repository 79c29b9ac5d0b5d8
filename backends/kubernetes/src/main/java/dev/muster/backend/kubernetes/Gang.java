package dev.muster.backend.kubernetes;

/**
 * Pods that an operator makes wait for each other's names in ways of its own before their programs' containers begin, so none may be done before all
 * have begun.
 */
final class Gang {
    private Gang() {}

    /** Whether the programs' containers of all members are there; true for a pod that no operator made. */
    static boolean isThere(PodSeen pod, PodWatch watch) {
        int members = pod.annotation(Labels.MEMBERS).map(Integer::parseInt).orElse(1);
        return !pod.has(Labels.ROLE)
                || watch.of(pod.job()).stream()
                                .filter(each ->
                                        each.key().attempt() == pod.key().attempt())
                                .filter(each -> each.programRuns() || each.programIsOver())
                                .count()
                        >= members;
    }
}
