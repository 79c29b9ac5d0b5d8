package dev.muster.backend.local;

import dev.muster.model.BackendKind;
import dev.muster.model.JobSpec;
import dev.muster.model.Problem;
import dev.muster.model.Resources;
import dev.muster.model.RoleSpec;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/** What local processes cannot do. */
record LocalChecks(Cgroups cgroups, RunAs runAs) {
    private static final List<String> REMOTE = List.of("s3://", "http://", "https://", "dataset:");

    List<Problem> check(JobSpec spec) {
        List<Problem> problems = new ArrayList<>();
        if (spec.backend() != BackendKind.LOCAL) {
            problems.add(Problem.of(
                    "backend", "the job asks for backend " + spec.backend().text() + ", this is local"));
        }
        spec.options().network().ifPresent(block -> problems.add(Problem.notYet("network", BackendKind.LOCAL)));
        spec.data().forEach((name, place) -> checkData(name, place, problems));
        checkLimits(spec, problems);
        if (runAs.isOn()) {
            checkShared(spec, problems);
        }
        checkAddress(spec.options().localAddress(), problems);
        return problems;
    }

    private static void checkData(String name, String place, List<Problem> problems) {
        String field = "data." + name;
        if (REMOTE.stream().anyMatch(place.toLowerCase(Locale.ROOT)::startsWith)) {
            problems.add(Problem.of(
                    field,
                    place + ": data from there is not yet on this backend (local)",
                    "fetch it to this machine and give its path"));
        } else if (place.startsWith("/") && !Workspace.exists(place)) {
            problems.add(Problem.of(
                    field, "there is no " + place + " on this machine", "put the data there or correct the path"));
        }
    }

    /** What the service would do with its own rights for a job that is another user's. */
    private static void checkShared(JobSpec spec, List<Problem> problems) {
        if (spec.everyRole().values().stream()
                .anyMatch(role -> role.environment().python().isPresent())) {
            problems.add(Problem.of(
                    "environment.python",
                    "is not there where processes run as other users (" + RunAs.FIELD
                            + "): the service would build it with its own rights",
                    "name a Python by its path in command, or put a virtual environment into code"));
        }
        if (spec.standby() > 0) {
            problems.add(Problem.of(
                    "standby",
                    "is not there where processes run as other users (" + RunAs.FIELD
                            + "): one held ready could not write down whose place it takes",
                    "remove standby"));
        }
        if (spec.checkpoints().keep().isPresent()) {
            problems.add(Problem.of(
                    "checkpoints.keep",
                    "is all where processes run as other users (" + RunAs.FIELD
                            + "): the service removes nothing of theirs while they run",
                    "remove it, and have the training remove old checkpoints"));
        }
    }

    private void checkLimits(JobSpec spec, List<Problem> problems) {
        if (!cgroups.limitsCpu()) {
            checkLimit(spec, "cpus", resources -> resources.milliCpus().isPresent(), problems);
        }
        if (!cgroups.limitsMemory()) {
            checkLimit(spec, "memory", resources -> resources.memoryBytes().isPresent(), problems);
        }
    }

    private static void checkLimit(JobSpec spec, String name, Predicate<Resources> asks, List<Problem> problems) {
        String message = "a limit of " + name + " cannot be enforced here: the service may not make control groups";
        String fix =
                "remove it, or run the service as root or below systemd's user manager (systemd-run --user --scope)";
        // What every role has most likely stands at the top of the text.
        if (spec.roles().values().stream().map(RoleSpec::resources).allMatch(asks)) {
            problems.add(Problem.of("resources." + name, message, fix));
            return;
        }
        for (Map.Entry<String, RoleSpec> role : spec.roles().entrySet()) {
            if (asks.test(role.getValue().resources())) {
                problems.add(Problem.of("roles." + role.getKey() + ".resources." + name, message, fix));
            }
        }
    }

    private static void checkAddress(String address, List<Problem> problems) {
        String fix = "write 127.0.0.1, ::1 or an address of one of this machine's interfaces";
        try {
            InetAddress literal = InetAddress.ofLiteral(address);
            boolean here = literal.isLoopbackAddress() || NetworkInterface.getByInetAddress(literal) != null;
            if (literal.isAnyLocalAddress() || !here) {
                problems.add(Problem.of("local.address", address + " is no address of this machine", fix));
            }
        } catch (IllegalArgumentException noLiteral) {
            problems.add(Problem.of("local.address", "'" + address + "' is no IP address", fix));
        } catch (SocketException unknown) {
            problems.add(Problem.of("local.address", "the addresses of this machine cannot be listed", fix));
        }
    }
}
