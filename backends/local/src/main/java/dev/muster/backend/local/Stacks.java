package dev.muster.backend.local;

import dev.muster.backend.local.Proc.Stat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Calls of a process in its own language, got without harm to it: by py-spy, which only reads its memory; by the signal that the package
 * {@code muster} has made it answer; by jstack for a JVM that answers SIGQUIT. A process that is stopped is asked nothing.
 *
 * @param reports folder of the attempt's report file, where processes say which signal they answer
 * @param path    where programs are looked for
 */
record Stacks(Proc proc, Path reports, Programs path) {
    private static final Duration LONGEST = Duration.ofSeconds(3);
    private static final Duration ANSWER = Duration.ofSeconds(1);
    private static final int SIGQUIT = 3;
    private static final String MARK = "muster-stacks";
    private static final int MOST = 1 << 20;
    private static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

    /** The text of all its threads; empty where it cannot be had. */
    Optional<String> of(Stat process) {
        String program = proc.program(process.pid()).orElse("");
        if (process.state() == 'T' || process.state() == 't') {
            return Optional.empty();
        }
        if (program.startsWith("python") || program.startsWith("pypy")) {
            return spy(process).or(() -> asked(process));
        }
        return program.equals("java") && proc.catches(process.pid(), SIGQUIT) ? jstack(process) : Optional.empty();
    }

    private Optional<String> spy(Stat process) {
        return beside(process, "py-spy")
                .or(() -> path.find("py-spy"))
                .flatMap(spy -> BoundedCommand.output(
                        LONGEST,
                        List.of(spy.toString(), "dump", "--nonblocking", "--pid", String.valueOf(process.pid()))));
    }

    private Optional<String> jstack(Stat process) {
        return beside(process, "jstack")
                .or(() -> path.find("jstack"))
                .flatMap(jstack ->
                        BoundedCommand.output(LONGEST, List.of(jstack.toString(), String.valueOf(process.pid()))));
    }

    /** A program in the folder its command line names, as that of a virtual environment, or beside the file it runs. */
    private Optional<Path> beside(Stat process, String program) {
        Optional<Path> named = proc.commandLine(process.pid())
                .map(line -> line.split(" ")[0])
                .filter(word -> word.startsWith("/"))
                .map(Path::of);
        return named.or(() -> proc.executable(process.pid()))
                .map(file -> file.resolveSibling(program))
                .filter(Files::isExecutable);
    }

    /** The file is the process's own: no link is followed, and the same open file is read to the end. */
    private Optional<String> asked(Stat process) {
        Path file = reports.resolve("stacks-" + process.pid());
        try (SeekableByteChannel open = Files.newByteChannel(file, READ)) {
            String[] mark = read(open, 0).lines().findFirst().orElse("").split(" ");
            if (mark.length != 4
                    || !mark[0].equals(MARK)
                    || Long.parseLong(mark[1]) != process.pid()
                    || Long.parseLong(mark[2]) != process.start()
                    || !proc.catches(process.pid(), Integer.parseInt(mark[3]))
                    || !proc.isRunning(process.pid(), process.start())) {
                return Optional.empty();
            }
            long before = open.size();
            BoundedCommand.output(
                    LONGEST, List.of("/bin/sh", "-c", "kill -" + Integer.parseInt(mark[3]) + " " + process.pid()));
            return answer(open, before);
        } catch (IOException | NumberFormatException none) {
            return Optional.empty();
        }
    }

    /** What is added to the file, once nothing more is. */
    private static Optional<String> answer(SeekableByteChannel open, long before) throws IOException {
        long begun = System.nanoTime();
        String last = "";
        while (System.nanoTime() - begun < ANSWER.toNanos()) {
            BoundedCommand.pause(100);
            String now = read(open, before);
            if (!now.isEmpty() && now.equals(last)) {
                break;
            }
            last = now;
        }
        return last.isEmpty() ? Optional.empty() : Optional.of(last);
    }

    private static String read(SeekableByteChannel open, long from) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Math.clamp(open.size() - from, 0, MOST));
        open.position(from);
        while (bytes.hasRemaining() && open.read(bytes) >= 0) {
            // until all is there
        }
        return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
    }
}
