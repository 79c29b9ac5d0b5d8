package dev.muster.testkit;

import static dev.muster.testkit.SampleJobs.queued;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.JobId;
import dev.muster.spi.JobStore;
import dev.muster.spi.JobStore.StoreException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class FakeJobStoreTest extends JobStoreTck {
    private final FakeClock clock = new FakeClock();
    private final FakeJobStore fake = new FakeJobStore(clock);

    @Override
    protected JobStore open() {
        return fake;
    }

    @Override
    protected void garble(JobId id) {
        fake.garble(id);
    }

    @Override
    protected void letTimePass(Duration time) {
        clock.advance(time);
    }

    @Test
    void aTestLetsCallsFail() {
        fake.before(call -> {
            if (call == FakeJobStore.Call.ACCEPT) {
                throw new StoreException("full", StoreException.Kind.DISK_FULL, null);
            }
        });
        assertThatThrownBy(() -> store.accept(queued("j1", "train"), Map.of(), Optional.empty()))
                .isInstanceOf(StoreException.class);
        assertThat(store.find(ONE)).isEmpty();
    }
}
