package dev.muster.spec.job;

import dev.muster.model.Amount;
import dev.muster.model.Elastic;
import dev.muster.model.FrameworkKind;
import dev.muster.model.Group;
import dev.muster.model.JobSpec;
import dev.muster.model.Nearest;
import dev.muster.model.RoleSpec;
import dev.muster.model.SuccessPolicy;
import dev.muster.spec.form.At;
import dev.muster.spec.form.Values;
import dev.muster.spec.tree.Tree;
import dev.muster.spi.Framework;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Rules between roles, and between them and what is asked of the group. */
final class GroupRules {
    private static final int LONGEST_NAME = 63;

    private GroupRules() {}

    static void check(Draft draft, Optional<Framework> framework) {
        framework.ifPresent(known -> roles(draft, known));
        size(draft);
        names(draft);
        success(draft);
        draft.spec().elastic().ifPresent(elastic -> elastic(draft, elastic));
    }

    private static At place(Draft draft, String role) {
        return draft.job().at(JobFields.ROLES).field(role, new Tree.Scalar("", true));
    }

    private static void roles(Draft draft, Framework framework) {
        String kind = framework.kind().text();
        List<String> known = framework.roles();
        draft.spec().roles().forEach((name, role) -> {
            if (known.contains(name) && role.sidecar()) {
                draft.roles()
                        .get(name)
                        .at(RoleFields.SIDECAR)
                        .wrong(
                                "a " + name + " of a " + kind + " job trains and is no sidecar",
                                Optional.of("another role name"));
            } else if (!known.contains(name) && !role.sidecar()) {
                Optional<String> near = Nearest.to(name, known);
                place(draft, name)
                        .wrong(
                                "is no role of a " + kind + " job: those are " + String.join(", ", known),
                                Optional.of(near.orElse("sidecar: true, when it only helps")));
            }
        });
        List<String> ranked = framework.rankedRoles();
        boolean allRead = !(draft.job().at(JobFields.ROLES).tree() instanceof Tree.Entries(Map<String, Tree> written))
                || written.size() == draft.roles().size();
        boolean allKnown = draft.spec().roles().entrySet().stream()
                .allMatch(
                        role -> known.contains(role.getKey()) || role.getValue().sidecar());
        if (allRead && allKnown && ranked.stream().noneMatch(draft.spec().roles()::containsKey)) {
            draft.job()
                    .at(JobFields.ROLES)
                    .wrong(
                            "needs a process that trains: " + String.join(" or ", ranked),
                            Optional.of("{worker: {count: 1}}"));
        }
    }

    private static void size(Draft draft) {
        long processes = 0;
        Group largest = Group.largest(draft.spec());
        for (Map.Entry<String, RoleSpec> each : draft.spec().roles().entrySet()) {
            RoleSpec role = each.getValue();
            processes += (long) largest.count(each.getKey())
                    * (role.sidecar() ? 1 : draft.spec().processesPerWorker());
        }
        if (processes > RoleFields.MOST) {
            At place = draft.job().has(JobFields.ROLES)
                    ? draft.job().at(JobFields.ROLES)
                    : draft.job().at(JobFields.WORKERS);
            place.wrong("a job has at most " + RoleFields.MOST + " processes, not " + processes);
        }
    }

    /** Backends call the objects of a process JOB-ROLE-INDEX-aATTEMPT, which has to be a DNS label too. */
    private static void names(Draft draft) {
        if (draft.job().get(JobFields.NAME).isEmpty()) {
            return;
        }
        JobSpec spec = draft.spec();
        spec.roles().forEach((name, role) -> {
            String local = spec.processesPerWorker() > 1 ? "." + (spec.processesPerWorker() - 1) : "";
            String longest =
                    spec.name() + "-" + name + "-" + (Group.largest(spec).count(name) - 1) + local + "-a9999";
            if (longest.length() > LONGEST_NAME) {
                place(draft, name)
                        .wrong(
                                "the name of its last process, such as " + longest + ", has " + longest.length()
                                        + " characters; " + LONGEST_NAME + " fit",
                                Optional.of("a shorter name of the job or the role"));
            }
        });
    }

    private static void success(Draft draft) {
        if (!(draft.spec().success() instanceof SuccessPolicy.OfRole(String role))) {
            return;
        }
        JobSpec spec = draft.spec();
        if (spec.framework() == FrameworkKind.MPI && spec.companion().equals(Optional.of(role))) {
            // Its launcher decides anyway, and is there though nobody wrote it.
            return;
        }
        At place = draft.job().at(JobFields.SUCCESS);
        Map<String, RoleSpec> roles = spec.roles();
        if (!roles.containsKey(role)) {
            place.wrong(
                    "names the role " + At.shown(role) + ", which the job does not have",
                    Nearest.to(role, roles.keySet())
                            .or(() -> roles.keySet().stream().findFirst())
                            .map("role:"::concat));
        } else if (roles.get(role).sidecar()) {
            place.wrong("names the sidecar " + role + "; sidecars do not count for success");
        }
    }

    private static void elastic(Draft draft, Elastic elastic) {
        At place = draft.job().at(JobFields.ELASTIC);
        RoleSpec workers = draft.spec().roles().get(JobSpec.WORKER);
        if (workers == null) {
            place.wrong("is about the role worker, which the job does not have");
            return;
        }
        Values role = draft.roles().get(JobSpec.WORKER);
        boolean read = role.has(RoleFields.COUNT)
                ? role.get(RoleFields.COUNT).isPresent()
                : !draft.job().has(JobFields.WORKERS)
                        || draft.job().get(JobFields.WORKERS).isPresent();
        if (read && (workers.count() < elastic.min() || workers.count() > elastic.max())) {
            place.wrong(
                    "allows " + elastic.min() + " to " + Amount.workers(elastic.max()) + "; the job starts with "
                            + workers.count(),
                    Optional.of("{min: " + Math.min(elastic.min(), workers.count()) + ", max: "
                            + Math.max(elastic.max(), workers.count()) + "}, or another number of workers"));
        }
    }
}
