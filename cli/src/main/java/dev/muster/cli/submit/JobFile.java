package dev.muster.cli.submit;

import dev.muster.cli.base.Failure;
import dev.muster.cli.base.Reasons;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A job text as it was written.
 *
 * @param name   as the person named it
 * @param text   not looked into: the service reads it
 * @param folder absolute folder against which its relative paths are read
 */
public record JobFile(String name, String text, Path folder) {
    private static final int MOST_BYTES = 1 << 20;

    /**
     * Reads the file, or standard input for {@code -}. Nothing lies beside standard input or another pipe, such as a shell's
     * {@code <(...)}: paths in them are read from the working folder.
     *
     * @param folder the working folder
     */
    public static JobFile read(String name, Path folder, InputStream standardInput) {
        try {
            if (name.equals("-")) {
                return new JobFile("standard input", text(name, standardInput.readNBytes(MOST_BYTES + 1)), folder);
            }
            Path file = folder.resolve(name).normalize();
            if (Files.isDirectory(file)) {
                throw Failure.badField(name, "is a folder", "name the job file in it, such as " + name + "/job.yaml");
            }
            try (InputStream in = Files.newInputStream(file)) {
                Path beside = Files.isRegularFile(file) ? file.getParent() : folder;
                return new JobFile(name, text(name, in.readNBytes(MOST_BYTES + 1)), beside);
            }
        } catch (NoSuchFileException missing) {
            throw Failure.badField(
                    name,
                    "is not there",
                    Beside.of(folder, name)
                            .map(near -> "did you mean " + near + "?")
                            .orElse("looked in " + folder));
        } catch (InvalidPathException noPath) {
            throw Failure.badField(name, "is not there", "looked in " + folder);
        } catch (IOException unreadable) {
            throw Failure.badField(name, "cannot be read: " + Reasons.of(unreadable), "give a file you may read");
        }
    }

    private static String text(String name, byte[] bytes) {
        if (bytes.length > MOST_BYTES) {
            throw Failure.badField(name, "is larger than 1 MiB", "give the job text; data and code lie beside it");
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException notText) {
            throw Failure.badField(name, "is not UTF-8 text", "give a job text in YAML or JSON");
        }
    }
}
