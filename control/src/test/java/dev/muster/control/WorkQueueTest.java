package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

/** One run per key at a time; news during a run only mark it. */
final class WorkQueueTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private int news;
    private final WorkQueue<String> queue = new WorkQueue<>(() -> news++);

    @Test
    void keysComeInTheOrderOfTheirNews() {
        queue.add("a");
        queue.add("b");
        queue.add("a");
        assertThat(queue.poll(NOW)).contains("a");
        assertThat(queue.poll(NOW)).contains("b");
        assertThat(queue.poll(NOW)).isEmpty();
    }

    @Test
    void newsDuringARunBringTheKeyBackOnceItIsDone() {
        queue.add("a");
        assertThat(queue.poll(NOW)).contains("a");
        queue.add("a");
        queue.add("a");
        assertThat(queue.poll(NOW)).isEmpty();
        queue.done("a");
        assertThat(queue.poll(NOW)).contains("a");
        queue.done("a");
        assertThat(queue.poll(NOW)).isEmpty();
        assertThat(queue.next()).isEmpty();
    }

    @Test
    void aKeyIsDueAtTheEarliestMomentThatWasAskedFor() {
        queue.addAt("a", NOW.plusSeconds(5));
        queue.addAt("a", NOW.plusSeconds(9));
        queue.addAt("a", NOW.plusSeconds(3));
        assertThat(queue.next()).contains(NOW.plusSeconds(3));
        assertThat(queue.poll(NOW.plusSeconds(2))).isEmpty();
        assertThat(queue.poll(NOW.plusSeconds(3))).contains("a");
        queue.done("a");
        assertThat(queue.next()).isEmpty();
    }

    @Test
    void aMomentAskedForDuringARunIsKept() {
        queue.add("a");
        queue.poll(NOW);
        queue.addAt("a", NOW.plusSeconds(5));
        queue.done("a");
        assertThat(queue.next()).contains(NOW.plusSeconds(5));
        queue.add("a");
        assertThat(queue.poll(NOW)).contains("a");
        queue.done("a");
        assertThat(queue.next()).as("the news made the later look superfluous").isEmpty();
    }

    @Test
    void whoeverWaitsIsTold() {
        queue.add("a");
        queue.addAt("b", NOW);
        assertThat(news).isEqualTo(2);
        queue.addAt("b", NOW.plusSeconds(1));
        assertThat(news).isEqualTo(2);
    }
}
