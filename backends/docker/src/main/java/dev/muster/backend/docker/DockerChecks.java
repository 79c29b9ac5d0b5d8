package dev.muster.backend.docker;

import dev.muster.model.BackendKind;
import dev.muster.model.EnvironmentSpec;
import dev.muster.model.JobSpec;
import dev.muster.model.Options;
import dev.muster.model.Problem;
import dev.muster.model.RoleSpec;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What containers of a dockerd cannot do, and what they need.
 *
 * @param mounts   folders that may be mounted
 * @param runtimes runtimes that dockerd has; empty when it was not asked
 */
record DockerChecks(List<Path> mounts, Set<String> runtimes) {
    private static final List<String> REMOTE = List.of("s3://", "http://", "https://", "dataset:");

    List<Problem> check(JobSpec spec) {
        List<Problem> problems = new ArrayList<>();
        if (spec.backend() != BackendKind.DOCKER) {
            problems.add(Problem.of(
                    "backend", "the job asks for backend " + spec.backend().text() + ", this is docker"));
        }
        checkImages(spec, problems);
        spec.options().network().ifPresent(block -> problems.add(Problem.notYet("network", BackendKind.DOCKER)));
        if (spec.standby() > 0) {
            checkStandby(spec, problems);
        }
        spec.data().forEach((name, place) -> checkData(name, place, problems));
        spec.options().docker().ifPresent(docker -> checkDocker(docker, problems));
        return problems;
    }

    /** A container is given its GPUs when it is made. */
    private static void checkStandby(JobSpec spec, List<Problem> problems) {
        if (spec.roles().entrySet().stream()
                .anyMatch(role -> spec.standbyServes(role.getKey())
                        && role.getValue().resources().gpus() > 0)) {
            problems.add(Problem.of(
                    "standby",
                    "is not there for processes with GPUs on this backend (docker): a container that is held ready cannot"
                            + " be given the lost one's any more",
                    "remove standby, or write backend: " + BackendKind.LOCAL.text()));
        }
    }

    private static void checkImages(JobSpec spec, List<Problem> problems) {
        List<String> without = spec.roles().entrySet().stream()
                .filter(role -> role.getValue().environment().image().isEmpty())
                .map(Map.Entry::getKey)
                .toList();
        String message = "backend docker makes containers of an image, and none is named";
        String fix = "name one that has Python and the framework, such as image: registry/name:tag";
        if (without.size() == spec.roles().size()) {
            problems.add(Problem.of("environment.image", message, fix));
        } else {
            without.forEach(role -> problems.add(Problem.of("roles." + role + ".environment.image", message, fix)));
        }
        spec.roles().values().stream()
                .map(RoleSpec::environment)
                .flatMap(environment -> environment.python().stream())
                .flatMap(python -> python.interpreter().stream())
                .distinct()
                .filter(interpreter -> interpreter.startsWith("~") || interpreter.isBlank())
                .forEach(interpreter -> problems.add(Problem.of(
                        "environment.python.interpreter",
                        "'" + interpreter + "' is no program of an image",
                        "write python3")));
    }

    private static void checkData(String name, String place, List<Problem> problems) {
        if (REMOTE.stream().anyMatch(place.toLowerCase(Locale.ROOT)::startsWith)) {
            problems.add(Problem.of(
                    "data." + name,
                    place + ": data from there is not yet on this backend (docker)",
                    "fetch it to this machine and give its path"));
        }
    }

    private void checkDocker(Options.Docker docker, List<Problem> problems) {
        for (String mount : docker.mounts()) {
            String[] parts = mount.split(":");
            boolean wellFormed =
                    (parts.length == 2 || parts.length == 3 && (parts[2].equals("ro") || parts[2].equals("rw")))
                            && parts[0].startsWith("/")
                            && parts[1].startsWith("/");
            if (!wellFormed) {
                problems.add(Problem.of(
                        "docker.mounts", "'" + mount + "' is no mount", "write /source:/target or /source:/target:ro"));
            } else if (!isAllowed(parts[0])) {
                problems.add(Problem.of(
                        "docker.mounts",
                        parts[0] + " may not be mounted: the service allows "
                                + (mounts.isEmpty() ? "no folder" : mounts.toString()),
                        "give the folder as data, or have the service's MUSTER_DOCKER_MOUNTS name it"));
            } else if (Path.of(parts[1]).normalize().startsWith(Places.ROOT)) {
                problems.add(Problem.of("docker.mounts", parts[1] + " is Muster's own place", "mount it elsewhere"));
            }
        }
        docker.runtime()
                .filter(name -> !runtimes.isEmpty() && !runtimes.contains(name))
                .ifPresent(name -> problems.add(Problem.of(
                        "docker.runtime",
                        "dockerd has no runtime " + name + ", only " + runtimes,
                        "name one of them or remove it")));
    }

    /** Symbolic links are dockerd's machine's and are followed there: a folder on the list should hold none that others may write. */
    private boolean isAllowed(String source) {
        try {
            Path path = Path.of(source).normalize();
            return mounts.stream().anyMatch(path::startsWith);
        } catch (InvalidPathException unspeakable) {
            return false;
        }
    }

    /** The image of a role that was checked to have one. */
    static String image(EnvironmentSpec environment) {
        return environment.image().orElseThrow(() -> new IllegalArgumentException("a role has no image"));
    }
}
