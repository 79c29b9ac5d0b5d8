package dev.muster.spi;

import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.ModelVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Registered models: a name with immutable versions. A version becomes visible whole, by one atomic rename, and never changes. Any
 * thread may call.
 */
public interface ModelRegistry {
    /**
     * Registers the folder as the next version of the name. Asked again for the same job, also after a crash in the middle, it
     * gives the same version.
     *
     * @param folder  the chief's model folder; it is taken over and no longer there afterwards
     * @param lineage where the model comes from
     */
    ModelVersion publish(JobId job, String name, Path folder, Map<String, String> lineage) throws PublishException;

    /** The version this job registered. */
    Optional<ModelVersion> of(JobId job);

    /** All versions of all models, or of one, newest first. */
    List<ModelVersion> list(Optional<String> name);

    /** Folder of the files of a version; only to be read. */
    Optional<Path> files(String name, int version);

    /** Jobs whose registration was begun and has not ended, be it that it goes on now or that its service died. */
    Set<JobId> unfinished();

    /** Removes what a registration of the job left unfinished; for a job that will not publish any more. */
    void abandon(JobId job) throws IOException;

    /** A model could not be registered. */
    final class PublishException extends Exception {
        private static final long serialVersionUID = 1L;
        private final Cause cause;

        public PublishException(Cause cause, String message) {
            super(message);
            this.cause = cause;
        }

        /** ModelMissing, DiskFull or Internal. */
        public Cause reasonCode() {
            return cause;
        }
    }
}
