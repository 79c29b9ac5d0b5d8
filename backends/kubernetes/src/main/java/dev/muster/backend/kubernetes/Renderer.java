package dev.muster.backend.kubernetes;

import dev.muster.model.Member;
import dev.muster.model.Part;
import dev.muster.model.Template;
import dev.muster.spi.JobFolders;
import dev.muster.spi.Launch;
import dev.muster.spi.Rendered;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Turns the typed parts of a plan into what a process in a pod is given. The variables of its image come besides, where the plan does not set
 * them; so there is no search path here but the image's.
 *
 * @param folders where files of jobs are on the service's host
 */
record Renderer(JobFolders folders) {
    Rendered render(Launch launch) {
        Map<String, String> env = new TreeMap<>();
        launch.plan().env().forEach((name, value) -> text(launch, value).ifPresent(text -> env.put(name, text)));
        launch.spec()
                .options()
                .network()
                .flatMap(network -> network.networkInterface())
                .ifPresent(name ->
                        InterfaceVariables.of(name).forEach((variable, value) -> env.putIfAbsent(variable, value)));
        List<String> argv = launch.plan().argv().stream()
                .flatMap(word -> text(launch, word).stream())
                .toList();
        Map<String, String> files = new TreeMap<>();
        launch.plan()
                .files()
                .forEach((name, content) -> text(launch, content).ifPresent(text -> files.put(name, text)));
        return new Rendered(argv, env, files);
    }

    /** Where data of the job text is on the service's host. */
    static Path source(String folder, String written) {
        return Path.of(folder).resolve(written).normalize();
    }

    private Optional<String> text(Launch launch, Template template) {
        return template.render(part -> part(launch, part));
    }

    private Optional<String> part(Launch launch, Part part) {
        return switch (part) {
            case Part.Text(String text) -> Optional.of(text);
            case Part.HostOf(Member member) -> Optional.of(host(launch, member));
            case Part.PortOf(Member member, String port) -> Optional.of(Integer.toString(port(launch, member, port)));
            case Part.AddressOf(Member member, String port) ->
                Optional.of(host(launch, member) + ":" + port(launch, member, port));
            case Part.PathOf(Part.Place place) -> Optional.of(PodPaths.of(place));
            case Part.DataPath(String name) ->
                Optional.ofNullable(launch.spec().data().get(name))
                        .map(written -> PodPaths.data(name, source(launch.folder(), written)));
            case Part.SecretValue(String variable) ->
                Optional.ofNullable(launch.secrets().get(variable));
            case Part.FactOf(Part.Fact fact) -> fact(launch, fact);
            // The shell of a pod adds bash's option itself, where it finds bash.
            case Part.WhereBash(String ignored) -> Optional.empty();
        };
    }

    private static String host(Launch launch, Member member) {
        String host = launch.placement().hosts().get(member);
        if (host == null) {
            throw new IllegalArgumentException("the plan names the address of " + member + ", which is not placed");
        }
        return host;
    }

    static int port(Launch launch, Member member, String port) {
        Integer number =
                launch.placement().ports().getOrDefault(member, Map.of()).get(port);
        if (number == null) {
            throw new IllegalArgumentException(
                    "the plan names port " + port + " of " + member + ", which is not placed");
        }
        return number;
    }

    private Optional<String> fact(Launch launch, Part.Fact fact) {
        return switch (fact) {
            case JOB_ID -> Optional.of(launch.key().job().value());
            case ATTEMPT -> Optional.of(Integer.toString(launch.key().attempt()));
            case RESUME_FROM ->
                launch.resumeFrom()
                        .map(from ->
                                PodPaths.resume(folders.checkpoints(launch.key().job()), from));
            case PYTHON -> Optional.of("python3");
            case SHELL -> Optional.of(PodPaths.SHELL);
            case PATH -> Optional.empty();
            case INTERFACE, OUTWARD_INTERFACE ->
                launch.spec().options().network().flatMap(network -> network.networkInterface());
        };
    }
}
