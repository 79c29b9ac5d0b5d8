package dev.muster.api;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Answer to GET /v1/service, and of {@code local status}.
 *
 * @param running whether there is a service
 * @param pid     its process
 * @param address where it listens, such as {@code http://127.0.0.1:41234}
 * @param build   its build
 */
public record ServiceDocument(boolean running, OptionalLong pid, Optional<String> address, Optional<String> build)
        implements Document {
    public static final ServiceDocument NONE =
            new ServiceDocument(false, OptionalLong.empty(), Optional.empty(), Optional.empty());

    public static ServiceDocument of(JsonFields json) {
        return new ServiceDocument(
                json.bool("running"),
                json.optionalInteger("pid"),
                json.optionalText("address"),
                json.optionalText("build"));
    }

    @Override
    public JsonFields toJson() {
        return Json.object()
                .put("running", Json.of(running))
                .put("pid", Json.of(pid))
                .put("address", Json.ofText(address))
                .put("build", Json.ofText(build))
                .build();
    }
}
