package dev.muster.spec.job;

import dev.muster.model.Command;
import dev.muster.model.EnvironmentSpec;
import dev.muster.model.JobSpec;
import dev.muster.model.RoleSpec;
import dev.muster.spec.form.At;
import dev.muster.spec.form.Values;
import dev.muster.spec.tree.Tree;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The worker group of a job: short form or roles, each with what the job's own level gives merged in. */
final class Roles {
    private static final int MOST_ROLES = 32;
    private static final String EXAMPLE = "[python, train.py]";
    private static final Command NONE = new Command.Exec(List.of("true"));

    private Roles() {}

    /** The fields of each role in the order ranks are given: chief, worker, then the others as written. Never empty. */
    static Map<String, Values> fields(Values job) {
        if (job.has(JobFields.WORKERS) && job.has(JobFields.ROLES)) {
            job.at(JobFields.WORKERS)
                    .wrong(
                            "is short for roles.worker.count and cannot stand beside roles",
                            Optional.of("use one of them, with --set too"));
        }
        Map<String, Values> given = new LinkedHashMap<>(job.get(JobFields.ROLES, Map.of()));
        boolean readable = job.get(JobFields.ROLES).isPresent();
        if (readable && job.at(JobFields.ROLES).tree().equals(Tree.Entries.NONE)) {
            job.at(JobFields.ROLES).wrong("must name at least one role", Optional.of("{worker: {count: 1}}"));
        }
        if (given.size() > MOST_ROLES) {
            job.at(JobFields.ROLES).wrong("a job has at most " + MOST_ROLES + " roles, not " + given.size());
            given.keySet().retainAll(given.keySet().stream().limit(MOST_ROLES).toList());
        }
        Map<String, Values> ordered = new LinkedHashMap<>();
        for (String first : List.of(JobSpec.CHIEF, JobSpec.WORKER)) {
            Optional.ofNullable(given.remove(first)).ifPresent(role -> ordered.put(first, role));
        }
        ordered.putAll(given);
        if (ordered.isEmpty()) {
            At place = job.at(JobFields.ROLES).field(JobSpec.WORKER, Tree.Entries.NONE);
            RoleFields.BLOCK.read(place).ifPresent(role -> ordered.put(JobSpec.WORKER, role));
        }
        return ordered;
    }

    /** The roles as they are in a specification. */
    static Map<String, RoleSpec> specs(Values job, Map<String, Values> fields) {
        requireCommands(job, fields);
        int workers = job.has(JobFields.ROLES) ? 1 : job.get(JobFields.WORKERS, 1);
        Map<String, RoleSpec> specs = new LinkedHashMap<>();
        fields.forEach((name, role) -> specs.put(name, spec(job, role, workers)));
        return specs;
    }

    private static RoleSpec spec(Values job, Values role, int workers) {
        Map<String, String> env = new HashMap<>(job.get(JobFields.ENV, Map.of()));
        env.putAll(role.get(RoleFields.ENV, Map.of()));
        EnvironmentSpec environment = environment(role).over(environment(job));
        return new RoleSpec(
                role.get(RoleFields.COUNT, workers),
                role.get(RoleFields.SIDECAR, false),
                role.get(RoleFields.COMMAND)
                        .or(() -> job.get(JobFields.COMMAND))
                        .orElse(NONE),
                env,
                ResourceFields.merged(role.get(RoleFields.RESOURCES), job.get(JobFields.RESOURCES)),
                environment);
    }

    private static EnvironmentSpec environment(Values values) {
        return values.get(RoleFields.ENVIRONMENT)
                .map(EnvironmentFields::environment)
                .orElse(EnvironmentSpec.NONE);
    }

    private static void requireCommands(Values job, Map<String, Values> roles) {
        if (job.has(JobFields.COMMAND)) {
            return;
        }
        if (roles.values().stream().noneMatch(role -> role.has(RoleFields.COMMAND))) {
            job.require(JobFields.COMMAND, EXAMPLE);
            return;
        }
        roles.values().stream()
                .filter(role -> !role.has(RoleFields.COMMAND))
                .forEach(role -> role.at(RoleFields.COMMAND)
                        .wrong("is required: there is no command at the top", Optional.of(EXAMPLE)));
    }
}
