package dev.muster.model;

import java.util.Map;

/**
 * One role of the worker group, with what the job's own level gives already merged in.
 *
 * @param count       members, at least 1
 * @param sidecar     helps only: no rank, does not count for success
 * @param command     what each process runs
 * @param env         the user's variables, the role's over the job's, bytes as given
 * @param resources   of one process
 * @param environment software around the code
 */
public record RoleSpec(
        int count,
        boolean sidecar,
        Command command,
        Map<String, String> env,
        Resources resources,
        EnvironmentSpec environment) {
    public RoleSpec {
        Texts.require(count >= 1, "a role has at least one member");
        env = Map.copyOf(env);
    }

    RoleSpec withCount(int members) {
        return new RoleSpec(members, sidecar, command, env, resources, environment);
    }
}
