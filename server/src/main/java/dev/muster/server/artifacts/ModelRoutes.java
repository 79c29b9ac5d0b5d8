package dev.muster.server.artifacts;

import dev.muster.api.ModelDocument;
import dev.muster.api.Page;
import dev.muster.api.ProblemType;
import dev.muster.model.ModelVersion;
import dev.muster.model.Nearest;
import dev.muster.server.access.Scope;
import dev.muster.server.http.Exchange;
import dev.muster.server.http.PathVariables;
import dev.muster.server.http.ProblemException;
import dev.muster.server.http.Queries;
import dev.muster.server.http.Route;
import dev.muster.spi.ModelRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Shows registered models and gives their files out. */
public final class ModelRoutes {
    private static final String LATEST = "latest";
    private static final int LARGEST_PAGE = 1000;

    private final ModelRegistry models;

    public ModelRoutes(ModelRegistry models) {
        this.models = models;
    }

    public List<Route> routes() {
        return List.of(
                new Route("GET", "/v1/models", Scope.READ, this::all, "before", "limit"),
                new Route("GET", "/v1/models/{name}", Scope.READ, this::versions, "before", "limit"),
                new Route("GET", "/v1/models/{name}/versions/{version}/files", Scope.READ, this::files));
    }

    private void all(Exchange exchange, PathVariables variables) {
        send(exchange, seen(exchange, Optional.empty()));
    }

    private void versions(Exchange exchange, PathVariables variables) {
        send(exchange, versions(exchange, variables.get("name")));
    }

    private static void send(Exchange exchange, List<ModelVersion> versions) {
        int limit = Queries.read(exchange, query -> query.number("limit", 1, LARGEST_PAGE, LARGEST_PAGE));
        int begin = exchange.query("before").map(last -> after(last, versions)).orElse(0);
        int end = (int) Math.min(versions.size(), (long) begin + limit);
        List<ModelDocument> items = versions.subList(begin, end).stream()
                .map(version -> new ModelDocument(
                        version.name(),
                        version.version(),
                        version.digest(),
                        version.job().value(),
                        version.createdAt()))
                .toList();
        boolean more = end < versions.size();
        exchange.send(200, new Page<>(items, more ? Optional.of(reference(versions.get(end - 1))) : Optional.empty()));
    }

    /** Where the page begins whose page before ended with this version; versions are never removed. */
    private static int after(String last, List<ModelVersion> versions) {
        for (int index = 0; index < versions.size(); index++) {
            if (reference(versions.get(index)).equals(last)) {
                return index + 1;
            }
        }
        throw ProblemException.invalid("before", "before must be a version NAME@NUMBER, as next gave it");
    }

    private static String reference(ModelVersion version) {
        return version.name() + "@" + version.version();
    }

    private void files(Exchange exchange, PathVariables variables) throws IOException {
        String name = variables.get("name");
        List<ModelVersion> versions = versions(exchange, name);
        int version = version(versions, variables.get("version"))
                .orElseThrow(() -> new ProblemException(
                        ProblemType.NOT_FOUND,
                        "Model " + name + " has no version " + variables.get("version") + "; it has "
                                + versions.stream()
                                        .map(ModelVersion::version)
                                        .sorted()
                                        .map(String::valueOf)
                                        .collect(Collectors.joining(", "))
                                + "."));
        Path folder = models.files(name, version)
                .orElseThrow(() -> new ProblemException(
                        ProblemType.NOT_FOUND, "Version " + version + " of " + name + " is gone."));
        refuseOtherNames(folder);
        OutputStream out =
                exchange.stream("application/x-tar", Map.of("Muster-Model-Version", Integer.toString(version)));
        FolderArchive.write(folder, out);
        out.close();
    }

    /** A name that is not UTF-8 would come out as another, or as that of another file. */
    private static void refuseOtherNames(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            Optional<Path> other =
                    paths.filter(path -> !Path.of(path.toString()).equals(path)).findFirst();
            if (other.isPresent()) {
                throw new ProblemException(
                        ProblemType.STATE,
                        "The name of " + folder.relativize(other.get())
                                + " in the model is not UTF-8, so that it cannot be"
                                + " sent as it is; copy the files from " + folder + ".");
            }
        }
    }

    /** Those of the caller's projects; what is not of them is not there. */
    private List<ModelVersion> seen(Exchange exchange, Optional<String> name) {
        return models.list(name).stream()
                .filter(version -> exchange.caller().projects().allow(version.project()))
                .toList();
    }

    private List<ModelVersion> versions(Exchange exchange, String name) {
        List<ModelVersion> versions = seen(exchange, Optional.of(name));
        if (versions.isEmpty()) {
            List<String> names = seen(exchange, Optional.empty()).stream()
                    .map(ModelVersion::name)
                    .toList();
            String nearest = Nearest.to(name, names)
                    .map(one -> " Did you mean " + one + "?")
                    .orElse("");
            throw new ProblemException(ProblemType.NOT_FOUND, "No model is called '" + name + "'." + nearest);
        }
        return versions;
    }

    private static Optional<Integer> version(List<ModelVersion> versions, String asked) {
        return versions.stream()
                .map(ModelVersion::version)
                .filter(version -> asked.equals(LATEST) || asked.equals(version.toString()))
                .max(Comparator.naturalOrder());
    }
}
