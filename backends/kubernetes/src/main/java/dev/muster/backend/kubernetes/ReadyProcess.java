package dev.muster.backend.kubernetes;

import dev.muster.model.Cause;
import dev.muster.model.ProcessKey;
import dev.muster.spi.BackendException;
import dev.muster.spi.BackendException.Kind;
import dev.muster.spi.HeldReady;
import dev.muster.spi.HeldReady.Written;
import dev.muster.spi.Launch;
import dev.muster.spi.Rendered;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is said to a pod whose process is held ready: {@code take.sh} says it there, {@code standby.py} of the frameworks listens. */
record ReadyProcess(KubernetesConfig config, Cluster cluster) {
    private static final String STATE = PodPaths.ROOT + "/state/";
    private static final String PIPE = PodPaths.CODE + "/" + HeldReady.PIPE;
    private static final String END = "whole";
    private static final String READY = "ready";
    private static final Duration ANSWER = Duration.ofSeconds(5);

    /** Where the folder of its Python is, where one was made for it, and the variables of its container. */
    private static final String PROBE = """
            b=/muster/bin/busybox s=/muster/state p=
            [ -p "$1" ] && [ ! -e $s/taken ] || exit 0
            [ ! -e $s/python ] || read -r p <$s/python
            printf 'ready%s\\0' "$p"
            $b cat /proc/1/environ""";

    /** What the folder holds may have been told to an earlier attempt. */
    private static final String NO_CONTROL = "[ -e " + STATE + "before ] || rm -f " + PodPaths.CONTROL + "/*";

    /** Whether it is held ready now. */
    boolean isThere(PodSeen pod) throws BackendException {
        return probe(pod).isPresent();
    }

    /** The variables of every program in the pod; empty where nobody is held ready. */
    private Optional<Map<String, String>> probe(PodSeen pod) throws BackendException {
        byte[] said = cluster.exec(pod.name(), pod.container())
                .output(ANSWER, PodPaths.BUSYBOX, "sh", "-c", PROBE, "muster", PIPE);
        String text = new String(said, StandardCharsets.UTF_8);
        return text.startsWith(READY) ? Optional.of(variables(text.substring(READY.length()))) : Optional.empty();
    }

    /** As a pod's shim gives them, see {@link LaunchText}. */
    static Map<String, String> variables(String probed) {
        String[] parts = probed.split("\0", -1);
        Map<String, String> env = new HashMap<>();
        for (int at = 1; at < parts.length; at++) {
            int equals = parts[at].indexOf('=');
            if (equals > 0) {
                env.put(parts[at].substring(0, equals), parts[at].substring(equals + 1));
            }
        }
        env.keySet().removeAll(LaunchText.ADDED_BY_SHELLS);
        if (!parts[0].isEmpty()) {
            env.put("VIRTUAL_ENV", parts[0]);
        }
        return env;
    }

    /** Has the pod find what the job's folders hold now, and the checkpoint that the attempt is to resume from. */
    void furnish(PodSeen pod, Launch launch) throws BackendException {
        Exec sidecar = cluster.exec(pod.name(), Labels.SIDECAR);
        sidecar.run("sh", "-c", NO_CONTROL);
        ControlFolder.push(config.folders().control(pod.job()), Map.of(), sidecar);
        CheckpointSync checkpoints = CheckpointSync.of(pod, sidecar, config.folders(), config.clock());
        checkpoints.look();
        checkpoints.fetch();
        checkpoints.bring();
        Path folder = config.folders().checkpoints(pod.job());
        if (pod.has(Labels.CLAIM) && launch.resumeFrom().isPresent()) {
            Path entry = folder.relativize(Path.of(launch.resumeFrom().get())).getName(0);
            Delivery.restore(sidecar, entry.toString(), folder);
        }
    }

    /** When the process became the attempt, as it is told to now or was before; empty where it never will. */
    Optional<Instant> order(PodSeen pod, Launch launch, Rendered rendered) throws BackendException {
        ProcessKey key = launch.key();
        Map<String, String> env = probe(pod).orElse(Map.of());
        HeldReady lines = lines(key, with(env, rendered));
        String order = lines.order() + END;
        String said = cluster.exec(pod.name(), pod.container())
                .answer(
                        order,
                        PodPaths.BUSYBOX,
                        "sh",
                        "-c",
                        Objects.text("take.sh"),
                        "muster",
                        Names.pod(key),
                        lines.claim().strip(),
                        Integer.toString(order.getBytes(StandardCharsets.UTF_8).length),
                        launch.placement().hosts().getOrDefault(PodForm.member(launch), ""),
                        pod.address().orElse(""));
        if (said.equals("never")) {
            return Optional.empty();
        }
        return Optional.of(time(said, pod));
    }

    /** The same of one whose program is over. */
    Optional<Instant> takenBefore(PodSeen pod, ProcessKey key) throws BackendException {
        String claim = STATE + "is." + Names.pod(key);
        String said = cluster.exec(pod.name(), Labels.SIDECAR)
                .text(
                        "sh",
                        "-c",
                        "[ \"$(cat \"$1\" 2>/dev/null)\" = \"$2\" ] || { echo never; exit 0; };"
                                + " echo \"taken $(TZ=UTC0 stat -c %y \"$1\")\"",
                        "sh",
                        claim,
                        Names.pod(key))
                .strip();
        return said.equals("never") ? Optional.empty() : Optional.of(time(said, pod));
    }

    private static Instant time(String said, PodSeen pod) throws BackendException {
        return Optional.of(said)
                .filter(text -> text.startsWith("taken "))
                .flatMap(text -> Ending.time(text.substring("taken ".length())))
                .orElseThrow(() -> new BackendException(
                        Kind.NO_CONTACT, Cause.INTERNAL, "pod " + pod.name() + " answers what is not known: " + said));
    }

    static Rendered with(Map<String, String> container, Rendered rendered) {
        Map<String, String> env = new HashMap<>(container);
        env.putAll(rendered.env());
        if (container.containsKey("VIRTUAL_ENV")) {
            env.put("PATH", container.get("VIRTUAL_ENV") + "/bin:" + env.getOrDefault("PATH", ""));
        }
        return new Rendered(rendered.argv(), env, rendered.files());
    }

    /** Whether the order fits into a pipe, but for the variables of the pod's container. */
    static boolean fits(Launch launch, Rendered rendered) {
        return lines(launch.key(), rendered).fits();
    }

    private static HeldReady lines(ProcessKey key, Rendered rendered) {
        List<Written> files = new ArrayList<>();
        rendered.files().forEach((name, text) -> files.add(new Written(PodPaths.CODE + "/" + name, text)));
        files.add(new Written(STATE + "taken", Names.pod(key)));
        return HeldReady.of(
                new Written(STATE + "is." + Names.pod(key), Names.pod(key) + "\n"),
                rendered,
                PodPaths.ROOT + "/log",
                PodPaths.CODE,
                files);
    }
}
