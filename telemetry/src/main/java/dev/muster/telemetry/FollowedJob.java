package dev.muster.telemetry;

import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import dev.muster.model.Progress;
import dev.muster.spi.JobFolders;
import dev.muster.spi.Telemetry.Pace;
import dev.muster.spi.Telemetry.Signs;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What all attempts of one job have said. For one thread at a time, but for {@link #signs}. */
final class FollowedJob {
    private static final Duration APART = Duration.ofSeconds(1);

    private final Map<ProcessKey, FollowedAttempt> attempts = new LinkedHashMap<>();
    private final Map<Path, Long> earlierBadRecords = new HashMap<>();
    private final JobFolders folders;
    private boolean unpublished;
    private Instant published = Instant.MIN;
    private long publishedNews;
    private volatile Signs signs = Signs.NONE;

    /** Takes up what attempts before said that a service before this one followed. */
    FollowedJob(JobId job, JobFolders folders) {
        this.folders = folders;
        Path logs = folders.job(job).resolve("logs");
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(logs)) {
            for (Path process : processes) {
                try (DirectoryStream<Path> states = Files.newDirectoryStream(process, "*.state")) {
                    for (Path state : states) {
                        SavedState.read(state)
                                .ifPresent(read -> read.badRecords.ifPresent(bad -> earlierBadRecords.put(state, bad)));
                    }
                }
            }
        } catch (IOException nothingYet) {
            // A job without logs has said nothing.
        }
    }

    Collection<FollowedAttempt> attempts() {
        return attempts.values();
    }

    Optional<FollowedAttempt> attempt(ProcessKey key) {
        return Optional.ofNullable(attempts.get(key));
    }

    void add(FollowedAttempt attempt) {
        attempts.put(attempt.key(), attempt);
        earlierBadRecords.remove(folders.logState(attempt.key()));
    }

    /** The signs as last {@link #publish published}. Any thread may ask. */
    Signs signs() {
        return signs;
    }

    /**
     * Whether what was said should be told now: first reports and checkpoints at once, as somebody waits for them, how far the training is once
     * a second.
     *
     * @param changed whether anything was said since the last call
     */
    boolean publishIsDue(boolean changed, Instant now) {
        unpublished |= changed;
        return unpublished && (news() != publishedNews || !now.isBefore(published.plus(APART)));
    }

    private long news() {
        long news = 0;
        for (FollowedAttempt attempt : attempts.values()) {
            news += attempt.said().news();
        }
        return news;
    }

    void publish(Instant now) {
        unpublished = false;
        published = now;
        publishedNews = news();
        Set<ProcessKey> reported = new HashSet<>();
        Map<ProcessKey, Instant> lastOutput = new HashMap<>();
        Map<ProcessKey, Pace> paces = new HashMap<>();
        Map<ProcessKey, List<String>> refusals = new HashMap<>();
        Set<String> checkpoints = new LinkedHashSet<>();
        long badRecords =
                earlierBadRecords.values().stream().mapToLong(Long::longValue).sum();
        for (FollowedAttempt attempt : attempts.values()) {
            Said said = attempt.said();
            if (said.reported()) {
                reported.add(attempt.key());
            }
            said.lastOutput().ifPresent(at -> lastOutput.put(attempt.key(), at));
            said.pace().ifPresent(pace -> paces.put(attempt.key(), pace));
            List<String> remarks = Stream.concat(attempt.ofRanks().stream(), attempt.refusals().stream())
                    .toList();
            if (!remarks.isEmpty()) {
                refusals.put(attempt.key(), remarks);
            }
            badRecords += said.badRecords().orElse(0);
            checkpoints.removeAll(said.checkpoints());
            checkpoints.addAll(said.checkpoints());
        }
        Progress progress = attempts.values().stream()
                .filter(FollowedAttempt::chief)
                .max(Comparator.comparingInt(
                                (FollowedAttempt attempt) -> attempt.key().attempt())
                        .thenComparing(attempt -> attempt.said().reported()))
                .map(attempt -> attempt.said().progress())
                .orElse(Progress.NONE);
        signs = new Signs(reported, lastOutput, progress, badRecords, List.copyOf(checkpoints), paces, refusals);
    }
}
