package dev.muster.backend.local;

import dev.muster.spi.JobFolders;
import dev.muster.testkit.Snapshots;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * A place of its own for one test: homes, the folder that services share, and code snapshots.
 *
 * @param folder    everything is below it
 * @param snapshots code
 * @param adapt     what is set up otherwise than this machine suggests
 */
record LocalPlace(Path folder, Snapshots snapshots, UnaryOperator<LocalConfig> adapt) {
    LocalPlace(Path folder, UnaryOperator<LocalConfig> adapt) {
        this(folder, new Snapshots(), adapt);
    }

    JobFolders folders() {
        return new JobFolders(folder.resolve("home"));
    }

    Path shared() {
        return folder.resolve("ports");
    }

    LocalConfig config() {
        return config("home", "");
    }

    /** The setting of a service with another home or with GPUs. */
    LocalConfig config(String home, String gpus) {
        Map<String, String> environment = new TreeMap<>(System.getenv());
        environment.put("MUSTER_GPUS", gpus);
        JobFolders folders = new JobFolders(folder.resolve(home));
        return adapt.apply(Configs.withShared(LocalConfig.ofThisMachine(folders, snapshots, environment), shared()));
    }
}
