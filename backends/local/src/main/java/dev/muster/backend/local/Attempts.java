package dev.muster.backend.local;

import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessName;
import dev.muster.spi.JobFolders;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** Every attempt of every job that was asked about. A job's folders are listed once; from then on its attempts are known. */
final class Attempts {
    private static final Comparator<ProcessKey> ORDER =
            Comparator.comparing(ProcessKey::name).thenComparingInt(ProcessKey::attempt);

    private final JobFolders folders;
    private final Proc proc;
    private final Map<JobId, Map<ProcessKey, LocalAttempt>> known = new ConcurrentHashMap<>();

    Attempts(JobFolders folders, Proc proc) {
        this.folders = folders;
        this.proc = proc;
    }

    /** The folder of all attempts of a job. */
    Path folder(JobId job) {
        return folders.job(job).resolve("processes");
    }

    /** The attempt, started or not. */
    LocalAttempt of(ProcessKey key) {
        Map<ProcessKey, LocalAttempt> attempts = known.get(key.job());
        LocalAttempt attempt = attempts == null ? null : attempts.get(key);
        return attempt == null ? make(key) : attempt;
    }

    private LocalAttempt make(ProcessKey key) {
        String marker = "MUSTER_CODE_DIR=" + folders.code(key);
        return new LocalAttempt(key, new AttemptFolder(folders.process(key)), marker, proc);
    }

    /** Takes up an attempt that was just started. */
    void begin(LocalAttempt attempt) throws IOException {
        load(attempt.key().job()).computeIfAbsent(attempt.key(), key -> attempt).begin();
    }

    /** Whether the job's attempts were asked for before. */
    boolean knows(JobId job) {
        return known.containsKey(job);
    }

    /** The job's attempts by name and number. */
    List<LocalAttempt> of(JobId job) throws IOException {
        List<LocalAttempt> attempts = new ArrayList<>(load(job).values());
        attempts.sort(Comparator.comparing(LocalAttempt::key, ORDER));
        return attempts;
    }

    private Map<ProcessKey, LocalAttempt> load(JobId job) throws IOException {
        Map<ProcessKey, LocalAttempt> attempts = known.get(job);
        if (attempts != null) {
            return attempts;
        }
        Map<ProcessKey, LocalAttempt> found = new ConcurrentHashMap<>();
        for (Path process : entries(folder(job))) {
            Optional<ProcessName> name = ProcessName.parse(process.getFileName().toString());
            if (name.isEmpty()) {
                continue;
            }
            for (Path attempt : entries(process)) {
                String text = attempt.getFileName().toString();
                if (text.matches("a[1-9]\\d{0,8}")) {
                    ProcessKey key = new ProcessKey(job, name.get(), Integer.parseInt(text.substring(1)));
                    found.put(key, make(key));
                }
            }
        }
        Map<ProcessKey, LocalAttempt> other = known.putIfAbsent(job, found);
        return other == null ? found : other;
    }

    /** Those that are known to live. */
    Collection<LocalAttempt> live() {
        return known.values().stream()
                .flatMap(attempts -> attempts.values().stream())
                .filter(LocalAttempt::isLive)
                .toList();
    }

    /** Every job that has attempts. */
    Set<JobId> jobs() throws IOException {
        Set<JobId> jobs = new TreeSet<>();
        for (Path job : entries(folders.home().resolve("jobs"))) {
            if (Files.isDirectory(job.resolve("processes"))) {
                Own.job(job.getFileName().toString()).ifPresent(jobs::add);
            }
        }
        return jobs;
    }

    void forget(JobId job) {
        known.remove(job);
    }

    private static List<Path> entries(Path folder) throws IOException {
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
            List<Path> entries = new ArrayList<>();
            stream.forEach(entries::add);
            return entries;
        } catch (NoSuchFileException | NotDirectoryException none) {
            return List.of();
        }
    }
}
