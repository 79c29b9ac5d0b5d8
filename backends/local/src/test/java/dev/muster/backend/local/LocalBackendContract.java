package dev.muster.backend.local;

import dev.muster.model.BackendKind;
import dev.muster.spi.JobFolders;
import dev.muster.testkit.BackendTck;
import dev.muster.testkit.Snapshots;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;

/** The contract of every backend, and what local processes promise besides, however they are held together. */
abstract class LocalBackendContract extends BackendTck {
    @TempDir
    private Path folder;

    private final Snapshots snapshots = new Snapshots();

    /** How the processes of an attempt are held together. */
    abstract LocalConfig adapt(LocalConfig config);

    LocalConfig config() {
        Map<String, String> environment = new TreeMap<>(System.getenv());
        environment.put("MUSTER_GPUS", "");
        LocalConfig found = LocalConfig.ofThisMachine(folders(), snapshots, environment);
        return adapt(new LocalConfig(
                found.folders(),
                found.code(),
                found.environment(),
                found.gpus(),
                found.capacity(),
                folder.resolve("ports"),
                found.firstPort(),
                found.lastPort(),
                found.cgroups(),
                found.shell(),
                found.subreaper()));
    }

    @Override
    protected LocalBackend open() {
        return new LocalBackend(config());
    }

    @Override
    protected BackendKind kind() {
        return BackendKind.LOCAL;
    }

    @Override
    protected JobFolders folders() {
        return new JobFolders(folder.resolve("home"));
    }

    @Override
    protected String snapshot(Map<String, String> files) {
        return snapshots.add(files);
    }
}
