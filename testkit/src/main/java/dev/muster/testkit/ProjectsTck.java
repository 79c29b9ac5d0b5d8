package dev.muster.testkit;

import static dev.muster.testkit.SampleJobs.NOON;
import static dev.muster.testkit.SampleJobs.queued;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.Origin;
import dev.muster.spi.JobStore;
import dev.muster.spi.JobStore.Accepted;
import dev.muster.spi.JobStore.Query;
import dev.muster.spi.Projects;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What every job store does about projects, and its filters. */
interface ProjectsTck {
    /** A store without jobs, the same for one test. */
    JobStore store();

    @Test
    default void namesOfLiveJobsAreUniqueWithinAProject() {
        JobRecord ours = accept("default", "ja1");
        JobRecord theirs = accept("vision", "ja2");
        assertThat(store().accept(of("vision", "ja3"), Map.of(), Optional.empty()))
                .isEqualTo(new Accepted.NameTaken(theirs.id()));
        assertThat(store().find(theirs.id())).contains(theirs);
        assertThat(store().named("x", Projects.of("vision"))).contains(theirs.id());
        assertThat(store().named("x", Projects.of("default"))).contains(ours.id());
        assertThat(store().named("x", Projects.of(Set.of("vision", "default")))).contains(theirs.id());
        assertThat(store().named("x", Projects.of(Set.of()))).isEmpty();
        assertThat(store().withPrefix("ja", Projects.of("vision"), 5)).containsExactly(theirs.id());
        assertThat(store().withPrefix("ja", Projects.of(Set.of()), 5)).isEmpty();
    }

    @Test
    default void a07_jobsAreListedByProjectOwnerQueueAndTime() {
        accept("default", "ja1");
        accept("vision", "ja2");
        assertThat(store().cursor(new JobId("ja1"), Projects.of("vision"))).isEmpty();
        assertThat(store().cursor(new JobId("nosuch"), Projects.ALL)).isEmpty();
        assertThat(ids(Projects.of("vision"), "ann", "default", NOON)).containsExactly("ja2");
        assertThat(ids(Projects.ALL, "ann", "default", NOON)).containsExactly("ja2", "ja1");
        assertThat(ids(Projects.of(Set.of()), "ann", "default", NOON)).isEmpty();
        assertThat(ids(Projects.ALL, "bob", "default", NOON)).isEmpty();
        assertThat(ids(Projects.ALL, "ann", "gpu", NOON)).isEmpty();
        assertThat(ids(Projects.ALL, "ann", "default", NOON.plusSeconds(1))).isEmpty();
    }

    private List<String> ids(Projects projects, String owner, String queue, Instant since) {
        Query query = new Query(
                Set.of(),
                Optional.empty(),
                projects,
                Optional.of(owner),
                Optional.of(queue),
                Optional.of(since),
                Optional.empty(),
                9);
        return store().list(query).jobs().stream()
                .map(JobRecord::id)
                .map(JobId::value)
                .toList();
    }

    private JobRecord accept(String project, String id) {
        JobRecord job = of(project, id);
        assertThat(store().accept(job, Map.of(), Optional.empty())).isEqualTo(new Accepted.New(job.id()));
        return job;
    }

    /** A queued job of ann called x. */
    private static JobRecord of(String project, String id) {
        JobRecord job = queued(id, "x");
        Origin origin =
                new Origin("ann", project, Optional.empty(), "/", Optional.empty(), Optional.empty(), "/bin", Map.of());
        return new JobRecord(
                job.id(),
                job.spec(),
                origin,
                job.status(),
                job.counters(),
                job.times(),
                job.placement(),
                job.resumeFrom(),
                job.processes(),
                job.model(),
                job.version());
    }
}
