package dev.muster.backend.kubernetes;

import dev.muster.model.Command;
import dev.muster.model.EnvironmentSpec;
import dev.muster.model.JobSpec;
import dev.muster.model.LaunchPlan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What somebody who applies a manifest has to see to himself, as Muster would have done it. */
final class ManifestNotes {
    private ManifestNotes() {}

    static List<String> of(ManifestKind kind, JobSpec spec, LaunchPlan plan, Set<String> leftOut) {
        List<String> notes = new ArrayList<>();
        notes.add("Job " + spec.name() + " as " + kind.text() + ", written by muster export. Apply it with kubectl.");
        if (spec.code().isPresent()) {
            notes.add("code: the image has to hold it, in its working folder.");
        }
        spec.data().forEach((name, place) -> notes.add("data." + name + data(spec, place)));
        if (!spec.secrets().isEmpty()) {
            StringBuilder line =
                    new StringBuilder("secrets: kubectl create secret generic " + ManifestEnv.secret(spec));
            spec.secrets().keySet().stream().sorted().forEach(name -> line.append(" --from-literal=" + name + "=..."));
            notes.add(line.toString());
        }
        boolean requirements =
                pythons(spec).anyMatch(python -> python.requirements().isPresent());
        if (requirements) {
            notes.add("environment.python.requirements: the image has to hold them.");
        }
        boolean chosen = pythons(spec).anyMatch(python -> python.interpreter().isPresent() || python.systemPackages());
        if (chosen) {
            notes.add("environment.python: the image's own python3, with what is installed for it, runs the job.");
        }
        if (spec.model().isPresent() && mounted(spec, PodPaths.MODEL).isEmpty()) {
            notes.add(
                    "model: stays in " + PodPaths.MODEL + " of the first pod, which goes with it; mount a volume there"
                            + " (kubernetes.volumes) to keep it.");
        }
        if (Block.of(spec).text("checkpointClaim").isEmpty()
                && mounted(spec, PodPaths.CHECKPOINTS).isEmpty()) {
            notes.add("checkpoints: " + PodPaths.CHECKPOINTS
                    + " goes with its pod; name a kubernetes.checkpointClaim to keep" + " and share it.");
        }
        boolean shell = spec.everyRole().values().stream().anyMatch(role -> role.command() instanceof Command.Shell);
        if (shell) {
            notes.add("command: goes through the image's sh, without pipefail.");
        }
        if (spec.restart().max() > 0) {
            notes.add("restart: nothing here starts a failed pod again.");
        }
        if (!leftOut.isEmpty()) {
            notes.add("Not set, as they differ from pod to pod: " + String.join(", ", leftOut) + ".");
        }
        return notes;
    }

    private static Stream<EnvironmentSpec.Python> pythons(JobSpec spec) {
        return spec.everyRole().values().stream().flatMap(role -> role.environment().python().stream());
    }

    private static String data(JobSpec spec, String place) {
        return mounted(spec, place)
                .map(volume -> ": has to be in volume " + volume.get("name") + ", which is mounted at "
                        + volume.get("mountPath") + ".")
                .orElse(": the pods have to find it at " + place + "; kubernetes.volumes of the job mounts it there.");
    }

    /** The volume of the job's own that holds the path. */
    private static Optional<Map<?, ?>> mounted(JobSpec spec, String path) {
        return Block.of(spec)
                .volumes()
                .filter(volume -> path.startsWith("/")
                        && Path.of(path).normalize().startsWith(String.valueOf(volume.get("mountPath"))))
                .findFirst();
    }
}
