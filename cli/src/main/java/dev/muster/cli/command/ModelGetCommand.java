package dev.muster.cli.command;

import dev.muster.cli.archive.Unpacking;
import dev.muster.cli.arguments.Syntax;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.base.Failure;
import dev.muster.cli.base.Reasons;
import dev.muster.cli.client.Answer;
import dev.muster.cli.format.Sizes;
import dev.muster.formats.files.Folders;
import dev.muster.formats.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;

/** {@code model get NAME[@V] DIR}: the files of a version. The folder shows whole or not at all. */
public final class ModelGetCommand implements Command {
    @Override
    public Syntax syntax() {
        return Syntax.of("model get", "fetch the files of a registered model")
                .operand("NAME[@V]", "model, and version when not the latest")
                .operand("DIR", "folder to make; it may be there if it is empty");
    }

    @Override
    public ExitCode run(Session session) {
        String model = session.arguments().operand(0);
        int at = model.indexOf('@');
        String name = at < 0 ? model : model.substring(0, at);
        String version = at < 0 ? "latest" : model.substring(at + 1);
        Path folder = session.surroundings()
                .folder()
                .resolve(session.arguments().operand(1))
                .normalize();
        checkVacant(folder);
        Answer answer = session.api().modelFiles(name, version);
        String sent = answer.header("Muster-Model-Version").orElse(version);
        long bytes = fetch(answer, folder);
        if (session.json()) {
            session.write(Json.object()
                    .put("name", name)
                    .put("version", version(sent))
                    .put("path", folder.toString())
                    .put("bytes", Json.of(bytes))
                    .build());
        } else {
            session.out().line("model " + name + "@" + sent + " (" + Sizes.show(bytes) + ") is in " + folder);
        }
        return ExitCode.DONE;
    }

    private static Json version(String sent) {
        try {
            return Json.of(Integer.parseInt(sent));
        } catch (NumberFormatException notSaid) {
            return Json.NULL;
        }
    }

    private static void checkVacant(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        boolean vacant = false;
        if (Files.isDirectory(folder)) {
            try (Stream<Path> list = Files.list(folder)) {
                vacant = list.findAny().isEmpty();
            } catch (IOException unreadable) {
                throw Failure.badField(
                        "DIR", folder + " cannot be read: " + Reasons.of(unreadable), "name another folder");
            }
        }
        if (!vacant) {
            throw Failure.badField("DIR", folder + " is there and not an empty folder", "name a new folder");
        }
    }

    private static long fetch(Answer answer, Path folder) {
        try (InputStream in = answer.content()) {
            Path parent = folder.getParent() == null ? folder : folder.getParent();
            Files.createDirectories(parent);
            Path draft = Files.createTempDirectory(parent, "." + folder.getFileName() + ".");
            try {
                Path content = Files.createDirectory(draft.resolve("content"));
                long bytes = Unpacking.unpack(in, content);
                Files.deleteIfExists(folder);
                Files.move(content, folder, StandardCopyOption.ATOMIC_MOVE);
                return bytes;
            } finally {
                Folders.delete(draft);
            }
        } catch (IOException failed) {
            throw Failure.refused(
                    "the model was not fetched: " + Reasons.of(failed) + "; nothing is left in " + folder);
        }
    }
}
