package dev.muster.backend.docker;

import dev.muster.model.EnvironmentSpec;
import dev.muster.model.Member;
import dev.muster.model.Part;
import dev.muster.model.Template;
import dev.muster.spi.JobFolders;
import dev.muster.spi.Launch;
import dev.muster.spi.Rendered;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Turns the typed parts of a plan into what one process is given in its container. */
record Renderer(Launch launch, ImageFacts image, JobFolders folders) {
    Rendered render() {
        Map<String, String> env = new TreeMap<>(image.env());
        env.put("PATH", path());
        if (hasRequirements(launch.role().environment())) {
            env.put("VIRTUAL_ENV", Places.PYTHON);
        }
        launch.plan().env().forEach((name, value) -> {
            env.remove(name);
            text(value).ifPresent(text -> env.put(name, text));
        });
        List<String> argv = launch.plan().argv().stream()
                .flatMap(word -> text(word).stream())
                .toList();
        Map<String, String> files = new TreeMap<>();
        launch.plan().files().forEach((name, content) -> text(content).ifPresent(text -> files.put(name, text)));
        return new Rendered(argv, env, files);
    }

    private Optional<String> text(Template template) {
        return template.render(this::part);
    }

    private Optional<String> part(Part part) {
        return switch (part) {
            case Part.Text(String text) -> Optional.of(text);
            case Part.HostOf(Member member) -> Optional.of(host(member));
            case Part.PortOf(Member member, String port) -> Optional.of(Integer.toString(port(member, port)));
            case Part.AddressOf(Member member, String port) -> Optional.of(host(member) + ":" + port(member, port));
            case Part.PathOf(Part.Place place) -> Optional.of(Places.of(place));
            case Part.DataPath(String name) -> Optional.of(Places.DATA + "/" + name);
            case Part.SecretValue(String variable) ->
                Optional.ofNullable(launch.secrets().get(variable));
            case Part.FactOf(Part.Fact fact) -> fact(fact);
            case Part.WhereBash(String text) -> image.bash().map(shell -> text);
        };
    }

    private Optional<String> fact(Part.Fact fact) {
        return switch (fact) {
            case JOB_ID -> Optional.of(launch.key().job().value());
            case ATTEMPT -> Optional.of(Integer.toString(launch.key().attempt()));
            case RESUME_FROM -> ResumePoint.of(folders, launch).map(ResumePoint::inside);
            case PYTHON -> Optional.of(python());
            case SHELL -> Optional.of(image.bash().orElse("sh"));
            case PATH -> Optional.of(path());
            // The one that dockerd gives a container in its one network.
            case INTERFACE, OUTWARD_INTERFACE -> Optional.of("eth0");
        };
    }

    /** Whether requirements are installed for a role, by {@link Requirements}. */
    static boolean hasRequirements(EnvironmentSpec environment) {
        return environment
                .python()
                .flatMap(EnvironmentSpec.Python::requirements)
                .isPresent();
    }

    private String path() {
        return hasRequirements(launch.role().environment()) ? Places.PYTHON + "/bin:" + image.path() : image.path();
    }

    private String python() {
        if (hasRequirements(launch.role().environment())) {
            return Places.PYTHON + "/bin/python3";
        }
        return interpreter(launch.role().environment());
    }

    static String interpreter(EnvironmentSpec environment) {
        return environment.python().flatMap(EnvironmentSpec.Python::interpreter).orElse("python3");
    }

    private String host(Member member) {
        String host = launch.placement().hosts().get(member);
        if (host == null) {
            throw new IllegalArgumentException("the plan names the address of " + member + ", which is not placed");
        }
        return host;
    }

    private int port(Member member, String port) {
        Integer number =
                launch.placement().ports().getOrDefault(member, Map.of()).get(port);
        if (number == null) {
            throw new IllegalArgumentException(
                    "the plan names port " + port + " of " + member + ", which is not placed");
        }
        return number;
    }
}
