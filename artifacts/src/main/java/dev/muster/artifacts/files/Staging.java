package dev.muster.artifacts.files;

import dev.muster.formats.files.Folders;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A folder in which things are made before one rename makes them visible. Each carries the process that makes it in its name, so that
 * what a dead process left behind can be told and removed.
 */
public final class Staging {
    private static final Pattern NAME = Pattern.compile("(\\d+)-(\\d+)-.*");
    // Two JVMs may read the start of one process a second apart when the machine's clock was set between.
    private static final long SAME_START_MILLIS = 2_000;

    private final Path folder;

    public Staging(Path folder) throws IOException {
        this.folder = Files.createDirectories(folder);
    }

    /** A new folder of this process; the caller renames or removes it. */
    public Path make() throws IOException {
        ProcessHandle self = ProcessHandle.current();
        return Files.createTempDirectory(folder, self.pid() + "-" + startMillis(self) + "-");
    }

    /** Removes what processes left behind that are no longer alive. */
    public void removeLeftOver() throws IOException {
        try (DirectoryStream<Path> children = Files.newDirectoryStream(folder)) {
            for (Path child : children) {
                if (!madeByLiving(child.getFileName().toString())) {
                    Folders.delete(child);
                }
            }
        }
    }

    private static boolean madeByLiving(String name) {
        Matcher form = NAME.matcher(name);
        return form.matches()
                && ProcessHandle.of(Long.parseLong(form.group(1)))
                        .filter(process ->
                                Math.abs(startMillis(process) - Long.parseLong(form.group(2))) <= SAME_START_MILLIS)
                        .isPresent();
    }

    private static long startMillis(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }
}
