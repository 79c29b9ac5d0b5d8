package dev.muster.backend.local;

import dev.muster.model.Member;
import dev.muster.model.Part;
import dev.muster.model.Template;
import dev.muster.spi.JobFolders;
import dev.muster.spi.Launch;
import dev.muster.spi.Rendered;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Turns the typed parts of a plan into what one local process is given.
 *
 * @param folders where its files are
 * @param base    variables given besides the plan's
 * @param path    search path of programs where the submitter's is not known
 * @param runAs   as whom processes run
 */
record Renderer(JobFolders folders, Map<String, String> base, String path, RunAs runAs) {
    private static final String VISIBLE_DEVICES = "CUDA_VISIBLE_DEVICES";

    Rendered render(Launch launch) {
        Resolver resolver = new Resolver(launch);
        Map<String, String> env = new TreeMap<>(base);
        env.putAll(runAs.variables(launch, folders.code(launch.key())));
        env.putAll(launch.python().env());
        if (launch.role().resources().gpusAsked().isPresent()) {
            env.put(
                    VISIBLE_DEVICES,
                    launch.placement().gpus().getOrDefault(launch.key().name().member(), ""));
            // Else CUDA counts the fastest first, and numbers mean other devices than nvidia-smi's.
            env.put("CUDA_DEVICE_ORDER", "PCI_BUS_ID");
        }
        env.put("PATH", resolver.path());
        launch.plan().env().forEach((name, value) -> {
            env.remove(name);
            resolver.text(value).ifPresent(text -> env.put(name, text));
        });
        List<String> argv = launch.plan().argv().stream()
                .flatMap(word -> resolver.text(word).stream())
                .toList();
        Map<String, String> files = new TreeMap<>();
        launch.plan()
                .files()
                .forEach((name, content) -> resolver.text(content).ifPresent(text -> files.put(name, text)));
        return new Rendered(argv, env, files);
    }

    /** Where a data path of the job text is on this machine. */
    static String dataPath(String folder, String written) {
        try {
            return Path.of(folder).resolve(written).normalize().toString();
        } catch (InvalidPathException unspeakable) {
            return written.startsWith("/") ? written : folder + "/" + written;
        }
    }

    private final class Resolver {
        private final Launch launch;

        Resolver(Launch launch) {
            this.launch = launch;
        }

        Optional<String> text(Template template) {
            return template.render(this::part);
        }

        private Optional<String> part(Part part) {
            return switch (part) {
                case Part.Text(String text) -> Optional.of(text);
                case Part.HostOf(Member member) -> Optional.of(host(member));
                case Part.PortOf(Member member, String port) -> Optional.of(Integer.toString(port(member, port)));
                case Part.AddressOf(Member member, String port) ->
                    Optional.of(address(member) + ":" + port(member, port));
                case Part.PathOf(Part.Place place) -> Optional.of(place(place).toString());
                case Part.DataPath(String name) ->
                    Optional.ofNullable(launch.spec().data().get(name))
                            .map(written -> dataPath(launch.folder(), written));
                case Part.SecretValue(String variable) ->
                    Optional.ofNullable(launch.secrets().get(variable));
                case Part.FactOf(Part.Fact fact) -> fact(fact);
                case Part.WhereBash(String text) -> bash().map(shell -> text);
            };
        }

        private String host(Member member) {
            String host = launch.placement().hosts().get(member);
            if (host == null) {
                throw new IllegalArgumentException("the plan names the address of " + member + ", which is not placed");
            }
            return host;
        }

        private String address(Member member) {
            String host = host(member);
            return host.contains(":") ? "[" + host + "]" : host;
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

        private Path place(Part.Place place) {
            return switch (place) {
                case CODE -> folders.code(launch.key());
                case MODEL -> folders.model(launch.key());
                case CHECKPOINTS -> folders.checkpoints(launch.key().job());
                case CONTROL -> folders.control(launch.key().job());
                case REPORT_FILE -> folders.reports(launch.key());
            };
        }

        private Optional<String> fact(Part.Fact fact) {
            return switch (fact) {
                case JOB_ID -> Optional.of(launch.key().job().value());
                case ATTEMPT -> Optional.of(Integer.toString(launch.key().attempt()));
                case RESUME_FROM -> launch.resumeFrom();
                // Without a Python the command keeps its word, so that the launch fails naming it.
                case PYTHON -> Optional.of(launch.python().python().orElse("python3"));
                case SHELL -> Optional.of(bash().orElse("sh"));
                case PATH -> Optional.of(path());
                case INTERFACE -> isLoopback() ? Optional.of("lo") : Optional.empty();
                case OUTWARD_INTERFACE -> Optional.empty();
            };
        }

        private boolean isLoopback() {
            String address = launch.spec().options().localAddress();
            return address.startsWith("127.") || address.equals("::1");
        }

        private Optional<String> bash() {
            return new Programs(path()).find("bash").map(Path::toString);
        }

        String path() {
            List<String> all = new ArrayList<>(launch.python().path());
            all.add(launch.path().isEmpty() ? path : launch.path());
            return String.join(":", all);
        }
    }
}
