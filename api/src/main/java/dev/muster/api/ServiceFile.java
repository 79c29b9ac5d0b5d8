package dev.muster.api;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.time.Instant;

/**
 * {@code service.json} in MUSTER_HOME: where the embedded service is. Written by the service once it answers, atomically and readable
 * by its owner only; removed when it stops cleanly. A file that is there proves nothing: the lock of {@link ServiceHome} does.
 *
 * @param pid       its process
 * @param startedAt when that process started, as the system tells it; with pid it is one process and no other
 * @param address   base of its URLs, such as {@code http://127.0.0.1:41234}
 * @param tokenFile absolute path of the file whose content is the bearer token
 * @param build     its build
 */
public record ServiceFile(long pid, Instant startedAt, String address, String tokenFile, String build)
        implements Document {
    public static ServiceFile of(JsonFields json) {
        return new ServiceFile(
                json.integer("pid"),
                json.time("startedAt"),
                json.text("address"),
                json.text("tokenFile"),
                json.text("build"));
    }

    @Override
    public JsonFields toJson() {
        return Json.object()
                .put("pid", Json.of(pid))
                .put("startedAt", Json.of(startedAt))
                .put("address", address)
                .put("tokenFile", tokenFile)
                .put("build", build)
                .build();
    }
}
