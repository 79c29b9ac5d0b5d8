package dev.muster.spec.job;

import dev.muster.model.JobSpec;
import dev.muster.spec.form.At;
import dev.muster.spec.form.Field;
import dev.muster.spec.form.Values;
import dev.muster.spec.tree.Tree;
import dev.muster.spi.Framework;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Rules about variables: what Muster sets is not set by users, and no variable has two values. */
final class VariableRules {
    private static final Set<String> ALWAYS_RESERVED = Set.of("MUSTER_*");

    private VariableRules() {}

    static void check(Draft draft, Optional<Framework> framework) {
        Set<String> reserved =
                framework.map(known -> known.reservedEnv(draft.spec())).orElse(ALWAYS_RESERVED);
        Values job = draft.job();
        reserved(job, JobFields.ENV, reserved);
        reserved(job, JobFields.SECRETS, reserved);
        draft.roles().values().forEach(role -> reserved(role, RoleFields.ENV, reserved));
        secrets(draft);
        data(job);
    }

    private static At place(Values values, Field<?> field, String name) {
        return values.at(field).field(name, new Tree.Scalar("", true));
    }

    private static void reserved(Values values, Field<Map<String, String>> field, Set<String> reserved) {
        values.get(field, Map.of()).keySet().stream()
                .filter(name -> reserved.stream().anyMatch(each -> matches(each, name)))
                .forEach(name -> place(values, field, name)
                        .wrong("is set by Muster for every process", Optional.of("another name")));
    }

    private static boolean matches(String reserved, String name) {
        return reserved.endsWith("*")
                ? name.startsWith(reserved.substring(0, reserved.length() - 1))
                : name.equals(reserved);
    }

    private static void secrets(Draft draft) {
        Values job = draft.job();
        for (String name : job.get(JobFields.SECRETS, Map.of()).keySet()) {
            boolean twice = job.get(JobFields.ENV, Map.of()).containsKey(name)
                    || draft.roles().values().stream()
                            .anyMatch(role -> role.get(RoleFields.ENV, Map.of()).containsKey(name));
            if (twice) {
                place(job, JobFields.SECRETS, name).wrong("is in env too", Optional.of("keep one of the two"));
            }
        }
    }

    private static void data(Values job) {
        Map<String, String> names = new TreeMap<>();
        for (String name : job.get(JobFields.DATA, Map.of()).keySet()) {
            String variable = JobSpec.dataVariable(name);
            String other = names.putIfAbsent(variable, name);
            if (other != null) {
                place(job, JobFields.DATA, name)
                        .wrong("would be " + variable + " as " + At.shown(other) + " is", Optional.of("another name"));
            }
        }
    }
}
