package dev.muster.backend.docker;

import dev.muster.backend.docker.DockerApi.Refusal;
import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.JobSpec;
import dev.muster.model.LaunchPlan;
import dev.muster.model.Member;
import dev.muster.model.Placement;
import dev.muster.model.ProcessPlan;
import dev.muster.spi.BackendException;
import dev.muster.spi.BackendException.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One network a job, in which each member is reached by its name, {@code worker-0}; so no two jobs share a port. It is at the same time
 * what holds the job's GPUs: its label tells all services at this dockerd which are taken.
 */
final class Networks {
    /** Ports are the same in every job, as each has a network of its own; outside of what systems give to connections. */
    private static final int FIRST_PORT = 20_000;

    private final DockerApi api;
    private final List<String> gpus;

    Networks(DockerApi api, List<String> gpus) {
        this.api = api;
        this.gpus = gpus;
    }

    /** Names and ports follow from the plan alone. */
    static Placement sample(LaunchPlan plan, Map<Member, String> devices) {
        Map<Member, String> hosts = new HashMap<>();
        Map<Member, Map<String, Integer>> ports = new HashMap<>();
        plan.ports().forEach((member, names) -> {
            hosts.put(member, member.toString());
            Map<String, Integer> numbers = new TreeMap<>();
            for (String name : names) {
                numbers.put(name, FIRST_PORT + numbers.size());
            }
            ports.put(member, numbers);
        });
        return new Placement(hosts, ports, devices);
    }

    Placement place(String home, JobId job, JobSpec spec, LaunchPlan plan) throws BackendException {
        Map<Member, Integer> wanted = wanted(spec, plan);
        try {
            Optional<JsonNode> network = find(job);
            if (network.isPresent()) {
                return sample(plan, held(network.get().path("Labels")));
            }
            Map<Member, String> devices = choose(job, wanted);
            create(home, job, devices);
            return sample(plan, devices);
        } catch (Refusal refusal) {
            throw refusal.as(
                    Kind.FAILED,
                    Cause.LAUNCH_FAILED,
                    "the network of the job could not be made"
                            + (refusal.getMessage().contains("address pool")
                                    ? " (give dockerd more and smaller networks: default-address-pools in daemon.json)"
                                    : ""));
        }
    }

    /** Devices by member, for a plan shown before anything is held. */
    static Map<Member, Integer> wanted(JobSpec spec, LaunchPlan plan) {
        Map<Member, Integer> wanted = new LinkedHashMap<>();
        for (ProcessPlan process : plan.processes()) {
            Member member = process.name().member();
            int count = spec.role(member.role()).resources().gpus();
            if (count > 0) {
                wanted.put(member, count);
            }
        }
        return wanted;
    }

    private Optional<JsonNode> find(JobId job) throws BackendException, Refusal {
        for (JsonNode network : api.get("/networks?" + DockerApi.filter(Names.is(Names.JOB, job.value())))) {
            if (network.path("Name").asString().equals(Names.network(job))) {
                return Optional.of(network);
            }
        }
        return Optional.empty();
    }

    private void create(String home, JobId job, Map<Member, String> devices) throws BackendException, Refusal {
        ObjectNode body = DockerApi.object()
                .put("Name", Names.network(job))
                .put("Driver", "bridge")
                .put("CheckDuplicate", true);
        ObjectNode labels = Names.labels(home, job);
        labels.put(Names.GPUS, write(devices));
        body.set("Labels", labels);
        api.post("/networks/create", body, DockerApi.SLOW, in -> in.readAllBytes());
        if (!devices.isEmpty() && othersHold(job, devices)) {
            api.delete("/networks/" + Names.network(job));
            throw new BackendException(
                    Kind.FAILED,
                    Cause.LAUNCH_FAILED,
                    "another service at this dockerd took the same GPUs at the same moment");
        }
    }

    private boolean othersHold(JobId job, Map<Member, String> devices) throws BackendException, Refusal {
        List<String> taken = taken(job);
        return devices.values().stream()
                .flatMap(text -> List.of(text.split(",")).stream())
                .anyMatch(taken::contains);
    }

    private Map<Member, String> choose(JobId job, Map<Member, Integer> wanted) throws BackendException, Refusal {
        if (wanted.isEmpty()) {
            return Map.of();
        }
        List<String> free = new ArrayList<>(gpus);
        free.removeAll(taken(job));
        int needed = wanted.values().stream().mapToInt(Integer::intValue).sum();
        if (needed > free.size()) {
            throw new BackendException(
                    Kind.FAILED,
                    Cause.LAUNCH_FAILED,
                    "the job asks for " + needed + " GPUs, " + free.size() + " of " + gpus.size() + " are free");
        }
        Map<Member, String> devices = new TreeMap<>();
        wanted.forEach((member, count) -> {
            List<String> mine = free.subList(0, count);
            devices.put(member, String.join(",", mine));
            mine.clear();
        });
        return devices;
    }

    /** GPUs that other jobs hold, of whatever service. */
    private List<String> taken(JobId except) throws BackendException, Refusal {
        List<String> taken = new ArrayList<>();
        for (JsonNode network : api.get("/networks?" + DockerApi.filter(Names.GPUS))) {
            if (!network.path("Name").asString().equals(Names.network(except))) {
                held(network.path("Labels")).values().forEach(text -> taken.addAll(List.of(text.split(","))));
            }
        }
        return taken;
    }

    /** {@code worker-0=0,1;worker-1=2}. */
    static String write(Map<Member, String> devices) {
        List<String> entries = new ArrayList<>();
        new TreeMap<>(devices).forEach((member, ids) -> entries.add(member + "=" + ids));
        return String.join(";", entries);
    }

    static Map<Member, String> held(JsonNode labels) {
        Map<Member, String> devices = new TreeMap<>();
        for (String entry : labels.path(Names.GPUS).asString("").split(";")) {
            int equals = entry.indexOf('=');
            int dash = entry.lastIndexOf('-', Math.max(equals, 0));
            if (dash > 0) {
                devices.put(
                        new Member(entry.substring(0, dash), Integer.parseInt(entry.substring(dash + 1, equals))),
                        entry.substring(equals + 1));
            }
        }
        return devices;
    }

    void release(JobId job) throws BackendException {
        try {
            api.delete("/networks/" + Names.network(job));
        } catch (Refusal refusal) {
            if (!refusal.isMissing()) {
                throw refusal.as(Kind.FAILED, Cause.INTERNAL, "the network of job " + job + " could not be removed");
            }
        }
    }
}
