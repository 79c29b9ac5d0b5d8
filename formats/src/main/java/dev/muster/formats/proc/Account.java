package dev.muster.formats.proc;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What one process does.
 *
 * @param pid        its process id
 * @param program    file name of its program
 * @param state      the kernel's letter
 * @param busy       how busy it was
 * @param waitsIn    what its main thread waits in inside the kernel, where that is told
 * @param stacks     calls of all its threads in its own language, as a tool told them
 * @param kernelView its command line, status and threads, for a person to read
 */
public record Account(
        long pid,
        String program,
        char state,
        Busy busy,
        Optional<String> waitsIn,
        Optional<String> stacks,
        String kernelView) {
    private static final int MOST_THREADS = 64;
    private static final String UNTOLD = """
                where in its code is not known: py-spy is missing, or may not read it (pip install py-spy, into the job's
                environment or on the service's PATH, into the image of a container; or call muster.stacks_on_signal() in the script)
            """;

    /** Reads all but the environment, as there are secrets in it. */
    public static Account of(ProcFiles proc, long pid, char state, Busy busy, Optional<String> stacks) {
        return new Account(
                pid,
                proc.program(pid).orElse("?"),
                state,
                busy,
                waitsIn(proc, pid, pid),
                stacks,
                kernelView(proc, pid));
    }

    /** Calls of its main thread, innermost first; empty where they could not be had. */
    public List<String> calls() {
        return stacks.map(MainThread::calls).orElse(List.of());
    }

    /** Its lines of a summary. */
    String summary() {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "process %d %s: state %s, wanted %.2f cores%s%n",
                pid,
                program,
                state,
                busy.cores(),
                waitsIn.map(place -> ", waits in " + place).orElse("")));
        calls().forEach(call -> text.append("    ").append(call).append('\n'));
        if (isUntold()) {
            text.append(UNTOLD);
        }
        return text.toString();
    }

    /** Whether a tool would have told where in its code it is. Nobody asks a process that is stopped or has ended. */
    private boolean isUntold() {
        return stacks.isEmpty()
                && (program.startsWith("python") || program.startsWith("pypy"))
                && "TtZX".indexOf(state) < 0;
    }

    private static Optional<String> waitsIn(ProcFiles proc, long pid, long thread) {
        return proc.text(pid, "task/" + thread + "/wchan").map(String::strip).filter(place -> !place.equals("0"));
    }

    private static String kernelView(ProcFiles proc, long pid) {
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
            waitsIn(proc, pid, thread)
                    .ifPresent(place -> text.append(", waits in ").append(place));
            proc.text(pid, "task/" + thread + "/syscall")
                    .ifPresent(call -> text.append(", system call ").append(call.strip()));
            text.append('\n');
            proc.text(pid, "task/" + thread + "/stack").ifPresent(text::append);
        }
        return text.toString();
    }
}
