package dev.muster.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The description of the API beside the one that clients were written for. */
class OpenApiChangesTest {
    /** Replaced by the present one when a version is released; never to let a breaking change through. */
    private static final Path STABLE = Path.of("src/test/resources/openapi-stable.yaml");

    private static final Path PRESENT = Path.of("../api/openapi.yaml");

    @TempDir
    private Path folder;

    @Test
    void nothingIsTakenFromClients() {
        assertThat(OpenApiChanges.breaking(new OpenApi(STABLE), new OpenApi(PRESENT)))
                .as(
                        "changes of api/openapi.yaml that break clients: make them additive, or bring a new version beside the old one")
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "  /health:                                 |  /alive:                              | /health is gone",
                "    delete:                                |    patch:                             | delete /jobs/{job} is gone",
                "name: metric, in: query                    |name: series, in: query                | has no parameter query metric",
                "name: name, in: query, schema              |name: name, in: query, required: true, schema | needs parameter query name",
                "required: [text, folder]                   |required: [text, folder, path]         | request.path is required",
                "        key: {$ref                         |        token: {$ref                   | .key is gone",
                "maxLength: 1048576                         |maxLength: 1000                        | has maxLength 1000, had 1048576",
                "enum: [Waiting, Starting, Running          |enum: [Starting, Running               | has lost values of",
                "        pid: {$ref: \"#/components/schemas/OptionalInteger\"} |        pid: {type: string} | is [string], was [integer, null]",
                "required: [running, pid, address, build]   |required: [running, pid, address]       | .build may be missing",
                "\"204\": {description: It is gone.}        |\"200\": {description: It is gone.}    | does not answer 204",
                "            text/event-stream: {schema     |            text/events: {schema       | has no text/event-stream",
            })
    void whatBreaksAClientIsSeen(String old, String now, String told) throws Exception {
        String text = Files.readString(PRESENT);
        assertThat(text).contains(old.stripTrailing());
        Path changed = Files.writeString(
                folder.resolve("openapi.yaml"), text.replace(old.stripTrailing(), now.stripTrailing()));
        assertThat(OpenApiChanges.breaking(new OpenApi(PRESENT), new OpenApi(changed)))
                .anySatisfy(change -> assertThat(change).contains(told));
    }
}
