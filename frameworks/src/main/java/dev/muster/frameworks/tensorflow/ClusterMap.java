package dev.muster.frameworks.tensorflow;

import dev.muster.frameworks.Roster;
import dev.muster.frameworks.Slot;
import dev.muster.model.JobSpec;
import dev.muster.model.Member;
import dev.muster.model.Part;
import dev.muster.model.Part.AddressOf;
import dev.muster.model.Template;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * TF_CONFIG, as TensorFlow's TFConfigClusterResolver reads it: {@code {"cluster": {role: [address, ...]}, "task": {"type", "index"}}},
 * roles in the order chief, worker, ps, evaluator and addresses by index, the same for all.
 *
 * <p>The evaluator is in nobody's map, not in its own either, unless {@code evaluatorInCluster}; its task is evaluator 0.
 *
 * <p>With {@code sparseCluster} no process sees another worker, so that workers can come and go without the others being told. A worker's own
 * entry is {@code {"INDEX": address}}, the sparse mapping that tf.train.ClusterSpec documents; chief and parameter servers, whose number
 * stays, are listed whole for all. The map stays under the key {@code cluster}, where TensorFlow itself reads it.
 */
record ClusterMap(Roster roster) {
    /** Whether the process takes part in the training, so that it has a task. */
    boolean hasTask(Slot slot) {
        return !roster.spec().role(slot.name().role()).sidecar();
    }

    /** Whether the process stands in the map and so needs a port. */
    boolean lists(Slot slot) {
        return roles().anyMatch(slot.name().role()::equals);
    }

    /** Whether workers come and go without the others being told. */
    boolean isSparse() {
        return roster.spec().options().sparseCluster();
    }

    /** TF_CONFIG of one process. */
    Template config(Slot slot) {
        Member self = slot.name().member();
        Json json = new Json().text("{\"cluster\":{");
        String separator = "";
        for (String role : roles().toList()) {
            boolean whole = !isSparse() || !role.equals(JobSpec.WORKER);
            if (whole || role.equals(self.role())) {
                json.text(separator + "\"" + role + "\":");
                separator = ",";
                if (whole) {
                    json.list(roster.members(role));
                } else {
                    json.text("{\"" + self.index() + "\":").address(self).text("}");
                }
            }
        }
        return json.text("},\"task\":{\"type\":\"" + self.role() + "\",\"index\":" + self.index() + "}}")
                .template();
    }

    private Stream<String> roles() {
        Stream<String> always = Stream.of(JobSpec.CHIEF, JobSpec.WORKER, JobSpec.PARAMETER_SERVER);
        Stream<String> evaluator = roster.spec().options().evaluatorInCluster()
                ? Stream.of(TensorFlowFramework.EVALUATOR)
                : Stream.empty();
        return Stream.concat(always, evaluator).filter(role -> roster.group().count(role) > 0);
    }

    /** JSON text with addresses in it. Role names are fixed words and need no escaping. */
    private static final class Json {
        private final List<Part> parts = new ArrayList<>();
        private final StringBuilder pending = new StringBuilder();

        Json text(String text) {
            pending.append(text);
            return this;
        }

        Json address(Member member) {
            pending.append('"');
            flush();
            parts.add(new AddressOf(member, TensorFlowFramework.PORT));
            return text("\"");
        }

        Json list(List<Member> members) {
            text("[");
            for (int at = 0; at < members.size(); at++) {
                text(at == 0 ? "" : ",").address(members.get(at));
            }
            return text("]");
        }

        private void flush() {
            parts.add(new Part.Text(pending.toString()));
            pending.setLength(0);
        }

        Template template() {
            flush();
            return new Template(parts);
        }
    }
}
