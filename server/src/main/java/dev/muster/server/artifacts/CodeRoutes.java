package dev.muster.server.artifacts;

import dev.muster.api.ProblemType;
import dev.muster.api.StoredCode;
import dev.muster.artifacts.code.RefusedArchiveException;
import dev.muster.artifacts.files.DiskSpace;
import dev.muster.server.access.Scope;
import dev.muster.server.http.Exchange;
import dev.muster.server.http.PathVariables;
import dev.muster.server.http.ProblemException;
import dev.muster.server.http.Route;
import dev.muster.spi.CodeStore;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;

/** Takes code snapshots in. */
public final class CodeRoutes {
    private static final long MAX_BYTES = 8L << 30;

    private final CodeStore code;

    public CodeRoutes(CodeStore code) {
        this.code = code;
    }

    public List<Route> routes() {
        return List.of(
                new Route("PUT", "/v1/code", Scope.SUBMIT, this::put),
                new Route("HEAD", "/v1/code/{digest}", Scope.SUBMIT, this::has));
    }

    private void put(Exchange exchange, PathVariables variables) throws IOException {
        try (InputStream tar = exchange.body()) {
            exchange.send(200, new StoredCode(code.put(tar, MAX_BYTES)));
        } catch (RefusedArchiveException refused) {
            if (refused.tooLarge()) {
                throw new ProblemException(ProblemType.TOO_LARGE, refused.getMessage());
            }
            throw ProblemException.invalid("", refused.getMessage());
        } catch (IOException failed) {
            if (DiskSpace.isFull(failed)) {
                throw new ProblemException(
                        ProblemType.DISK_FULL,
                        "The code was not stored, because the disk of MUSTER_HOME is full. Make room and try again.");
            }
            throw failed;
        }
    }

    private void has(Exchange exchange, PathVariables variables) {
        exchange.send(code.has(variables.get("digest")) ? 204 : 404, Map.of());
    }
}
