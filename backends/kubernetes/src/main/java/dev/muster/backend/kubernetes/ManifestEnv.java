package dev.muster.backend.kubernetes;

import dev.muster.model.JobSpec;
import dev.muster.model.Part;
import dev.muster.model.ProcessPlan;
import dev.muster.model.Template;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The variables of a template's container: those that all its pods share.
 *
 * @param parts     what parts of the plan are in a pod
 * @param spec      the job
 * @param operators variables that somebody else sets
 */
record ManifestEnv(ManifestParts parts, JobSpec spec, Set<String> operators) {
    private static final String INDEX = "MUSTER_INDEX";
    private static final String INDEX_LABEL = "metadata.labels['training.kubeflow.org/replica-index']";

    /** The Secret of a job's secrets, which its user makes. */
    static String secret(JobSpec spec) {
        return spec.name() + "-secrets";
    }

    /**
     * The variables, by name.
     *
     * @param whole   whether the processes are all of their role, so that the operator counts them as Muster does
     * @param leftOut is added the names of those that the pods would have to have each its own of
     */
    List<Map<String, Object>> shared(List<ProcessPlan> processes, boolean whole, Set<String> leftOut) {
        Set<String> names = new TreeSet<>();
        processes.forEach(process -> names.addAll(process.env().keySet()));
        names.removeAll(operators);
        List<Map<String, Object>> env = new ArrayList<>();
        for (String name : names) {
            Set<Optional<String>> values =
                    processes.stream().map(process -> value(process, name)).collect(Collectors.toSet());
            Template template = processes.getFirst().env().getOrDefault(name, Template.text(""));
            if (template.parts().size() == 1 && template.parts().getFirst() instanceof Part.SecretValue) {
                secret(name).ifPresent(env::add);
            } else if (values.size() == 1) {
                values.iterator().next().ifPresent(value -> env.add(variable(name, "value", value)));
            } else if (name.equals(INDEX) && whole) {
                env.add(variable(name, "valueFrom", Map.of("fieldRef", Map.of("fieldPath", INDEX_LABEL))));
            } else {
                leftOut.add(name);
            }
        }
        interfaces(names).forEach((name, value) -> env.add(variable(name, "value", value)));
        return env;
    }

    private Optional<String> value(ProcessPlan process, String name) {
        return Optional.ofNullable(process.env().get(name)).flatMap(parts::text);
    }

    private Optional<Map<String, Object>> secret(String name) {
        return spec.secrets().containsKey(name)
                ? Optional.of(variable(
                        name,
                        "valueFrom",
                        new Tree()
                                .put(
                                        "secretKeyRef",
                                        new Tree().put("name", secret(spec)).put("key", name))
                                .fields()))
                : Optional.empty();
    }

    private Map<String, String> interfaces(Set<String> given) {
        Map<String, String> added = new TreeMap<>();
        spec.options()
                .network()
                .flatMap(network -> network.networkInterface())
                .ifPresent(name -> added.putAll(InterfaceVariables.of(name)));
        added.keySet().removeAll(given);
        return added;
    }

    private static Map<String, Object> variable(String name, String form, Object value) {
        return new Tree().put("name", name).put(form, value).fields();
    }
}
