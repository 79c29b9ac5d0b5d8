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
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
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
    void prepare(Launch launch, Rendered rendered, Optional<OsUser> user) throws BackendException {
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
            if (user.isPresent()) {
                give(key, user.get());
            }
        } catch (IOException failed) {
            throw Failures.of("the folders of " + key.name() + " could not be made", Cause.LAUNCH_FAILED, failed);
        }
    }

    /** What the program writes is the user's; the folder of the attempt, with what its shim writes, stays the service's. */
    private void give(ProcessKey key, OsUser user) throws IOException {
        Path reports = folders.reports(key);
        Files.deleteIfExists(reports);
        Files.createFile(reports);
        for (Path own : List.of(folders.code(key), folders.model(key), reports)) {
            RunAs.give(own, user);
        }
        RunAs.giveOne(folders.checkpoints(key.job()), user);
        Files.setPosixFilePermissions(folders.process(key), PosixFilePermissions.fromString("rwx--x--x"));
        Files.setPosixFilePermissions(folders.control(key.job()), PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** What a process of the user sees of the home: what is its own, and the checkpoint of another job that it resumes from. */
    Confinement confinement(Launch launch, OsUser user, Path events, Path stage) {
        ProcessKey key = launch.key();
        Path jobs = folders.home().resolve("jobs");
        List<Path> read = launch.resumeFrom()
                .map(Path::of)
                .filter(path -> path.startsWith(jobs) && !path.startsWith(folders.job(key.job())))
                .map(path -> jobs.resolve(jobs.relativize(path).subpath(0, 2)))
                .map(List::of)
                .orElse(List.of());
        return new Confinement(
                user,
                folders.home(),
                stage,
                List.of(folders.process(key), folders.checkpoints(key.job()), folders.control(key.job()), events),
                read);
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
