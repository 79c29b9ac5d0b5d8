package dev.muster.backend.docker;

import dev.muster.spi.JobFolders;
import dev.muster.spi.Launch;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a process resumes from: a checkpoint of its own job, which is in the checkpoint folder anyway, or another one, which has to be brought.
 *
 * @param outside where it is on this machine; for TensorFlow the prefix of its files
 * @param own     whether it is in the checkpoint folder of the job
 * @param inside  where the process finds it
 */
record ResumePoint(Path outside, boolean own, String inside) {
    static final String FOLDER = "/muster/resume";

    static Optional<ResumePoint> of(JobFolders folders, Launch launch) {
        return launch.resumeFrom().map(text -> {
            Path path = Path.of(text);
            Path checkpoints = folders.checkpoints(launch.key().job());
            return path.startsWith(checkpoints)
                    ? new ResumePoint(path, true, Places.CHECKPOINTS + "/" + checkpoints.relativize(path))
                    : new ResumePoint(path, false, FOLDER + "/" + path.getFileName());
        });
    }
}
