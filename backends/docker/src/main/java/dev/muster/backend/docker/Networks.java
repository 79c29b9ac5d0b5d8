package dev.muster.backend.docker;

import dev.muster.backend.docker.DockerApi.Refusal;
import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.JobSpec;
import dev.muster.model.LaunchPlan;
import dev.muster.model.Member;
import dev.muster.model.Placement;
import dev.muster.spi.BackendException;
import dev.muster.spi.BackendException.Kind;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One network a job, in which each member is reached by its name, {@code worker-0}; so no two jobs share a port. A name is that of whichever
 * attempt of the member runs, so members come and go without a change for the others.
 */
final class Networks {
    /** Ports are the same in every job, as each has a network of its own; outside of what systems give to connections. */
    private static final int FIRST_PORT = 20_000;

    private final DockerApi api;
    private final Gpus gpus;

    Networks(DockerApi api, Gpus gpus) {
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
        try {
            if (!isThere(job)) {
                create(home, job);
            }
            return sample(plan, gpus.hold(home, job, Gpus.wanted(spec, plan)));
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

    private boolean isThere(JobId job) throws BackendException, Refusal {
        for (JsonNode network : api.get("/networks?" + DockerApi.filter(Names.is(Names.JOB, job.value())))) {
            if (network.path("Name").asString().equals(Names.network(job))) {
                return true;
            }
        }
        return false;
    }

    private void create(String home, JobId job) throws BackendException, Refusal {
        ObjectNode body = DockerApi.object()
                .put("Name", Names.network(job))
                .put("Driver", "bridge")
                .put("CheckDuplicate", true);
        body.set("Labels", Names.labels(home, job));
        api.post("/networks/create", body, DockerApi.SLOW, in -> in.readAllBytes());
    }

    /** Has a member's name lead to this container, and no other name to it. */
    void lead(Found container, String host) throws BackendException, Refusal {
        String name = Names.network(container.key().job());
        JsonNode network = api.get("/containers/" + container.id() + "/json")
                .path("NetworkSettings")
                .path("Networks")
                .path(name);
        for (JsonNode alias : network.path("Aliases")) {
            if (alias.asString().equals(host)) {
                return;
            }
        }
        if (!network.isMissingNode()) {
            api.post("/networks/" + name + "/disconnect", DockerApi.object().put("Container", container.id()));
        }
        ObjectNode end = DockerApi.object().put("Container", container.id());
        end.putObject("EndpointConfig").putArray("Aliases").add(host);
        api.post("/networks/" + name + "/connect", end);
    }

    void release(JobId job) throws BackendException {
        try {
            gpus.release(job);
            api.delete("/networks/" + Names.network(job));
        } catch (Refusal refusal) {
            if (!refusal.isMissing()) {
                throw refusal.as(Kind.FAILED, Cause.INTERNAL, "the network of job " + job + " could not be removed");
            }
        }
    }
}
