package dev.muster.backend.kubernetes;

import dev.muster.model.FrameworkKind;
import dev.muster.model.JobSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The objects of Kubeflow's training operator that Muster writes, as release 1.8.1 reads them (group kubeflow.org, version v1). */
enum TrainingKind {
    TFJOB(
            "TFJob",
            "tfReplicaSpecs",
            FrameworkKind.TENSORFLOW,
            Map.of("chief", "Chief", "worker", "Worker", "ps", "PS", "evaluator", "Evaluator"),
            Set.of("TF_CONFIG")),
    PYTORCHJOB(
            "PyTorchJob",
            "pytorchReplicaSpecs",
            FrameworkKind.PYTORCH,
            Map.of("chief", "Master", "worker", "Worker"),
            Set.of(
                    "MASTER_ADDR",
                    "MASTER_PORT",
                    "RANK",
                    "WORLD_SIZE",
                    "PYTHONUNBUFFERED",
                    "PET_MASTER_ADDR",
                    "PET_MASTER_PORT",
                    "PET_NNODES",
                    "PET_NODE_RANK",
                    "PET_NPROC_PER_NODE")),
    MPIJOB(
            "MPIJob",
            "mpiReplicaSpecs",
            FrameworkKind.MPI,
            Map.of("launcher", "Launcher", "worker", "Worker"),
            Set.of("OMPI_MCA_plm_rsh_agent", "OMPI_MCA_orte_default_hostfile"));

    static final String LAUNCHER = "launcher";

    static final String GROUP = "kubeflow.org";
    static final String VERSION = "v1";

    private static final List<String> ORDER = List.of("launcher", "chief", "worker", "ps", "evaluator");

    private final String kind;
    private final String replicaField;
    private final FrameworkKind framework;
    private final Map<String, String> types;
    private final Set<String> variables;

    TrainingKind(
            String kind,
            String replicaField,
            FrameworkKind framework,
            Map<String, String> types,
            Set<String> variables) {
        this.kind = kind;
        this.replicaField = replicaField;
        this.framework = framework;
        this.types = types;
        this.variables = variables;
    }

    /** The one that runs jobs of the framework. */
    static Optional<TrainingKind> of(FrameworkKind framework) {
        return Stream.of(values()).filter(each -> each.framework == framework).findFirst();
    }

    /** As it stands in {@code kind:}. */
    String kind() {
        return kind;
    }

    /** As it stands in a path of the API. */
    String plural() {
        return kind.toLowerCase(Locale.ROOT) + "s";
    }

    String replicaField() {
        return replicaField;
    }

    FrameworkKind framework() {
        return framework;
    }

    /** The container that the operator gives its variables to. */
    String container() {
        return framework.text();
    }

    /** Variables the operator sets itself. */
    Set<String> variables() {
        return variables;
    }

    /** Those that a job which Muster runs leaves to it: none of an MPIJob, whose ranks are started through Muster's agents, not through the API server. */
    Set<String> leftToTheOperator() {
        return this == MPIJOB ? Set.of() : variables;
    }

    /** Whether the operator gives each pod a Service of its name. */
    boolean hasServices() {
        return this != MPIJOB;
    }

    /** Name of a pod of the object. */
    String pod(String object, Replica replica, int index) {
        return object + "-" + replica.label() + (isNumbered(replica) ? "-" + index : "");
    }

    /** Whether its pods have an index in name and labels; the one launcher has none. */
    boolean isNumbered(Replica replica) {
        return !replica.role().equals(LAUNCHER);
    }

    boolean hasRole(String role) {
        return types.containsKey(role);
    }

    /** Its replicas for a job whose roles it all has. A PyTorchJob always has a master: worker 0 where there is no chief. */
    List<Replica> replicas(JobSpec spec) {
        List<Replica> replicas = new ArrayList<>();
        boolean workerIsMaster = this == PYTORCHJOB && !spec.everyRole().containsKey(JobSpec.CHIEF);
        for (String role : ORDER) {
            if (!spec.everyRole().containsKey(role)) {
                continue;
            }
            int count = spec.role(role).count();
            if (workerIsMaster) {
                replicas.add(new Replica("Master", role, 0, 1));
                if (count > 1) {
                    replicas.add(new Replica("Worker", role, 1, count - 1));
                }
            } else {
                replicas.add(new Replica(types.get(role), role, 0, count));
            }
        }
        return replicas;
    }
}
