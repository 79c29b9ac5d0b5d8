package dev.muster.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessName;
import dev.muster.spi.JobFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessLinesTest {
    private static final ProcessKey KEY = new ProcessKey(new JobId("j1"), new ProcessName("worker", 0), 1);

    @TempDir
    Path home;

    private void says(String text) throws IOException {
        Path log = new JobFolders(home).log(KEY);
        Files.createDirectories(log.getParent());
        Files.writeString(log, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    @Test
    void b39_aBarIsShownMoreAndMoreSeldom() throws IOException {
        try (ProcessLines lines =
                new ProcessLines(new JobFolders(home), KEY.job(), KEY.name(), new LogRequest.Attempts.Latest())) {
            List<String> shown = new ArrayList<>();
            for (int second = 0; second <= 1000; second++) {
                says("\r" + second + " s");
                assertThat(lines.peek(false)).isNull();
                LogLine bar = lines.bar(Instant.ofEpochSecond(second));
                if (bar != null) {
                    shown.add(second + ": " + bar.text());
                }
            }
            // The first drawing is complete when the second begins; that is second 1.
            assertThat(shown)
                    .containsExactly("11: 10 s", "31: 30 s", "71: 70 s", "151: 150 s", "311: 310 s", "631: 630 s");
            says("\rdone\n\r1 %\r2 %");
            assertThat(lines.peek(false).text()).isEqualTo("done");
            lines.take();
            assertThat(lines.peek(false)).isNull();
            assertThat(lines.bar(Instant.ofEpochSecond(1001))).isNull();
            assertThat(lines.bar(Instant.ofEpochSecond(1011)).text()).isEqualTo("1 %");
            assertThat(lines.peek(true).text()).isEqualTo("2 %");
        }
    }
}
