package dev.muster.testkit;

import dev.muster.model.Command;
import dev.muster.model.EnvironmentSpec;
import dev.muster.model.FrameworkKind;
import dev.muster.model.JobSpec;
import dev.muster.model.Resources;
import dev.muster.model.RoleSpec;
import dev.muster.spi.JobStore.SpecCodec;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A form of specifications for tests of stores: it keeps what {@link SampleJobs} can vary, and refuses any other text. */
public final class SampleSpecCodec implements SpecCodec {
    @Override
    public String write(JobSpec spec) {
        StringBuilder text = new StringBuilder();
        line(text, "name", spec.name());
        line(text, "framework", spec.framework().name());
        line(text, "queue", spec.queue());
        line(text, "priority", Integer.toString(spec.priority()));
        spec.roles().forEach((name, role) -> {
            line(text, "role", name);
            line(text, "count", Integer.toString(role.count()));
            line(text, "sidecar", Boolean.toString(role.sidecar()));
            new TreeMap<>(role.env()).forEach((variable, value) -> line(text, "env", variable + "=" + value));
        });
        return text.toString();
    }

    @Override
    public JobSpec read(String text) {
        Map<String, String> job = new LinkedHashMap<>();
        Map<String, RoleSpec> roles = new LinkedHashMap<>();
        String role = "";
        for (String line : text.split("\n")) {
            String field = line.substring(0, line.indexOf(' '));
            String value = URLDecoder.decode(line.substring(line.indexOf(' ') + 1), StandardCharsets.UTF_8);
            switch (field) {
                case "role" -> {
                    role = value;
                    roles.put(role, role(1, false, Map.of()));
                }
                case "count" -> {
                    RoleSpec now = roles.get(role);
                    roles.put(role, role(Integer.parseInt(value), now.sidecar(), now.env()));
                }
                case "sidecar" -> {
                    RoleSpec now = roles.get(role);
                    roles.put(role, role(now.count(), Boolean.parseBoolean(value), now.env()));
                }
                case "env" -> {
                    RoleSpec now = roles.get(role);
                    Map<String, String> env = new TreeMap<>(now.env());
                    env.put(value.substring(0, value.indexOf('=')), value.substring(value.indexOf('=') + 1));
                    roles.put(role, role(now.count(), now.sidecar(), env));
                }
                default -> job.put(field, value);
            }
        }
        return SampleJobs.spec(
                job.get("name"),
                FrameworkKind.valueOf(job.get("framework")),
                roles,
                job.get("queue"),
                Integer.parseInt(job.get("priority")));
    }

    private static RoleSpec role(int count, boolean sidecar, Map<String, String> env) {
        return new RoleSpec(
                count, sidecar, new Command.Exec(List.of("true")), env, Resources.NONE, EnvironmentSpec.NONE);
    }

    private static void line(StringBuilder text, String field, String value) {
        text.append(field)
                .append(' ')
                .append(URLEncoder.encode(value, StandardCharsets.UTF_8))
                .append('\n');
    }
}
