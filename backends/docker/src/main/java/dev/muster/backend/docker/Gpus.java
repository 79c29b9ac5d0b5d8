package dev.muster.backend.docker;

import dev.muster.backend.docker.DockerApi.Refusal;
import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.JobSpec;
import dev.muster.model.LaunchPlan;
import dev.muster.model.Member;
import dev.muster.model.ProcessPlan;
import dev.muster.spi.BackendException;
import dev.muster.spi.BackendException.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Which GPUs of a dockerd's machine are whose. What a member holds stands in the label of a volume that is there for nothing else: all services at
 * that dockerd see it, and it outlives each of them. A member that comes later gets a volume of its own, and one that goes gives its up.
 */
final class Gpus {
    private final DockerApi api;
    private final List<String> devices;

    /**
     * What a member holds.
     *
     * @param volume   that says so
     * @param member   its member, where the label can be read
     * @param devices  ids, separated by commas
     */
    private record Held(String volume, Optional<JobId> job, Member member, String devices) {
        boolean isOf(JobId other) {
            return job.equals(Optional.of(other));
        }
    }

    /** @param devices all there are, by the ids that the NVIDIA runtime takes */
    Gpus(DockerApi api, List<String> devices) {
        this.api = api;
        this.devices = devices;
    }

    /** How many each member of the plan wants; those who want none are left out. */
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

    /** Those members hold theirs, and nobody else of the job holds any. */
    Map<Member, String> hold(String home, JobId job, Map<Member, Integer> wanted) throws BackendException, Refusal {
        if (devices.isEmpty() && wanted.isEmpty()) {
            return Map.of();
        }
        List<Held> all = held();
        Map<Member, String> ours = new TreeMap<>();
        for (Held each : all) {
            if (each.isOf(job) && wanted.containsKey(each.member())) {
                ours.put(each.member(), each.devices());
            } else if (each.isOf(job)) {
                giveBack(each.volume());
            }
        }
        Map<Member, Integer> lacking = new LinkedHashMap<>(wanted);
        lacking.keySet().removeAll(ours.keySet());
        if (!lacking.isEmpty()) {
            ours.putAll(take(home, job, choose(lacking, all)));
        }
        return ours;
    }

    private Map<Member, String> choose(Map<Member, Integer> wanted, List<Held> all) throws BackendException {
        List<String> free = new ArrayList<>(devices);
        all.forEach(each -> free.removeAll(ids(each)));
        int needed = wanted.values().stream().mapToInt(Integer::intValue).sum();
        if (needed > free.size()) {
            throw new BackendException(
                    Kind.FAILED,
                    Cause.LAUNCH_FAILED,
                    "the job asks for " + needed + " GPUs, " + free.size() + " of " + devices.size() + " are free");
        }
        Map<Member, String> chosen = new TreeMap<>();
        wanted.forEach((member, count) -> {
            List<String> mine = free.subList(0, count);
            chosen.put(member, String.join(",", mine));
            mine.clear();
        });
        return chosen;
    }

    /** Who took his and then sees another with the same takes his back: of two at the same moment none or one has it, never both. */
    private Map<Member, String> take(String home, JobId job, Map<Member, String> chosen)
            throws BackendException, Refusal {
        for (Map.Entry<Member, String> each : chosen.entrySet()) {
            ObjectNode volume = DockerApi.object().put("Name", volume(job, each.getKey()));
            volume.set("Labels", Names.labels(home, job).put(Names.GPUS, write(each.getKey(), each.getValue())));
            api.post("/volumes/create", volume);
        }
        List<String> others = held().stream()
                .filter(each -> !each.isOf(job))
                .flatMap(each -> ids(each).stream())
                .toList();
        if (chosen.values().stream().flatMap(ids -> ids(ids).stream()).anyMatch(others::contains)) {
            for (Member member : chosen.keySet()) {
                giveBack(volume(job, member));
            }
            throw new BackendException(
                    Kind.FAILED,
                    Cause.LAUNCH_FAILED,
                    "another service at this dockerd took the same GPUs at the same moment");
        }
        return chosen;
    }

    private static String volume(JobId job, Member member) {
        return Names.volume(job, "gpus-" + member);
    }

    private List<Held> held() throws BackendException, Refusal {
        List<Held> held = new ArrayList<>();
        for (JsonNode volume :
                api.get("/volumes?" + DockerApi.filter(Names.GPUS)).path("Volumes")) {
            JsonNode labels = volume.path("Labels");
            String name = volume.path("Name").asString();
            read(labels.path(Names.GPUS).asString(""))
                    .ifPresent(each -> held.add(new Held(name, Names.job(labels), each.getKey(), each.getValue())));
        }
        return held;
    }

    private static List<String> ids(Held held) {
        return ids(held.devices());
    }

    private static List<String> ids(String devices) {
        return List.of(devices.split(","));
    }

    /** {@code worker-0=0,1}. */
    static String write(Member member, String devices) {
        return member + "=" + devices;
    }

    static Optional<Map.Entry<Member, String>> read(String label) {
        int equals = label.indexOf('=');
        int dash = label.lastIndexOf('-', Math.max(equals, 0));
        if (dash <= 0) {
            return Optional.empty();
        }
        Member member = new Member(label.substring(0, dash), Integer.parseInt(label.substring(dash + 1, equals)));
        return Optional.of(Map.entry(member, label.substring(equals + 1)));
    }

    void release(JobId job) throws BackendException, Refusal {
        for (Held each : held()) {
            if (each.isOf(job)) {
                giveBack(each.volume());
            }
        }
    }

    private void giveBack(String volume) throws BackendException, Refusal {
        try {
            api.delete("/volumes/" + volume);
        } catch (Refusal refusal) {
            if (!refusal.isMissing()) {
                throw refusal;
            }
        }
    }
}
