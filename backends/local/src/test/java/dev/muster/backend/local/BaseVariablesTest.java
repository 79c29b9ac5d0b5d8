package dev.muster.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class BaseVariablesTest {
    @Test
    void onlyWhatIsListedIsTaken() {
        assertThat(BaseVariables.of(Map.of(
                        "HOME",
                        "/h",
                        "LANG",
                        "de_DE.UTF-8",
                        "LC_TIME",
                        "C",
                        "https_proxy",
                        "p",
                        "OMP_NUM_THREADS",
                        "1",
                        "SECRET",
                        "x",
                        "PATH",
                        "/p",
                        "MUSTER_TOKEN",
                        "t")))
                .isEqualTo(Map.of(
                        "HOME",
                        "/h",
                        "LANG",
                        "de_DE.UTF-8",
                        "LC_TIME",
                        "C",
                        "https_proxy",
                        "p",
                        "OMP_NUM_THREADS",
                        "1"));
    }

    @Test
    void b59_theLocaleCSpeaksUtf8UnlessSomebodyInsists() {
        assertThat(BaseVariables.of(Map.of())).isEqualTo(Map.of("LANG", "C.UTF-8"));
        assertThat(BaseVariables.of(Map.of("LANG", "C"))).isEqualTo(Map.of("LANG", "C.UTF-8"));
        assertThat(BaseVariables.of(Map.of("LANG", "POSIX", "LC_ALL", "C")))
                .isEqualTo(Map.of("LANG", "POSIX", "LC_ALL", "C"));
    }
}
