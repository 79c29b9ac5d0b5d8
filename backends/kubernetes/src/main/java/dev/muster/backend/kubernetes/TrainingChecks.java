package dev.muster.backend.kubernetes;

import dev.muster.model.JobSpec;
import dev.muster.model.Options;
import dev.muster.model.Problem;
import dev.muster.model.RestartPolicy;
import dev.muster.model.RestartScope;
import java.util.ArrayList;
import java.util.List;

/** What the training operator cannot do for a job that Muster runs by it, besides what pods cannot. */
final class TrainingChecks {
    private TrainingChecks() {}

    static List<Problem> of(JobSpec spec) {
        List<Problem> problems = new ArrayList<>();
        TrainingKind.of(spec.framework())
                .ifPresentOrElse(
                        kind -> ManifestChecks.operator(kind, spec, problems),
                        () -> problems.add(Problem.of(
                                "framework",
                                "backend kubeflow runs tensorflow (TFJob), pytorch (PyTorchJob) and mpi (MPIJob), not "
                                        + spec.framework().text(),
                                "write backend: kubernetes")));
        if (spec.options().network().map(Options.Network::hostNetwork).orElse(false)) {
            problems.add(Problem.of(
                    "network.hostNetwork",
                    "members of an operator's job all have the same port, so two of them could not share a host",
                    "remove it, or write backend: kubernetes"));
        }
        if (spec.elastic().isPresent()) {
            problems.add(Problem.of(
                    "elastic",
                    "an operator's job has the number of pods it was made with, and its failed pods are replaced all together",
                    "remove elastic, or write backend: kubernetes"));
        }
        int index = 0;
        for (RestartPolicy.Rule rule : spec.restart().rules()) {
            if (rule.scope() == RestartScope.PROCESS || rule.scope() == RestartScope.ROLE) {
                problems.add(Problem.of(
                        "restart.rules[" + index + "].scope",
                        "an operator's job is started anew as a whole",
                        "write scope: group"));
            }
            index++;
        }
        return problems;
    }
}
