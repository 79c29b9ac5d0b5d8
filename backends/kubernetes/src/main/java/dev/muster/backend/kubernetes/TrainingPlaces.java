package dev.muster.backend.kubernetes;

import dev.muster.model.JobId;
import dev.muster.model.JobSpec;
import dev.muster.model.LaunchPlan;
import dev.muster.model.Member;
import dev.muster.model.Placement;
import dev.muster.model.ProcessName;
import java.util.HashMap;
import java.util.Map;

/** Names and ports of members: those of the Services that the operator makes for each, or Muster in its stead. */
final class TrainingPlaces {
    private static final int TENSORFLOW_PORT = 2222;
    private static final int PYTORCH_PORT = 23456;
    /** Of Muster's agent on a worker. */
    private static final int MPI_PORT = 2222;

    private TrainingPlaces() {}

    /** The fence of a group's attempt: an object of this name is made once. */
    static String object(JobId job, int attempt) {
        return job + "-a" + attempt;
    }

    /** The object whose members live there. */
    static String objectOf(Placement placement) {
        return objectOfPod(placement.hosts().values().iterator().next().replaceFirst("\\..*", ""));
    }

    /** The object of a pod, whose name the operator makes of it. */
    static String objectOfPod(String pod) {
        return pod.replaceFirst("-([a-z]+-\\d+|" + TrainingKind.LAUNCHER + ")$", "");
    }

    static Placement of(TrainingKind kind, String object, String namespace, JobSpec spec, LaunchPlan plan) {
        Map<Member, String> hosts = new HashMap<>();
        for (Replica replica : kind.replicas(spec)) {
            for (int index = 0; index < replica.count(); index++) {
                ProcessName process = replica.process(index);
                hosts.put(process.member(), kind.pod(object, replica, index) + "." + namespace + ".svc");
            }
        }
        Map<Member, Map<String, Integer>> ports = new HashMap<>();
        plan.ports().forEach((member, names) -> {
            Map<String, Integer> numbers = new HashMap<>();
            names.forEach(name -> numbers.put(name, port(kind)));
            ports.put(member, numbers);
        });
        return new Placement(hosts, ports, Map.of());
    }

    private static int port(TrainingKind kind) {
        return switch (kind) {
            case TFJOB -> TENSORFLOW_PORT;
            case PYTORCHJOB -> PYTORCH_PORT;
            case MPIJOB -> MPI_PORT;
        };
    }
}
