package dev.muster.backend.local;

import dev.muster.backend.local.Proc.Stat;
import dev.muster.formats.proc.WantedTime;
import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** How many cores attempts wanted between two readings. Any thread may call. */
final class CoreMeter {
    private final Proc proc;
    private final Map<ProcessKey, Reading> last = new ConcurrentHashMap<>();

    private record Reading(long at, Map<ProcessIdentity, Long> wanted) {}

    CoreMeter(Proc proc) {
        this.proc = proc;
    }

    /** Since the reading before; empty when this is the first. Processes that are new since count from their start. */
    Optional<Double> read(ProcessKey key, List<Stat> members) {
        Map<ProcessIdentity, Long> wanted = new HashMap<>();
        members.forEach(member -> wanted.put(
                new ProcessIdentity(member.pid(), member.start(), proc.boot()), WantedTime.of(proc, member.pid())));
        Reading now = new Reading(System.nanoTime(), wanted);
        Reading before = last.put(key, now);
        if (before == null || now.at() == before.at()) {
            return Optional.empty();
        }
        long sum = 0;
        for (Map.Entry<ProcessIdentity, Long> process : wanted.entrySet()) {
            sum += Math.max(0, process.getValue() - before.wanted().getOrDefault(process.getKey(), 0L));
        }
        return Optional.of((double) sum / (now.at() - before.at()));
    }

    /** Forgets all attempts of the job but these. */
    void keep(JobId job, List<ProcessKey> keys) {
        last.keySet().removeIf(key -> key.job().equals(job) && !keys.contains(key));
    }
}
