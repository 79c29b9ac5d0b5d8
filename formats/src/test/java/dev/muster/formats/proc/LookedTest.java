package dev.muster.formats.proc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script on this machine's own processes, and its reader on what it wrote. */
class LookedTest {
    @TempDir
    private Path folder;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void end() {
        started.forEach(Process::destroyForcibly);
    }

    private Process start(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        started.add(process);
        return process;
    }

    /** A python that has told its signal in the folder, if it is to. */
    private Process python(String script) throws IOException {
        Process process = start("/usr/bin/python3", "-c", script, folder.toString());
        assertThat(process.inputReader().readLine()).isEqualTo("ready");
        return process;
    }

    /** This machine has more processes than a container, so only those of the test are looked at. */
    private Looked look(Process main) throws Exception {
        Files.writeString(folder.resolve("pid"), main.pid() + "\n");
        String file = folder.resolve("pid").toString();
        List<String> command = new ArrayList<>(Looked.command("=====", folder.toString(), file));
        started.stream().filter(Process::isAlive).forEach(process -> command.add(Long.toString(process.pid())));
        Process look = start(command.toArray(String[]::new));
        String output = new String(look.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        assertThat(look.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return Looked.parse("=====", output);
    }

    private Account main(Process process) throws Exception {
        Account main = look(process).accounts().processes().getFirst();
        assertThat(main.pid()).isEqualTo(process.pid());
        return main;
    }

    private static final String ANSWERS = """
            import faulthandler, os, signal, sys, time
            number = signal.SIGRTMIN + 7
            file = open(sys.argv[1] + '/stacks-%d' % os.getpid(), 'w')
            faulthandler.register(number, file=file, all_threads=True, chain=False)
            start = open('/proc/self/stat').read().rpartition(')')[2].split()[19]
            """;

    private static final String SAYS_SO = """
            file.write('muster-stacks %d %s %d\\n' % (os.getpid(), start, number))
            file.flush()
            """;

    private static final String WAITS = """
            def waits_here():
                print('ready', flush=True)
                time.sleep(600)
            waits_here()
            """;

    @Test
    void aLoopWantsACore() throws Exception {
        Account main = main(python("print('ready', flush=True)\nwhile True: pass"));
        assertThat(main.busy().cores()).isGreaterThan(0.5);
        assertThat(main.state()).isEqualTo('R');
        assertThat(main.program()).startsWith("python3");
        assertThat(main.kernelView()).contains("-c print('ready'", "status:", "Threads:", "thread " + main.pid());
        assertThat(main.stacks()).isEmpty();
        assertThat(main.summary()).contains("where in its code is not known: py-spy is missing", "pip install py-spy");
    }

    @Test
    void whoHasSaidItsSignalTellsItsCallsAndGoesOn() throws Exception {
        Process process = python(ANSWERS + SAYS_SO + WAITS);
        Account main = main(process);
        assertThat(main.calls()).first().asString().startsWith("waits_here (<string>:");
        assertThat(main.busy().cores()).isLessThan(0.5);
        assertThat(main(process).calls()).as("again").first().asString().startsWith("waits_here");
        assertThat(process.isAlive()).isTrue();
    }

    @Test
    void whoHasNotSaidItOrIsAnotherOrHasAStandInIsSentNoSignal() throws Exception {
        List<Process> silent = List.of(
                python(ANSWERS + WAITS),
                python((ANSWERS + SAYS_SO + WAITS).replace("start, number", "'1', number")),
                python((ANSWERS + SAYS_SO + WAITS).replace("start, number", "start, signal.SIGKILL")),
                python(ANSWERS + SAYS_SO
                        + "os.rename(file.name, file.name + '.x'); os.symlink(file.name + '.x', file.name)\n" + WAITS));
        Looked looked = look(silent.getFirst());
        for (Process process : silent) {
            assertThat(looked.text(process.pid(), "stat")).isPresent();
            assertThat(looked.text(process.pid(), "stacks")).isEmpty();
            assertThat(process.isAlive()).isTrue();
        }
    }

    @Test
    void whoSleepsIsToldFromWhoLooksAgainAndAgain() throws Exception {
        Account sleeps = main(python("import time\nprint('ready', flush=True)\ntime.sleep(600)"));
        assertThat(sleeps.waitsIn())
                .hasValueSatisfying(place -> assertThat(place).contains("nanosleep"));
        assertThat(sleeps.busy().wakes()).isLessThan(20);
        Account looks = main(python("import time\nprint('ready', flush=True)\nwhile True: time.sleep(0.001)"));
        assertThat(looks.busy().wakes()).isGreaterThan(100);
    }

    @Test
    void aStoppedProcessIsSeenSoAndAskedNothing() throws Exception {
        Process process =
                python(ANSWERS + SAYS_SO + "print('ready', flush=True)\nos.kill(os.getpid(), signal.SIGSTOP)");
        Looked looked = look(process);
        for (int tries = 0;
                tries < 50 && !looked.text(process.pid(), "stat").orElse("").contains(") T ");
                tries++) {
            looked = look(process);
        }
        Account main = looked.accounts().processes().getFirst();
        assertThat(main.state()).isEqualTo('T');
        assertThat(main.calls()).isEmpty();
    }

    @Test
    void connectionsAreThoseOfTheProcessesAlone() throws Exception {
        Process process = python("""
                import socket, time
                server = socket.create_server(('127.0.0.1', 0))
                client = socket.create_connection(server.getsockname())
                peer = server.accept()[0]
                client.send(b'x' * 1000)
                print('ready', flush=True)
                time.sleep(600)
                """);
        Accounts accounts = look(process).accounts();
        List<Connection> own = Connection.of(look(process), List.of(process.pid()));
        assertThat(own).hasSize(2).anyMatch(connection -> connection.unread() == 1000);
        assertThat(accounts.connections()).containsAll(own);
    }

    @Test
    void theMainProcessComesFirstAndWhoseParentIsOutsideIsLeftOut() {
        Looked looked =
                Looked.parse("=", tree("1 0 init", "7 1 sh", "8 7 python3", "9 8 python3", "4 1 orphan", "20 0 look"));
        assertThat(looked.accounts().processes()).extracting(Account::pid).containsExactly(8L, 4L, 9L);
    }

    @Test
    void whatBrokeOffIsReadAsFarAsItGoes() {
        Looked looked = Looked.parse("=", tree("1 0 init", "8 1 python3") + "\n= 8 exe\n/usr/bin/pyt");
        assertThat(looked.accounts().processes()).extracting(Account::program).containsExactly("pyt");
        assertThat(Looked.parse("=", "").accounts().processes()).isEmpty();
    }

    private static String tree(String... processes) {
        StringBuilder text = new StringBuilder("\n= 0 main\n8\n");
        for (String process : processes) {
            String[] words = process.split(" ");
            text.append("\n= ")
                    .append(words[0])
                    .append(" stat\n")
                    .append(words[0])
                    .append(" (a) b) S ")
                    .append(words[1]);
            text.append(" 3".repeat(40)).append('\n');
        }
        return text.toString();
    }

    @Test
    void processesThatServeTheContainerAreLeftOut() {
        String servant = "/muster/bin/busybox";
        String told = process(1, 0, servant)
                + process(7, 1, "/usr/bin/python3")
                + process(8, 1, servant)
                + process(9, 7, "/bin/busybox");
        assertThat(pids(told + "\n===== 0 main\n7\n", servant)).containsExactly(7L, 9L);
        assertThat(pids(told + "\n===== 0 main\n7\n", "")).containsExactly(7L, 8L, 9L);
        assertThat(pids(told + "\n===== 0 main\n8\n", servant)).startsWith(8L);
    }

    private static List<Long> pids(String told, String servant) {
        return Looked.parse("=====", told).accounts(servant).processes().stream()
                .map(Account::pid)
                .toList();
    }

    private static String process(long pid, long parent, String program) {
        return "\n===== " + pid + " stat\n" + pid + " (x) S " + parent + " 0".repeat(30) + "\n\n===== " + pid + " exe\n"
                + program + "\n";
    }
}
