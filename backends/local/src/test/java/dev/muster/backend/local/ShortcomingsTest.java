package dev.muster.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShortcomingsTest {
    private static final Optional<Path> SOME = Optional.of(Path.of("/some"));

    @TempDir
    private Path folder;

    private LocalConfig config(Cgroups cgroups) {
        return new LocalPlace(folder, config -> config.withCgroups(cgroups)).config();
    }

    @Test
    void whereAllIsAllowedNothingIsLacking() {
        assertThat(Shortcomings.of(config(new Cgroups.Version1(SOME, SOME, SOME))))
                .isEmpty();
    }

    @Test
    void withoutControlGroupsItSaysWhatIsLackingAndWhatToDo() {
        assertThat(Shortcomings.of(config(new Cgroups.None())))
                .hasSize(2)
                .anyMatch(sentence -> sentence.contains("Limits of cpus and memory"))
                .allMatch(sentence -> sentence.contains("systemd-run"));
    }

    @Test
    void portsThatTheKernelGivesAwayAreTold() {
        LocalConfig all = config(new Cgroups.Version1(SOME, SOME, SOME));
        LocalConfig everyPort = new LocalConfig(
                all.folders(),
                all.code(),
                all.environment(),
                all.gpus(),
                all.capacity(),
                all.shared(),
                1024,
                65_535,
                all.cgroups(),
                all.shell(),
                all.subreaper());
        assertThat(Shortcomings.of(everyPort)).singleElement().asString().contains("ip_local_port_range");
    }
}
