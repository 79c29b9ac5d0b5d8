package dev.muster.backend.kubernetes;

import dev.muster.model.JobSpec;
import dev.muster.model.Problem;
import dev.muster.model.RoleSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What of a job a kind of manifest cannot say. */
final class ManifestChecks {
    private static final String EVALUATOR = "evaluator";

    private ManifestChecks() {}

    static List<Problem> of(ManifestKind kind, JobSpec spec) {
        List<Problem> problems = new ArrayList<>();
        kind.training().ifPresentOrElse(training -> operator(training, spec, problems), () -> pods(spec, problems));
        images(spec, problems);
        spec.elastic()
                .ifPresent(block -> problems.add(Problem.of(
                        "elastic",
                        "a manifest has a fixed number of pods",
                        "remove elastic, or let Muster run the job")));
        if (spec.standby() > 0) {
            problems.add(Problem.of(
                    "standby",
                    "nobody who applies a manifest hands a place to a process that is held ready",
                    "remove standby, or let Muster run the job"));
        }
        Checks.onePerPod(spec, problems);
        BlockTypes.check(Block.of(spec), problems);
        return problems;
    }

    /** What holds for an object of the operator, whoever makes it. */
    static void operator(TrainingKind kind, JobSpec spec, List<Problem> problems) {
        if (spec.framework() != kind.framework()) {
            String fits = TrainingKind.of(spec.framework())
                    .map(other -> other.kind() + " does")
                    .orElse("none of TFJob, PyTorchJob and MPIJob does; backend: kubernetes runs it");
            problems.add(Problem.of(
                    "framework",
                    kind.kind() + " runs " + kind.framework().text() + ", not "
                            + spec.framework().text(),
                    fits));
            return;
        }
        spec.roles().keySet().stream()
                .filter(role -> !kind.hasRole(role))
                .sorted()
                .forEach(role -> problems.add(Problem.of(
                        "roles." + role,
                        kind.kind() + " has no such replicas",
                        "leave the role out; backend: kubernetes has sidecars")));
        if (spec.everyRole().containsKey(EVALUATOR) && !spec.options().evaluatorInCluster()) {
            problems.add(Problem.of(
                    "tensorflow.evaluatorInCluster",
                    "the training operator lists the evaluator in everybody's TF_CONFIG",
                    "write tensorflow: {evaluatorInCluster: true}, or leave the evaluator out"));
        }
        if (spec.options().sparseCluster()) {
            problems.add(Problem.of(
                    "tensorflow.sparseCluster",
                    "the training operator writes the same TF_CONFIG for all",
                    "remove sparseCluster"));
        }
        if (!Character.isLetter(spec.name().charAt(0))) {
            problems.add(Problem.of(
                    "name",
                    spec.name() + " begins with a digit, which no " + kind.kind() + " may",
                    "begin with a letter"));
        }
    }

    private static void pods(JobSpec spec, List<Problem> problems) {
        Optional<String> companion = spec.framework().companion();
        companion.ifPresent(role -> problems.add(Problem.of(
                "framework",
                spec.framework().text() + " jobs have a process " + role
                        + "-0 that Muster brings, which pods alone cannot",
                TrainingKind.of(spec.framework())
                        .map(kind -> "write it as " + kind.kind().toLowerCase(Locale.ROOT))
                        .orElse("let Muster run it: backend: kubernetes"))));
    }

    private static void images(JobSpec spec, List<Problem> problems) {
        Map<String, RoleSpec> roles = spec.roles();
        boolean none = roles.values().stream()
                .allMatch(role -> role.environment().image().isEmpty());
        roles.forEach((name, role) -> {
            String field = none ? "environment.image" : "roles." + name + ".environment.image";
            boolean told = problems.stream().anyMatch(problem -> problem.field().equals(field));
            if (role.environment().image().isEmpty() && !told) {
                problems.add(Problem.of(
                        field, "pods are made of a container image", "write environment: {image: REGISTRY/NAME:TAG}"));
            }
        });
    }
}
