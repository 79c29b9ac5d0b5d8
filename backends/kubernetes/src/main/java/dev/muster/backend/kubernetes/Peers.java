package dev.muster.backend.kubernetes;

import dev.muster.backend.kubernetes.PodSeen.ContainerState.Terminated;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The other members of a pod's job: their names may be asked for as soon as the program runs, so it starts once they are there, or have been
 * waited for long enough. Not thread-safe.
 *
 * @see Delivery#go
 */
final class Peers {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Of how many members the names are waited for: that of the pod itself, and the first ones. */
    private static final int NAMES = 32;

    private final PodWatch watch;
    private Optional<Instant> awaited = Optional.empty();

    Peers(PodWatch watch) {
        this.watch = watch;
    }

    /** Whether each member has a pod with an address, or did what it had to; true in any case some time after the first call. */
    boolean areThere(PodSeen pod, Instant now) {
        Instant begun = awaited.orElse(now);
        awaited = Optional.of(begun);
        int members = pod.annotation(Labels.MEMBERS).map(Integer::parseInt).orElse(1);
        long there = watch.of(pod.job()).stream()
                .filter(each -> isLive(each) || isDone(each))
                .flatMap(each -> name(each).stream())
                .distinct()
                .count();
        return there >= members || now.isAfter(begun.plus(PATIENCE));
    }

    /** The names that can be resolved once the cluster's name server is up to date, the pod's own first. */
    List<String> names(PodSeen pod) {
        Stream<PodSeen> others = watch.of(pod.job()).stream().filter(Peers::isLive);
        return Stream.concat(Stream.of(pod), others)
                .flatMap(each -> name(each).stream())
                .distinct()
                .limit(NAMES)
                .toList();
    }

    private static boolean isLive(PodSeen pod) {
        return pod.address().isPresent()
                && !pod.isOver()
                && !pod.programIsOver()
                && pod.deleted().isEmpty();
    }

    private static boolean isDone(PodSeen pod) {
        return pod.main() instanceof Terminated end && end.code() == 0;
    }

    private static Optional<String> name(PodSeen pod) {
        return pod.annotation(Labels.ADDRESS).filter(name -> !name.isEmpty() && !pod.isHeldReady());
    }
}
