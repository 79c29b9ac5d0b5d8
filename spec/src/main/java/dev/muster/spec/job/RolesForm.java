package dev.muster.spec.job;

import dev.muster.model.Command;
import dev.muster.model.EnvironmentSpec;
import dev.muster.model.JobSpec;
import dev.muster.model.Resources;
import dev.muster.model.RoleSpec;
import dev.muster.spec.form.Field;
import dev.muster.spec.form.Sizes;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Roles as job text. A value that every role has stands at the top, as the first role has it; a role that has another one says so
 * itself, as job text allows.
 */
final class RolesForm {
    private RolesForm() {}

    static void write(JobSpec spec, JobForm form) {
        Map<String, Map<String, Object>> own = new LinkedHashMap<>();
        spec.roles()
                .forEach((name, role) -> own.put(
                        name,
                        new JobForm()
                                .put(RoleFields.COUNT, role.count())
                                .put(RoleFields.SIDECAR, role.sidecar())
                                .fields()));
        shared(spec, own, form, RoleFields.COMMAND, role -> Optional.of(command(role.command())));
        env(spec, own, form);
        block(spec, own, form, RoleFields.RESOURCES, role -> resources(role.resources()));
        block(spec, own, form, RoleFields.ENVIRONMENT, role -> environment(role.environment()));
        form.put(JobFields.ROLES, own);
    }

    private static void shared(
            JobSpec spec,
            Map<String, Map<String, Object>> own,
            JobForm form,
            Field<?> field,
            Function<RoleSpec, Optional<Object>> value) {
        Optional<Object> top = common(spec.roles().values(), value);
        form.put(field, top);
        spec.roles().forEach((name, role) -> {
            if (!value.apply(role).equals(top)) {
                value.apply(role).ifPresent(different -> own.get(name).put(field.name(), different));
            }
        });
    }

    private static Optional<Object> common(Collection<RoleSpec> roles, Function<RoleSpec, Optional<Object>> value) {
        return roles.stream().allMatch(role -> value.apply(role).isPresent())
                ? value.apply(roles.iterator().next())
                : Optional.empty();
    }

    private static void env(JobSpec spec, Map<String, Map<String, Object>> own, JobForm form) {
        block(spec, own, form, RoleFields.ENV, role -> new TreeMap<>(role.env()));
    }

    /** The same for each field of a block by itself, as roles and job are merged field by field. */
    private static void block(
            JobSpec spec,
            Map<String, Map<String, Object>> own,
            JobForm form,
            Field<?> field,
            Function<RoleSpec, Map<String, Object>> block) {
        Map<String, Object> top = new TreeMap<>();
        Collection<RoleSpec> roles = spec.roles().values();
        block.apply(roles.iterator().next())
                .keySet()
                .forEach(key -> common(
                                roles,
                                role -> Optional.ofNullable(block.apply(role).get(key)))
                        .ifPresent(value -> top.put(key, value)));
        if (!top.isEmpty()) {
            form.put(field, top);
        }
        spec.roles().forEach((name, role) -> {
            Map<String, Object> different = new TreeMap<>(block.apply(role));
            different.entrySet().removeIf(entry -> Objects.equals(top.get(entry.getKey()), entry.getValue()));
            if (!different.isEmpty()) {
                own.get(name).put(field.name(), different);
            }
        });
    }

    private static Object command(Command command) {
        return switch (command) {
            case Command.Exec exec -> exec.argv();
            case Command.Shell shell -> shell.script();
        };
    }

    private static Map<String, Object> resources(Resources resources) {
        JobForm form = new JobForm();
        resources.milliCpus().ifPresent(milli -> form.put(ResourceFields.CPUS, new BigDecimal(Sizes.writeCpus(milli))));
        resources.memoryBytes().ifPresent(bytes -> form.put(ResourceFields.MEMORY, Sizes.write(bytes)));
        resources.gpusAsked().ifPresent(gpus -> form.put(ResourceFields.GPUS, gpus));
        return form.fields();
    }

    private static Map<String, Object> environment(EnvironmentSpec environment) {
        return new JobForm()
                .put(
                        EnvironmentFields.PYTHON,
                        environment
                                .python()
                                .map(python -> new JobForm()
                                        .put(EnvironmentFields.REQUIREMENTS, python.requirements())
                                        .put(EnvironmentFields.INTERPRETER, python.interpreter())
                                        .put(EnvironmentFields.SYSTEM_PACKAGES, python.systemPackages())
                                        .fields()))
                .put(EnvironmentFields.IMAGE_NAME, environment.image())
                .fields();
    }
}
