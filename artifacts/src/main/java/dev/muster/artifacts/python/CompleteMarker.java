package dev.muster.artifacts.python;

import dev.muster.artifacts.files.Durable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;

/**
 * Says that an environment was built to its end. Thousands of files are not brought to the disk one by one for it; instead the marker
 * holds the boot in which it was set, and after another boot counts only if the disk was told to write everything meanwhile.
 */
final class CompleteMarker {
    private static final String ON_DISK = "on disk";
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

    private final Path folder;
    private final Path file;

    CompleteMarker(Path folder) {
        this.folder = folder;
        this.file = folder.resolve(".muster-complete");
    }

    boolean isSet() {
        try {
            String text = Files.readString(file).strip();
            return (text.equals(ON_DISK) || text.equals(boot())) && Files.exists(folder.resolve("bin/python"));
        } catch (IOException none) {
            return false;
        }
    }

    /** The environment is given to a job now. */
    void used(Instant now) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(now));
    }

    /** When it was last given to a job; for one that is not complete, when something was last done in its folder. */
    Instant lastUse() throws IOException {
        return Files.getLastModifiedTime(Files.exists(file) ? file : folder).toInstant();
    }

    /** Sets it for this boot. */
    void set() throws IOException {
        Durable.write(file, boot());
    }

    /** Has the disk write all that lies below, which may take a while, and then sets it for good. */
    void bringToDisk() {
        try {
            Process sync = new ProcessBuilder("sync", "-f", folder.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (sync.waitFor() == 0 && Files.exists(file)) {
                FileTime used = Files.getLastModifiedTime(file);
                Durable.write(file, ON_DISK);
                Files.setLastModifiedTime(file, used);
            }
        } catch (IOException | InterruptedException staysTiedToThisBoot) {
            return;
        }
    }

    private static String boot() {
        try {
            return Files.readString(BOOT).strip();
        } catch (IOException noBootId) {
            return ON_DISK;
        }
    }
}
