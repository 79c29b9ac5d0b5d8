package dev.muster.backend.local;

import dev.muster.formats.files.Folders;
import dev.muster.model.Cause;
import dev.muster.model.ProcessKey;
import dev.muster.spi.BackendException;
import dev.muster.spi.CodeStore;
import dev.muster.spi.JobFolders;
import dev.muster.spi.Launch;
import dev.muster.spi.Rendered;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The folders and files a process finds when it starts.
 *
 * @param folders where they are
 * @param code    snapshots of training code
 */
record Workspace(JobFolders folders, CodeStore code) {
    /** Makes everything anew; what an earlier, broken off start of the same attempt left is removed. */
    void prepare(Launch launch, Rendered rendered) throws BackendException {
        ProcessKey key = launch.key();
        checkData(launch);
        try {
            Path work = folders.code(key);
            Folders.delete(work);
            Folders.delete(folders.model(key));
            Files.createDirectories(work);
            Files.createDirectories(folders.model(key));
            Files.createDirectories(folders.checkpoints(key.job()));
            Files.createDirectories(folders.control(key.job()));
            Files.createDirectories(folders.log(key).getParent());
            if (launch.codeDigest().isPresent()) {
                code.copyTo(launch.codeDigest().get(), work);
            }
            for (Map.Entry<String, String> file : rendered.files().entrySet()) {
                write(work, file.getKey(), file.getValue());
            }
        } catch (IOException failed) {
            throw Failures.of("the folders of " + key.name() + " could not be made", Cause.LAUNCH_FAILED, failed);
        }
    }

    private static void checkData(Launch launch) throws BackendException {
        for (Map.Entry<String, String> data : launch.spec().data().entrySet()) {
            String place = Renderer.dataPath(launch.folder(), data.getValue());
            if (!exists(place)) {
                throw Failures.refused(
                        Cause.LAUNCH_FAILED,
                        "data." + data.getKey() + " is not there: " + place
                                + " (put the data there, or correct the path; it is read from the folder of the job file)");
            }
        }
    }

    /** Whether there is such a file or folder. */
    static boolean exists(String place) {
        try {
            return Files.exists(Path.of(place));
        } catch (InvalidPathException unspeakable) {
            return false;
        }
    }

    private static void write(Path work, String name, String content) throws IOException {
        Path file = work.resolve(name).normalize();
        if (!file.startsWith(work) || file.equals(work)) {
            throw new IOException("the plan's file " + name + " is not inside the working folder");
        }
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    /** Why the program cannot be run, as far as can be seen before it is. */
    Optional<String> unrunnable(ProcessKey key, Rendered rendered) {
        String program = rendered.argv().getFirst();
        String path = rendered.env().getOrDefault("PATH", "");
        if (!program.contains("/")) {
            return new Programs(path).find(program).isPresent()
                    ? Optional.empty()
                    : Optional.of("there is no program " + program + " on PATH (" + path
                            + "): install it, or name it by its path");
        }
        try {
            Path file = folders.code(key).resolve(program);
            if (!Files.exists(file)) {
                return Optional.of("there is no program " + program
                        + " (a relative path is read from the working folder, the copy of the code)");
            }
            return Files.isExecutable(file) && !Files.isDirectory(file)
                    ? Optional.empty()
                    : Optional.of(
                            program + " may not be executed: make it executable (chmod +x), or name its interpreter"
                                    + " first");
        } catch (InvalidPathException unspeakable) {
            return Optional.of("there is no program " + program);
        }
    }
}
