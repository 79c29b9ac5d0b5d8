package dev.muster.control;

import dev.muster.control.decide.Strays;
import dev.muster.model.JobId;
import dev.muster.spi.Backend;
import dev.muster.spi.BackendException;
import dev.muster.spi.Sighting;
import java.util.function.BooleanSupplier;

/**
 * What runs of a job that should have nothing running, such as a start that a platform carried out long after it was asked for, when the job
 * had gone on.
 */
final class Leftovers {
    private Leftovers() {}

    /**
     * Ends all of it. Used while nothing else is done about the job.
     *
     * @param mayAct asked before each thing that is done, as looking may take longer than a lease lasts
     * @return false when it might not go on; something may be left then
     */
    static boolean end(Backend backend, JobId id, BooleanSupplier mayAct) throws BackendException {
        for (Sighting sighting : backend.observe(id)) {
            if (Strays.runs(sighting.state())) {
                if (!mayAct.getAsBoolean()) {
                    return false;
                }
                backend.stop(sighting.key(), Backend.StopHow.KILL);
                if (!mayAct.getAsBoolean()) {
                    return false;
                }
                backend.sweep(sighting.key());
            }
        }
        return mayAct.getAsBoolean();
    }
}
