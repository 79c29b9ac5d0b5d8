package dev.muster.backend.local;

import dev.muster.backend.local.AttemptFolder.Asked;
import dev.muster.backend.local.AttemptFolder.Exit;
import dev.muster.backend.local.AttemptFolder.Started;
import dev.muster.backend.local.Proc.Stat;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Every process of one attempt, its shim not counted, and how they are ended.
 *
 * <p>Where a control group holds them, its members are all. Elsewhere all processes of the machine are looked through for descendants of
 * the shim and the program, members of the program's session that were started before the program ended, and those whose environment names
 * the attempt's working folder. No process is ever signalled whose start time is not the one it was found with.
 *
 * @param folder the attempt's files
 * @param proc   the kernel's view
 * @param marker environment entry that only processes of this attempt have
 */
record ProcessTree(AttemptFolder folder, Proc proc, String marker) {
    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final Duration STARTING = Duration.ofSeconds(2);
    private static final Duration REMOVING = Duration.ofMillis(200);
    private static final Set<String> SHELLS =
            Set.of("sh", "bash", "dash", "ash", "busybox", "ksh", "mksh", "yash", "zsh");

    /** What runs now. */
    List<Stat> members() throws IOException {
        List<CgroupFolder> cgroups = cgroups();
        Set<Long> roots = new HashSet<>();
        cgroups.forEach(cgroup -> roots.addAll(cgroup.processes()));
        if (cgroups.stream().anyMatch(ProcessTree::holdsAll)) {
            return roots.stream()
                    .flatMap(pid -> proc.stat(pid).stream())
                    .filter(Stat::isRunning)
                    .toList();
        }
        return search(roots);
    }

    /** What runs now, the program first. */
    List<Stat> mainFirst() throws IOException {
        long main = folder.started().map(Started::pid).orElse(0L);
        return members().stream()
                .sorted(Comparator.comparing((Stat stat) -> stat.pid() != main).thenComparingLong(Stat::pid))
                .toList();
    }

    /** Looks through all processes of the machine. */
    private List<Stat> search(Set<Long> roots) throws IOException {
        Map<Long, Stat> table = new HashMap<>();
        proc.all().stream().filter(Stat::isRunning).forEach(stat -> table.put(stat.pid(), stat));
        Optional<ProcessIdentity> shim = folder.claim().filter(proc::isRunning);
        shim.ifPresent(process -> roots.add(process.pid()));
        addSession(roots, table);
        table.keySet().stream().filter(pid -> proc.hasVariable(pid, marker)).forEach(roots::add);
        Set<Long> found = withDescendants(roots, table);
        shim.ifPresent(process -> found.remove(process.pid()));
        found.remove(ProcessHandle.current().pid());
        return found.stream().map(table::get).filter(stat -> stat != null).toList();
    }

    private static boolean holdsAll(CgroupFolder cgroup) {
        return switch (cgroup.kind()) {
            case FREEZER, UNIFIED -> true;
            case MEMORY, CPU -> false;
        };
    }

    private List<CgroupFolder> cgroups() throws IOException {
        return folder.facts().map(Facts::cgroups).orElse(List.of());
    }

    /**
     * The program leads a session of its own. While it lived nobody else could have its pid, so whoever is in the session of that
     * number and was started before the program ended is of this attempt, also when the program is gone.
     */
    private void addSession(Set<Long> roots, Map<Long, Stat> table) throws IOException {
        Optional<Started> program = folder.started();
        if (program.isEmpty() || !isOfThisBoot()) {
            return;
        }
        long end = proc.isRunning(program.get().pid(), program.get().start())
                ? Long.MAX_VALUE
                : folder.exit().map(Exit::uptime).orElse(-1L);
        table.values().stream()
                .filter(stat -> stat.session() == program.get().pid()
                        && stat.start() >= program.get().start()
                        && stat.start() <= end)
                .forEach(stat -> roots.add(stat.pid()));
    }

    private boolean isOfThisBoot() throws IOException {
        return folder.claim().filter(shim -> shim.boot().equals(proc.boot())).isPresent();
    }

    private static Set<Long> withDescendants(Set<Long> roots, Map<Long, Stat> table) {
        Map<Long, List<Long>> children = new HashMap<>();
        table.values()
                .forEach(stat -> children.computeIfAbsent(stat.parent(), parent -> new ArrayList<>())
                        .add(stat.pid()));
        Set<Long> found = new HashSet<>(roots);
        Deque<Long> open = new ArrayDeque<>(roots);
        while (!open.isEmpty()) {
            for (long child : children.getOrDefault(open.pop(), List.of())) {
                if (found.add(child)) {
                    open.push(child);
                }
            }
        }
        return found;
    }

    /**
     * Sends SIGTERM to the program. A shell without a trap for it would end at once and leave the training to itself, so there the
     * processes it runs are sent it too, through shells below it as well; a shell with a trap, and every other program, passes it on
     * as it sees fit. Who was asked besides the program is written down first.
     */
    void ask() throws IOException {
        Optional<Started> program = awaitStart();
        if (program.isEmpty() || folder.exit().isPresent() || !isOfThisBoot()) {
            return;
        }
        Optional<Stat> main = proc.stat(program.get().pid())
                .filter(stat -> stat.start() == program.get().start() && stat.isRunning());
        if (main.isEmpty()) {
            return;
        }
        List<Stat> through = throughShells(main.get());
        folder.addAsked(through.stream()
                .map(stat -> new Asked(stat.pid(), stat.start()))
                .toList());
        signal(main.get(), false);
        through.forEach(stat -> signal(stat, false));
    }

    /** The program, waited for while its shim is about to run it: a request to end must not be lost. */
    private Optional<Started> awaitStart() throws IOException {
        long begun = System.nanoTime();
        while (folder.started().isEmpty() && isAboutToRun() && System.nanoTime() - begun < STARTING.toNanos()) {
            pause(2);
        }
        return folder.started();
    }

    private List<Stat> throughShells(Stat main) {
        if (!leavesItsChildren(main)) {
            return List.of();
        }
        List<Stat> all = proc.all();
        List<Stat> asked = new ArrayList<>();
        Deque<Stat> shells = new ArrayDeque<>(List.of(main));
        while (!shells.isEmpty()) {
            Stat shell = shells.pop();
            for (Stat child : all) {
                if (child.parent() == shell.pid() && child.isRunning()) {
                    asked.add(child);
                    if (leavesItsChildren(child)) {
                        shells.push(child);
                    }
                }
            }
        }
        return asked;
    }

    /** Whether it is a shell that ends at once on SIGTERM, without a word to what it runs. */
    private boolean leavesItsChildren(Stat process) {
        return proc.program(process.pid()).filter(SHELLS::contains).isPresent() && !proc.catchesTerm(process.pid());
    }

    /** Whether one of those sent SIGTERM besides the program still runs. */
    boolean askedAreRunning() throws IOException {
        return isOfThisBoot() && folder.asked().stream().anyMatch(asked -> proc.isRunning(asked.pid(), asked.start()));
    }

    /**
     * Ends everything of the attempt with SIGKILL, also what is only about to run, and returns when nothing is left.
     *
     * @return a process that would not end within 10 s, if there is one
     */
    Optional<Stat> kill() throws IOException {
        long begun = System.nanoTime();
        long pause = 1;
        while (true) {
            List<Stat> members = members();
            if (members.isEmpty() && !isAboutToRun()) {
                return Optional.empty();
            }
            if (System.nanoTime() - begun > LONGEST.toNanos()) {
                return members.stream().findFirst();
            }
            killOnce(members);
            pause(pause);
            pause = Math.min(pause * 2, 50);
        }
    }

    /** The shim lives and has not told the end yet: between two looks it can make a process. */
    private boolean isAboutToRun() throws IOException {
        return folder.exit().isEmpty() && folder.claim().filter(proc::isRunning).isPresent();
    }

    private void killOnce(List<Stat> members) throws IOException {
        List<CgroupFolder> cgroups = cgroups();
        // Not a short-circuit: every group is killed.
        cgroups.forEach(CgroupFolder::kill);
        cgroups.forEach(CgroupFolder::freeze);
        try {
            // Parents first: a shell whose command is ended before itself would go on with its next.
            members.stream()
                    .sorted(Comparator.comparingLong(Stat::start).thenComparingLong(Stat::pid))
                    .forEach(stat -> signal(stat, true));
            for (CgroupFolder cgroup : cgroups) {
                cgroup.processes().stream()
                        .flatMap(pid -> proc.stat(pid).stream())
                        .filter(Stat::isRunning)
                        .forEach(stat -> signal(stat, true));
            }
        } finally {
            cgroups.forEach(CgroupFolder::thaw);
        }
    }

    /** Ends the shim, whose work is done, so that nobody writes into the attempt's folder any more. */
    void endShim() throws IOException {
        Optional<ProcessIdentity> shim = folder.claim();
        long begun = System.nanoTime();
        while (shim.filter(proc::isRunning).isPresent() && System.nanoTime() - begun < STARTING.toNanos()) {
            // Most often it is about to end by itself.
            pause(2);
            proc.stat(shim.get().pid())
                    .filter(stat -> stat.start() == shim.get().start())
                    .ifPresent(stat -> signal(stat, true));
        }
    }

    /** Removes the attempt's groups; nothing of it may run. */
    void removeCgroups() throws IOException {
        long begun = System.nanoTime();
        for (CgroupFolder cgroup : cgroups()) {
            while (!cgroup.remove() && System.nanoTime() - begun < REMOVING.toNanos()) {
                pause(2);
            }
        }
    }

    private void signal(Stat process, boolean kill) {
        // The handle checks the start time it was made with before it signals; so do we, against the one the process
        // was found with.
        Optional<ProcessHandle> handle = ProcessHandle.of(process.pid());
        if (handle.isEmpty() || !proc.isRunning(process.pid(), process.start())) {
            return;
        }
        if (kill) {
            handle.get().destroyForcibly();
        } else {
            handle.get().destroy();
        }
    }

    private static void pause(long millis) throws IOException {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while processes were being ended", interrupted);
        }
    }
}
