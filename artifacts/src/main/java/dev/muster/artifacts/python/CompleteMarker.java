package dev.muster.artifacts.python;

import dev.muster.artifacts.files.Durable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

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
                Durable.write(file, ON_DISK);
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
