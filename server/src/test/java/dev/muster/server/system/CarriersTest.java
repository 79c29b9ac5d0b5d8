package dev.muster.server.system;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CarriersTest {
    private static final String SETTING = "jdk.virtualThreadScheduler.parallelism";

    private String before;

    @BeforeEach
    void remember() {
        before = System.getProperty(SETTING);
        System.clearProperty(SETTING);
    }

    @AfterEach
    void restore() {
        if (before == null) {
            System.clearProperty(SETTING);
        } else {
            System.setProperty(SETTING, before);
        }
    }

    @Test
    void thereAreSeveralForEachProcessor() {
        Carriers.set();

        assertThat(Integer.getInteger(SETTING))
                .isEqualTo(4 * Runtime.getRuntime().availableProcessors());
    }

    @Test
    void whatTheCommandLineSaysStays() {
        System.setProperty(SETTING, "3");

        Carriers.set();

        assertThat(System.getProperty(SETTING)).isEqualTo("3");
    }
}
