package dev.muster.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.Cli;
import dev.muster.cli.FakeService;
import dev.muster.cli.archive.CodeFolder;
import dev.muster.cli.base.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelGetTest {
    @TempDir
    private Path folder;

    private FakeService service;
    private Cli cli;
    private byte[] archive;

    @BeforeEach
    void start() throws IOException {
        service = new FakeService();
        cli = new Cli(folder).to(service);
        Path model = Files.createDirectories(folder.resolve("model/variables")).getParent();
        Files.writeString(model.resolve("saved_model.pb"), "graph");
        Files.writeString(model.resolve("variables/data"), "weights");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CodeFolder.look(model, Path.of("no-home")).writeTo(out);
        archive = out.toByteArray();
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private long entries() throws IOException {
        try (Stream<Path> list = Files.list(folder)) {
            return list.count();
        }
    }

    @Test
    void theFilesOfAVersionAreFetchedWhole() throws IOException {
        service.on(
                "GET /models/m/versions/latest/files",
                call -> call.header("Muster-Model-Version", "3").answer(200, archive));
        assertThat(cli.run("model get m out")).isEqualTo(ExitCode.DONE);
        assertThat(folder.resolve("out/saved_model.pb")).hasContent("graph");
        assertThat(folder.resolve("out/variables/data")).hasContent("weights");
        assertThat(cli.out()).isEqualTo("model m@3 (12 B) is in " + folder.resolve("out") + "\n");
        assertThat(entries()).as("no draft is left").isEqualTo(2);
        service.on(
                "GET /models/m/versions/2/files",
                call -> call.header("Muster-Model-Version", "2").answer(200, archive));
        Files.createDirectory(folder.resolve("vacant"));
        assertThat(cli.run("model get m@2 vacant -o json")).isEqualTo(ExitCode.DONE);
        assertThat(cli.out()).startsWith("{\"name\":\"m\",\"version\":2,\"path\":");
    }

    @Test
    void nothingIsLeftWhenTheTransferBreaksOff() throws IOException {
        byte[] half = Arrays.copyOf(archive, archive.length / 2);
        service.on("GET /models/m/versions/latest/files", call -> call.answer(200, half));
        assertThat(cli.run("model get m out")).isEqualTo(ExitCode.REFUSED);
        assertThat(cli.err()).contains("too early");
        assertThat(entries()).isEqualTo(1);
    }

    @Test
    void aFolderWithSomethingInItIsNotTouched() throws IOException {
        Files.createDirectory(folder.resolve("out"));
        Files.writeString(folder.resolve("out/mine"), "x");
        assertThat(cli.run("model get m out")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(cli.err()).contains("not an empty folder");
        assertThat(service.asked()).isEmpty();
    }

    @Test
    void aModelThatIsNotThereIsFive() {
        assertThat(cli.run("model get nosuch out")).isEqualTo(ExitCode.NOT_FOUND);
    }
}
