package dev.muster.cli.screen;

import dev.muster.cli.follow.Sight;

/** Shows a job while it is followed. Called by one thread; only {@link #close} may be called by another. */
public interface JobView extends AutoCloseable {
    void show(Sight sight);

    /** Something besides the job, said once. */
    void say(String line);

    /** Called every now and then, so that what changes with time can be shown. */
    void tick();

    /** Leaves the screen as it was, below what was shown. May be called twice; nothing is shown afterwards. */
    @Override
    void close();
}
