package dev.muster.testkit;

import dev.muster.model.JobId;
import dev.muster.spi.Ids;

/** Ids in the order they are taken: {@code job0001}, {@code job0002}. */
public final class FakeIds implements Ids {
    private int taken;
    private int secrets;

    @Override
    public synchronized JobId next() {
        return new JobId(String.format("job%04d", taken + 1));
    }

    /** Always another one, though it can be guessed. */
    @Override
    public synchronized String secret() {
        return String.format("%064x", ++secrets);
    }

    @Override
    public synchronized JobId take() {
        JobId id = next();
        taken++;
        return id;
    }
}
