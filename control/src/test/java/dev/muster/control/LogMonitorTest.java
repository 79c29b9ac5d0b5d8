package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Cause;
import dev.muster.spi.BackendException;
import dev.muster.spi.JobStore.StoreException;
import dev.muster.testkit.FakeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.junit.jupiter.api.Test;

final class LogMonitorTest {
    private final FakeClock clock = new FakeClock();
    private final List<String> lines = new ArrayList<>();
    private final LogMonitor monitor = new LogMonitor(new Lines(), clock);

    private final class Lines implements System.Logger {
        @Override
        public String getName() {
            return "test";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
            lines.add(message + (thrown == null ? "" : " + trace"));
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... values) {
            lines.add(format);
        }
    }

    @Test
    void aFullDiskIsToldOnceWhateverItKeepsFromBeingDone() {
        for (int second = 0; second < 600; second++) {
            monitor.retrying(
                    "holding the lease", new StoreException("no room at /x", StoreException.Kind.DISK_FULL, null));
            monitor.retrying(
                    "job j" + second, new StoreException("no room at /x", StoreException.Kind.DISK_FULL, null));
            clock.advance(Duration.ofSeconds(1));
        }
        assertThat(lines).singleElement().asString().contains("holding the lease", "no room at /x");
    }

    @Test
    void theSameTroubleIsToldAgainWhenItIsAnother() {
        monitor.retrying("job j1", new IllegalStateException("odd"));
        monitor.retrying("job j1", new IllegalStateException("odd"));
        monitor.retrying("job j2", new IllegalStateException("odd"));
        monitor.retrying("job j1", new IllegalStateException("other"));
        clock.advance(Duration.ofMinutes(6));
        monitor.retrying("job j1", new IllegalStateException("other"));
        assertThat(lines).hasSize(4).allMatch(line -> line.endsWith(" + trace"));
    }

    @Test
    void whatExplainsItselfHasNoTrace() {
        monitor.retrying(
                "job j1",
                new BackendException(BackendException.Kind.NO_CONTACT, Cause.INTERNAL, "dockerd does not answer"));
        monitor.retrying("job j2", new StoreException("cannot be read", StoreException.Kind.UNREADABLE, null));
        monitor.retrying("job j3", new StoreException("odd", StoreException.Kind.OTHER, null));
        assertThat(lines)
                .containsExactly(
                        "job j1 failed and will be tried again: dockerd does not answer",
                        "job j2 failed and will be tried again: cannot be read",
                        "job j3 failed and will be tried again: dev.muster.spi.JobStore$StoreException: odd + trace");
    }
}
