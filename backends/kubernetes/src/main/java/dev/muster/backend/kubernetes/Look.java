package dev.muster.backend.kubernetes;

import dev.muster.formats.proc.Accounts;
import dev.muster.formats.proc.Looked;
import dev.muster.model.Cause;
import dev.muster.model.ProcessKey;
import dev.muster.spi.BackendException;
import dev.muster.spi.BackendException.Kind;
import dev.muster.spi.Evidence;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A look at why the processes of a pod do not go on, by a script that runs beside them in their container with no more rights than they have. Its
 * tools are Muster's BusyBox, so the image needs none. Process ids are the container's.
 *
 * @param freshName makes words that nobody in the pod knows
 */
record Look(Cluster cluster, Supplier<String> freshName) {
    private static final Duration LONGEST = Duration.ofSeconds(9);

    /** What the script calls by name. */
    private static final String TOOLS = Stream.of("ls", "readlink", "sleep", "tr", "wc", "tail", "head", "timeout")
            .map(tool -> tool + "() { " + PodPaths.BUSYBOX + " " + tool + " \"$@\"; }\n")
            .collect(Collectors.joining());

    /** Nothing where there is no pod, or its program does not run. */
    Evidence of(Optional<PodSeen> seen, ProcessKey key, Path folder) throws BackendException {
        Optional<PodSeen> running = seen.filter(PodSeen::programRuns);
        if (running.isEmpty()) {
            return Evidence.NONE;
        }
        PodSeen pod = running.get();
        String boundary = "look-" + freshName.get();
        byte[] told = cluster.exec(pod.name(), pod.container()).output(LONGEST, command(boundary));
        Accounts accounts = Looked.parse(boundary, new String(told, StandardCharsets.ISO_8859_1))
                .accounts(PodPaths.BUSYBOX);
        try {
            accounts.write(folder);
        } catch (IOException failed) {
            throw new BackendException(
                    Kind.FAILED,
                    Cause.INTERNAL,
                    "what " + key.name() + " does could not be written to " + folder + ": " + failed.getMessage(),
                    failed);
        }
        return Evidence.of(accounts);
    }

    private static String[] command(String boundary) {
        List<String> inAnyContainer = Looked.command(boundary, PodPaths.ROOT, PodPaths.PID);
        List<String> words = inAnyContainer.subList(inAnyContainer.indexOf("-c") + 1, inAnyContainer.size());
        return Stream.of(
                        Stream.of(PodPaths.BUSYBOX, "sh", "-c", TOOLS + words.getFirst()),
                        words.stream().skip(1))
                .flatMap(each -> each)
                .toArray(String[]::new);
    }
}
