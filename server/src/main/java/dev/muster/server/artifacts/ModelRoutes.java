package dev.muster.server.artifacts;

import dev.muster.api.ModelDocument;
import dev.muster.api.Page;
import dev.muster.api.ProblemType;
import dev.muster.model.ModelVersion;
import dev.muster.server.http.Exchange;
import dev.muster.server.http.PathVariables;
import dev.muster.server.http.ProblemException;
import dev.muster.server.http.Route;
import dev.muster.spi.ModelRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Shows registered models and gives their files out. */
public final class ModelRoutes {
    private static final String LATEST = "latest";

    private final ModelRegistry models;

    public ModelRoutes(ModelRegistry models) {
        this.models = models;
    }

    public List<Route> routes() {
        return List.of(
                new Route("GET", "/v1/models", this::all),
                new Route("GET", "/v1/models/{name}", this::versions),
                new Route("GET", "/v1/models/{name}/versions/{version}/files", this::files));
    }

    private void all(Exchange exchange, PathVariables variables) {
        send(exchange, models.list(Optional.empty()));
    }

    private void versions(Exchange exchange, PathVariables variables) {
        send(exchange, versions(variables.get("name")));
    }

    private static void send(Exchange exchange, List<ModelVersion> versions) {
        List<ModelDocument> items = versions.stream()
                .map(version -> new ModelDocument(
                        version.name(),
                        version.version(),
                        version.digest(),
                        version.job().value(),
                        version.createdAt()))
                .toList();
        exchange.send(200, new Page<>(items, Optional.empty()));
    }

    private void files(Exchange exchange, PathVariables variables) throws IOException {
        String name = variables.get("name");
        int version = version(versions(name), variables.get("version"))
                .orElseThrow(() -> new ProblemException(
                        ProblemType.NOT_FOUND,
                        "Model " + name + " has no version " + variables.get("version") + "; GET /v1/models/" + name
                                + " lists them."));
        Path folder = models.files(name, version)
                .orElseThrow(() -> new ProblemException(
                        ProblemType.NOT_FOUND, "Version " + version + " of " + name + " is gone."));
        OutputStream out =
                exchange.stream("application/x-tar", Map.of("Muster-Model-Version", Integer.toString(version)));
        TarWriter tar = new TarWriter(out);
        tar.folder(folder);
        tar.close();
        out.close();
    }

    private List<ModelVersion> versions(String name) {
        List<ModelVersion> versions = models.list(Optional.of(name));
        if (versions.isEmpty()) {
            throw new ProblemException(ProblemType.NOT_FOUND, "No model is called '" + name + "'.");
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
