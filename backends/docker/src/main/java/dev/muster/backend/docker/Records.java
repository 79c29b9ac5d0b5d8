package dev.muster.backend.docker;

import dev.muster.formats.files.Folders;
import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessName;
import dev.muster.spi.JobFolders;
import dev.muster.spi.Sighting.Seen;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the service itself keeps of each attempt, in {@code docker/} of the job's folder, so that nobody who removes containers takes a
 * result away: {@code PROCESS.aN.claim} once its container was made, with what is different where it was another's, {@code .end} once its end was seen, {@code .collected} once its model
 * was fetched.
 */
record Records(JobFolders folders) {
    private static final Pattern CLAIM = Pattern.compile("(.+)\\.a(\\d+)\\.claim");

    private Path folder(JobId job) {
        return folders.job(job).resolve("docker");
    }

    private Path file(ProcessKey key, String kind) {
        return folder(key.job()).resolve(key.name() + ".a" + key.attempt() + "." + kind);
    }

    void claim(ProcessKey key) throws IOException {
        write(file(key, "claim"), "");
    }

    /**
     * A container in which a process was held ready is this attempt's.
     *
     * @param labels what its labels would be, had it been made for the attempt
     */
    void took(ProcessKey key, Map<String, String> labels) throws IOException {
        Properties properties = new Properties();
        properties.putAll(labels);
        write(key, "claim", properties);
    }

    /** What {@link #took} was told of the attempt; empty for one that a container was made for. */
    Optional<Map<String, String>> taken(ProcessKey key) throws IOException {
        Map<String, String> labels = new TreeMap<>();
        try {
            Properties properties = new Properties();
            properties.load(new StringReader(Files.readString(file(key, "claim"))));
            properties.stringPropertyNames().forEach(name -> labels.put(name, properties.getProperty(name)));
        } catch (NoSuchFileException notYet) {
            return Optional.empty();
        }
        return labels.isEmpty() ? Optional.empty() : Optional.of(labels);
    }

    /** When it was claimed. */
    Instant claimedAt(ProcessKey key) throws IOException {
        return Files.getLastModifiedTime(file(key, "claim")).toInstant();
    }

    boolean isClaimed(ProcessKey key) {
        return Files.exists(file(key, "claim"));
    }

    /** The start failed and left nothing. */
    void unclaim(ProcessKey key) throws IOException {
        Files.deleteIfExists(file(key, "claim"));
    }

    void collected(ProcessKey key) throws IOException {
        write(file(key, "collected"), "");
    }

    boolean isCollected(ProcessKey key) {
        return Files.exists(file(key, "collected"));
    }

    /** Every attempt whose container was made. */
    List<ProcessKey> claimed(JobId job) throws IOException {
        List<ProcessKey> keys = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder(job), "*.claim")) {
            for (Path file : files) {
                Matcher name = CLAIM.matcher(file.getFileName().toString());
                if (name.matches()) {
                    ProcessName.parse(name.group(1))
                            .ifPresent(
                                    process -> keys.add(new ProcessKey(job, process, Integer.parseInt(name.group(2)))));
                }
            }
        } catch (NoSuchFileException none) {
            return List.of();
        }
        return keys;
    }

    void ended(ProcessKey key, Seen.Ended end) throws IOException {
        Properties properties = new Properties();
        properties.setProperty("code", Integer.toString(end.code()));
        properties.setProperty("outOfMemory", Boolean.toString(end.outOfMemory()));
        end.startedAt().ifPresent(at -> properties.setProperty("startedAt", at.toString()));
        properties.setProperty("endedAt", end.endedAt().toString());
        end.message().ifPresent(message -> properties.setProperty("message", message));
        write(key, "end", properties);
    }

    void vanished(ProcessKey key, Seen.Vanished end) throws IOException {
        Properties properties = new Properties();
        end.startedAt().ifPresent(at -> properties.setProperty("startedAt", at.toString()));
        properties.setProperty("cause", end.cause().name());
        properties.setProperty("message", end.message());
        write(key, "end", properties);
    }

    private void write(ProcessKey key, String kind, Properties properties) throws IOException {
        StringWriter text = new StringWriter();
        properties.store(text, null);
        write(file(key, kind), text.toString());
    }

    /** How it ended, where that was seen. */
    Optional<Seen> end(ProcessKey key) throws IOException {
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(Files.readString(file(key, "end"))));
        } catch (NoSuchFileException notYet) {
            return Optional.empty();
        }
        Optional<Instant> startedAt =
                Optional.ofNullable(properties.getProperty("startedAt")).map(Instant::parse);
        Optional<String> message = Optional.ofNullable(properties.getProperty("message"));
        String code = properties.getProperty("code");
        if (code == null) {
            return Optional.of(
                    new Seen.Vanished(startedAt, Cause.valueOf(properties.getProperty("cause")), message.orElse("")));
        }
        return Optional.of(new Seen.Ended(
                Integer.parseInt(code),
                Boolean.parseBoolean(properties.getProperty("outOfMemory")),
                startedAt,
                Instant.parse(properties.getProperty("endedAt")),
                message));
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Path half = file.resolveSibling("." + file.getFileName());
        Files.writeString(half, text);
        Files.move(half, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Jobs of which something is kept. */
    List<JobId> jobs() throws IOException {
        List<JobId> jobs = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folders.home().resolve("jobs"))) {
            for (Path job : all) {
                if (Files.isDirectory(job.resolve("docker"))) {
                    try {
                        jobs.add(new JobId(job.getFileName().toString()));
                    } catch (IllegalArgumentException stranger) {
                        continue;
                    }
                }
            }
        } catch (NoSuchFileException none) {
            return List.of();
        }
        return jobs;
    }

    void remove(JobId job) throws IOException {
        Folders.delete(folder(job));
    }
}
