package dev.muster.testkit;

import dev.muster.model.JobId;
import dev.muster.spi.Ids;

/** Ids in the order they are taken: {@code job0001}, {@code job0002}. */
public final class FakeIds implements Ids {
    private int taken;

    @Override
    public synchronized JobId next() {
        return new JobId(String.format("job%04d", taken + 1));
    }

    @Override
    public synchronized JobId take() {
        JobId id = next();
        taken++;
        return id;
    }
}
