package dev.muster.backend.kubernetes;

import dev.muster.model.BackendKind;
import dev.muster.model.JobSpec;
import dev.muster.model.Problem;
import dev.muster.model.ProcessKey;
import dev.muster.model.RestartPolicy;
import dev.muster.model.RestartScope;
import dev.muster.spi.Launch;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A group as one of Kueue's groups of plain pods (release 0.17): it gives each pod a scheduling gate, and takes all the gates away at once when the
 * group's queue has room for all of it. Pure.
 */
final class Kueue {
    /** Its group in the API, which is there where Kueue is installed. */
    static final String API = "kueue.x-k8s.io";

    private static final String FIELD = "kubernetes.kueueQueue";
    private static final String QUEUE = API + "/queue-name";
    private static final String GROUP = API + "/pod-group-name";
    private static final String COUNT = API + "/pod-group-total-count";
    private static final String REPLACED = API + "/retriable-in-group";

    private static final String HELD = "Kueue has not let its group in from queue ";

    /** Before what it lacks; the name it has for the pods says nothing to their user. */
    private static final String NO_FLAVOR = "^couldn't assign flavors to pod set \\S+: ";

    /** What Kueue writes on pods that it ends because their group has to make room, or was never let in. */
    private static final Set<String> MADE_ROOM = Set.of("WorkloadEvicted", "NotAdmitted", "NoMatchingWorkload");

    private Kueue() {}

    static Optional<String> queue(JobSpec spec) {
        return Block.of(spec).text("kueueQueue");
    }

    /** Which queue the pod waits in, and with whom. A new attempt of the group is a new group. */
    static void label(Launch launch, Tree labels) {
        label(launch.spec(), group(launch.key()), labels);
    }

    /** The same for pods that others make. */
    static void label(JobSpec spec, String group, Tree labels) {
        queue(spec).ifPresent(queue -> labels.put(QUEUE, queue).put(GROUP, group));
    }

    /** Which queue an object waits in that Kueue knows as a whole, such as one of the training operator. */
    static Optional<Tree> labels(JobSpec spec) {
        return queue(spec).map(queue -> new Tree().put(QUEUE, queue));
    }

    static void annotate(Launch launch, Tree annotations) {
        annotate(launch.spec(), launch.placement().hosts().size(), annotations);
    }

    /** @param count how many pods the group has */
    static void annotate(JobSpec spec, int count, Tree annotations) {
        queue(spec)
                .ifPresent(queue -> annotations
                        .put(COUNT, Integer.toString(count))
                        // Else a group of which one has failed keeps its room for a pod in its place.
                        .put(REPLACED, "false"));
    }

    /** The group of an attempt, which is the name of its Workload too. */
    static String group(ProcessKey key) {
        return key.job() + "-a" + key.attempt();
    }

    /** What a pod waits for that Kueue holds. */
    static Optional<String> waits(Pod pod) {
        boolean held = pod.getSpec().getSchedulingGates().stream()
                .anyMatch(gate -> gate.getName().startsWith(API + "/"));
        return held ? Optional.of(HELD + pod.getMetadata().getLabels().get(QUEUE) + " yet") : Optional.empty();
    }

    /** Whether Kueue holds the pod. */
    static boolean holds(PodSeen pod) {
        return pod.unscheduled().filter(text -> text.startsWith(HELD)).isPresent();
    }

    /** Why a Workload has no room yet, in Kueue's words; empty where it does not say. */
    static Optional<String> why(GenericKubernetesResource workload) {
        List<Object> conditions = new ArrayList<>();
        if (workload.<Object>get("status", "conditions") instanceof List<?> given) {
            conditions.addAll(given);
        }
        return conditions.stream()
                .filter(Map.class::isInstance)
                .map(each -> (Map<?, ?>) each)
                .filter(each -> "QuotaReserved".equals(each.get("type")) && "False".equals(each.get("status")))
                .map(each -> String.valueOf(each.get("message")).replaceFirst(NO_FLAVOR, ""))
                .findFirst();
    }

    /** Whether Kueue ended a pod for others' sake. */
    static boolean madeRoom(String reason) {
        return MADE_ROOM.contains(reason);
    }

    static List<Problem> check(JobSpec spec, BackendKind kind) {
        if (queue(spec).isEmpty()) {
            return List.of();
        }
        List<Problem> problems = new ArrayList<>();
        if (kind != BackendKind.KUBERNETES) {
            problems.add(Problem.of(
                    FIELD,
                    "is for pods that Muster makes itself, not for backend " + kind.text(),
                    "write backend: kubernetes"));
        }
        spec.companion()
                .ifPresent(role -> problems.add(Problem.of(
                        FIELD,
                        "Kueue lets a group in once all its pods are there, and those of this job are not made together: "
                                + role + "-0 and the workers start one after the other"
                                + (spec.elastic().isPresent() ? ", and workers come and go" : ""),
                        "leave it out")));
        boolean single = spec.everyRole().containsKey(JobSpec.PARAMETER_SERVER)
                || spec.restart().rules().stream()
                        .map(RestartPolicy.Rule::scope)
                        .anyMatch(Kueue::isPart);
        if (single) {
            problems.add(Problem.of(
                    FIELD,
                    "Kueue lets a group in as a whole, and this job starts single processes of it anew (role ps, or a restart rule with scope process or role)",
                    "leave it out, or write scope: group and no role ps"));
        }
        return problems;
    }

    private static boolean isPart(RestartScope scope) {
        return scope == RestartScope.PROCESS || scope == RestartScope.ROLE;
    }
}
