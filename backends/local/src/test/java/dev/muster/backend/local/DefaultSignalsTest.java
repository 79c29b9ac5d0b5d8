package dev.muster.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DefaultSignalsTest {
    private static final List<String> ALL =
            List.of("HUP", "INT", "QUIT", "USR1", "USR2", "ALRM", "TERM", "TSTP", "XFSZ");

    /** The mask of signals that a program ignores which is started by a shell that ignores all of these, through the command. */
    private static long ignoredAfter(List<String> command) throws Exception {
        List<String> argv =
                new ArrayList<>(List.of("/bin/sh", "-c", "trap '' " + String.join(" ", ALL) + "; exec \"$@\"", "sh"));
        argv.addAll(command);
        argv.addAll(List.of("/bin/grep", "SigIgn", "/proc/self/status"));
        Process process = new ProcessBuilder(argv).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return Long.parseUnsignedLong(said.substring("SigIgn:".length()).strip(), 16) & 0x7fff_ffffL;
    }

    @Test
    void eachCommandGivesEverySignalItsDefaultActionBack() throws Exception {
        assertThat(ignoredAfter(List.of())).as("what is to be undone").isNotZero();
        List<List<String>> commands = DefaultSignals.commands(Programs.ofSystem(), ALL);
        assertThat(commands).isNotEmpty();
        for (List<String> command : commands) {
            assertThat(ignoredAfter(command)).as(command.getFirst()).isZero();
        }
    }

    @Test
    void whereNothingIsIgnoredNothingIsDone() {
        assertThat(DefaultSignals.command(Programs.ofSystem(), List.of())).isEmpty();
    }
}
