package dev.muster.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.BackendKind;
import dev.muster.model.ProcessKey;
import dev.muster.spi.Backend.StopHow;
import dev.muster.spi.JobFolders;
import dev.muster.testkit.BackendTrial;
import dev.muster.testkit.TrialJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The kernel's own hierarchy of version 2, where it is mounted and may be written, also beside version 1 and without controllers: it holds
 * and kills processes all the same. Elsewhere the same is shown with what the machine has.
 */
class UnifiedHierarchyTest extends BackendTrial {
    @TempDir
    private Path folder;

    private LocalPlace place() {
        return new LocalPlace(folder, config -> Configs.withCgroups(config, unified(config.cgroups())));
    }

    private static Cgroups unified(Cgroups found) {
        try {
            return Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
                    .filter(line -> line.contains(" - cgroup2 "))
                    .map(line -> Path.of(line.split(" ")[4]))
                    .filter(Files::isWritable)
                    .findFirst()
                    .<Cgroups>map(mount -> new Cgroups.Version2(mount.resolve("muster")))
                    .orElse(found);
        } catch (IOException without) {
            return found;
        }
    }

    @Override
    protected LocalBackend open() {
        return new LocalBackend(place().config());
    }

    @Override
    protected BackendKind kind() {
        return BackendKind.LOCAL;
    }

    @Override
    protected JobFolders folders() {
        return place().folders();
    }

    @Test
    void b47_aTreeIsKilledAsAWholeAndItsGroupRemoved() throws Exception {
        TrialJob job = job("env -i setsid -f sh -c 'echo $$ >orphan; sleep 600; :'; setsid sleep 600 &"
                + " while [ ! -s orphan ]; do sleep 0.05; done; echo ready; wait");
        ProcessKey key = job.key(0, 1);
        start(job);
        awaitLog(key, "ready");
        long orphan = Long.parseLong(
                Files.readString(folders().code(key).resolve("orphan")).strip());
        List<CgroupFolder> groups =
                new AttemptFolder(folders().process(key)).facts().orElseThrow().cgroups();
        backend.stop(key, StopHow.KILL);
        assertThat(awaitEnd(key).code()).isEqualTo(137);
        assertNothingRuns(job.id());
        assertThat(new Proc().stat(orphan).filter(Proc.Stat::isRunning)).isEmpty();
        backend.sweep(key);
        assertThat(groups).noneMatch(group -> Files.exists(group.path()));
    }
}
