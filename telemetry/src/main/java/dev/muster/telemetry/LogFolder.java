package dev.muster.telemetry;

import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessName;
import dev.muster.spi.JobFolders;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which logs a job has. */
final class LogFolder {
    private static final Pattern LOG = Pattern.compile("a([1-9]\\d{0,8})\\.log");

    private LogFolder() {}

    static SortedSet<ProcessName> processes(JobFolders folders, JobId job) throws IOException {
        // Every process has its own folder beside each other's, whichever it is.
        Path any = folders.log(new ProcessKey(job, new ProcessName("worker", 0), 1));
        return entries(
                any.getParent().getParent(),
                name -> ProcessName.parse(name).stream().toList());
    }

    /** Numbers of the attempts of a process that have a log, ascending. */
    static SortedSet<Integer> attempts(JobFolders folders, JobId job, ProcessName name) throws IOException {
        Path any = folders.log(new ProcessKey(job, name, 1));
        return entries(any.getParent(), file -> {
            Matcher matcher = LOG.matcher(file);
            return matcher.matches() ? List.of(Integer.valueOf(matcher.group(1))) : List.of();
        });
    }

    private static <T> SortedSet<T> entries(Path folder, Function<String, List<T>> read) throws IOException {
        SortedSet<T> found = new TreeSet<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                found.addAll(read.apply(entry.getFileName().toString()));
            }
        } catch (NoSuchFileException nothingYet) {
            // No process has said anything yet.
        }
        return found;
    }
}
