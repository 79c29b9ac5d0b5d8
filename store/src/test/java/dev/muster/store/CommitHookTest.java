package dev.muster.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.JobId;
import dev.muster.spi.JobStore;
import dev.muster.testkit.SampleJobs;
import dev.muster.testkit.SampleSpecCodec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The moments around a commit, on both products: before it nothing can be seen from outside, after it all. */
final class CommitHookTest {
    private static final JobId JOB = new JobId("j1");

    @TempDir
    private Path folder;

    private final List<String> seen = new CopyOnWriteArrayList<>();
    private JobStore store;

    private final CommitHook looks = new CommitHook() {
        @Override
        public void before() {
            look("before");
        }

        @Override
        public void after() {
            look("after");
        }
    };

    private void look(String when) {
        if (store != null) {
            seen.add(when + " " + store.version(JOB).orElse(0));
        }
    }

    private void acceptAndChange() {
        var job = SampleJobs.queued(JOB.value(), "train");
        store.accept(job, Map.of(), Optional.empty());
        assertThat(store.compareAndSet(SampleJobs.next(job, job.status()), List.of()))
                .isTrue();
        assertThat(new ArrayList<>(seen)).containsExactly("before 0", "after 1", "before 1", "after 2");
    }

    @Test
    void ofSqlite() {
        store = SqliteJobStore.open(folder, new SampleSpecCodec(), (job, why) -> {}, looks);
        acceptAndChange();
        store.close();
    }

    @Test
    void ofPostgresql() {
        PostgresSettings settings = new Postgres().settings(folder.resolve("secret.key"));
        store = PostgresJobStore.open(settings, new SampleSpecCodec(), (job, why) -> {}, looks);
        acceptAndChange();
        store.close();
    }
}
