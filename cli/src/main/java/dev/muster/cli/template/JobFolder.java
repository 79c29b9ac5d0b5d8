package dev.muster.cli.template;

import dev.muster.api.FieldProblem;
import dev.muster.cli.base.Failure;
import dev.muster.cli.base.Reasons;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Writes a template into a folder. A file that is there is never overwritten: then nothing is written at all. */
public final class JobFolder {
    private static final Pattern JOB_NAME = Pattern.compile("[a-z]([a-z0-9-]{0,38}[a-z0-9])?");

    private JobFolder() {}

    /**
     * Writes it.
     *
     * @param folder absolute; made when it is not there. The job is called as it is, where that can be a job's name
     * @return the files written, relative to the folder
     * @throws Failure when a file is there already, or one cannot be written
     */
    public static List<String> write(Template template, Path folder) {
        String name = folder.getFileName() == null ? "" : folder.getFileName().toString();
        Map<String, String> files =
                TemplateFiles.of(template, JOB_NAME.matcher(name).matches() ? name : "");
        List<FieldProblem> taken = files.keySet().stream()
                .filter(file -> Files.exists(folder.resolve(file), LinkOption.NOFOLLOW_LINKS))
                .map(file -> new FieldProblem(file, "is there already", Optional.empty()))
                .toList();
        if (!taken.isEmpty()) {
            throw Failure.badInput(
                    "nothing is overwritten, and nothing was written to " + folder + ": name a new folder", taken);
        }
        try {
            for (Map.Entry<String, String> file : files.entrySet()) {
                write(folder.resolve(file.getKey()), file.getValue());
            }
        } catch (IOException failed) {
            throw Failure.refused("the job folder " + folder + " was not made: " + Reasons.of(failed));
        }
        return List.copyOf(files.keySet());
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text, StandardOpenOption.CREATE_NEW);
        if (text.startsWith("#!") && !file.toFile().setExecutable(true)) {
            throw new IOException(file + " cannot be made executable");
        }
    }
}
