package dev.muster.backend.local;

import dev.muster.backend.local.Proc.Stat;
import dev.muster.formats.proc.Account;
import dev.muster.formats.proc.Accounts;
import dev.muster.formats.proc.Busy;
import dev.muster.formats.proc.Connection;
import dev.muster.formats.proc.WantedTime;
import dev.muster.spi.Evidence;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
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

    /**
     * Looks.
     *
     * @param members the main process first
     */
    Evidence of(List<Stat> members) throws IOException {
        long begun = System.nanoTime();
        List<Stat> looked = members.stream().limit(MOST_PROCESSES).toList();
        Map<Long, Long> wanted = new HashMap<>();
        Map<Long, Long> turns = new HashMap<>();
        for (Stat member : looked) {
            wanted.put(member.pid(), WantedTime.of(proc, member.pid()));
            turns.put(member.pid(), WantedTime.turns(proc, member.pid()));
        }
        BoundedCommand.pause(SAMPLE.toMillis());
        double passed = System.nanoTime() - begun;
        Map<Long, Busy> busy = new HashMap<>();
        for (Stat member : looked) {
            long pid = member.pid();
            busy.put(
                    pid,
                    Busy.between(
                            wanted.get(pid),
                            WantedTime.of(proc, pid),
                            turns.get(pid),
                            WantedTime.turns(proc, pid),
                            passed));
        }
        List<Account> accounts = new ArrayList<>();
        for (Stat member : looked) {
            Optional<Stat> now = proc.stat(member.pid()).filter(stat -> stat.start() == member.start());
            if (now.isPresent()) {
                boolean inTime = System.nanoTime() - begun < LONGEST.toNanos();
                accounts.add(Account.of(
                        proc,
                        member.pid(),
                        now.get().state(),
                        busy.get(member.pid()),
                        inTime ? stacks.of(now.get()) : Optional.empty()));
            }
        }
        Accounts all = new Accounts(
                accounts, Connection.of(proc, looked.stream().map(Stat::pid).toList()));
        all.write(folder);
        return Evidence.of(all);
    }
}
