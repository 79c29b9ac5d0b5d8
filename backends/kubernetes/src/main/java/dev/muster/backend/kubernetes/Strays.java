package dev.muster.backend.kubernetes;

import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessName;
import dev.muster.spi.BackendException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Pods that lost their labels while no service lived to give them these again: looked for once by a service, and known by their names, of which each
 * is that of one attempt. Any thread may call.
 */
final class Strays {
    private static final Logger LOG = System.getLogger(Strays.class.getName());

    private final Cluster cluster;
    private final PodWatch watch;
    private Optional<Map<String, Map<String, String>>> left = Optional.empty();

    Strays(Cluster cluster, PodWatch watch) {
        this.cluster = cluster;
        this.watch = watch;
    }

    /** Gives those of the job their labels again; all that are there are known when it returns. */
    synchronized void adopt(JobId job) throws BackendException {
        if (left.isEmpty()) {
            left = Optional.of(cluster.unmarked());
        }
        for (Map.Entry<String, Map<String, String>> stray : new HashMap<>(left.get()).entrySet()) {
            String name = stray.getKey();
            if (isOf(job, name, stray.getValue())) {
                LOG.log(Level.WARNING, name + " lost its labels while no service lived, and is given them again");
                cluster.mark(name, job, Optional.ofNullable(stray.getValue().get(Labels.MEMBER)));
                cluster.pod(name).ifPresent(watch::known);
                left.get().remove(name);
            }
        }
    }

    private static boolean isOf(JobId job, String pod, Map<String, String> annotations) {
        try {
            // One that was held ready has the name of what it was.
            Optional<ProcessKey> before = Optional.ofNullable(annotations.get(Labels.WAS))
                    .flatMap(text -> Held.parse(job, text))
                    .map(Held::key);
            return before.or(() -> ProcessName.parse(annotations.getOrDefault(Labels.PROCESS, ""))
                            .map(name -> new ProcessKey(job, name, Integer.parseInt(annotations.get(Labels.ATTEMPT)))))
                    .filter(key -> Names.pod(key).equals(pod))
                    .isPresent();
        } catch (IllegalArgumentException foreign) {
            return false;
        }
    }
}
