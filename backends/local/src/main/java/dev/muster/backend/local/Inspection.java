package dev.muster.backend.local;

import dev.muster.backend.local.Proc.Stat;
import dev.muster.formats.files.Folders;
import dev.muster.spi.Evidence;
import dev.muster.spi.Evidence.Doing;
import dev.muster.spi.Evidence.Link;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * One look at why the processes of an attempt do not go on. All but the stacks is read from {@code /proc}; the environment is not, as there are
 * secrets in it.
 *
 * @param stacks how calls are got
 * @param folder where what was seen is kept; what an earlier look left there goes
 */
record Inspection(Proc proc, Stacks stacks, Path folder) {
    private static final Duration SAMPLE = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofSeconds(7);
    private static final int MOST_PROCESSES = 64;
    private static final int MOST_THREADS = 64;

    /**
     * Looks.
     *
     * @param members the main process first
     */
    Evidence of(List<Stat> members) throws IOException {
        long begun = System.nanoTime();
        List<Stat> looked = members.stream().limit(MOST_PROCESSES).toList();
        Map<Long, Long> before = new HashMap<>();
        looked.forEach(member -> before.put(member.pid(), WantedTime.of(proc, member.pid())));
        BoundedCommand.pause(SAMPLE.toMillis());
        double passed = System.nanoTime() - begun;
        Map<Long, Double> cores = new HashMap<>();
        looked.forEach(member -> cores.put(
                member.pid(), Math.max(0, WantedTime.of(proc, member.pid()) - before.get(member.pid())) / passed));
        Folders.delete(folder);
        Files.createDirectories(folder);
        List<Link> links = Connections.of(proc, looked.stream().map(Stat::pid).toList());
        List<Doing> doings = new ArrayList<>();
        for (Stat member : looked) {
            Optional<Stat> now = proc.stat(member.pid()).filter(stat -> stat.start() == member.start());
            if (now.isPresent()) {
                boolean inTime = System.nanoTime() - begun < LONGEST.toNanos();
                doings.add(look(now.get(), cores.get(member.pid()), inTime));
            }
        }
        Evidence evidence = new Evidence(doings, links);
        write("summary.txt", summary(evidence));
        return evidence;
    }

    private Doing look(Stat process, double cores, boolean stacksToo) throws IOException {
        long pid = process.pid();
        String program = proc.program(pid).orElse("?");
        write(pid + "-" + program + ".txt", kernelView(pid));
        Optional<String> stack = stacksToo ? stacks.of(process) : Optional.empty();
        if (stack.isPresent()) {
            write(pid + "-" + program + "-stacks.txt", stack.get());
        }
        return new Doing(
                pid,
                program,
                process.state(),
                cores,
                waitsIn(pid, pid),
                stack.map(MainThread::calls).orElse(List.of()));
    }

    private Optional<String> waitsIn(long pid, long thread) {
        return proc.text(pid, "task/" + thread + "/wchan").map(String::strip).filter(place -> !place.equals("0"));
    }

    private String kernelView(long pid) {
        StringBuilder text = new StringBuilder();
        proc.commandLine(pid).ifPresent(line -> text.append(line).append("\n\n"));
        for (String file : List.of("status", "io")) {
            proc.text(pid, file)
                    .ifPresent(content ->
                            text.append(file).append(":\n").append(content).append('\n'));
        }
        for (long thread : proc.threads(pid).stream().limit(MOST_THREADS).toList()) {
            text.append("thread ").append(thread);
            proc.text(pid, "task/" + thread + "/comm")
                    .ifPresent(name -> text.append(' ').append(name.strip()));
            proc.text(pid, "task/" + thread + "/stat")
                    .ifPresent(stat -> text.append(", state ").append(stat.charAt(stat.lastIndexOf(')') + 2)));
            waitsIn(pid, thread).ifPresent(place -> text.append(", waits in ").append(place));
            proc.text(pid, "task/" + thread + "/syscall")
                    .ifPresent(call -> text.append(", system call ").append(call.strip()));
            text.append('\n');
            proc.text(pid, "task/" + thread + "/stack").ifPresent(text::append);
        }
        return text.toString();
    }

    private static String summary(Evidence evidence) {
        StringBuilder text = new StringBuilder();
        for (Doing doing : evidence.processes()) {
            text.append(String.format(
                    Locale.ROOT,
                    "process %d %s: state %s, wanted %.2f cores%s%n",
                    doing.pid(),
                    doing.program(),
                    doing.state(),
                    doing.cores(),
                    doing.waitsIn().map(place -> ", waits in " + place).orElse("")));
            doing.stack().forEach(call -> text.append("    ").append(call).append('\n'));
        }
        for (Link link : evidence.links()) {
            text.append(String.format(
                    Locale.ROOT,
                    "connection %s to %s: %d bytes not confirmed, %d not read%n",
                    link.local(),
                    link.remote(),
                    link.unsent(),
                    link.unread()));
        }
        return text.toString();
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name.replace('/', '_')), text);
    }
}
