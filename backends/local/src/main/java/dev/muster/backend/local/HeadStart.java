package dev.muster.backend.local;

import dev.muster.model.JobId;
import dev.muster.model.Join;
import dev.muster.model.Member;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * A head start for the process that the others of its group connect to. On one machine all import their framework side by side, and
 * who is first is chance; one that connects before the port listens is refused, and PyTorch's TCPStore tries again only after a
 * second. Any thread may call.
 */
final class HeadStart {
    private static final Duration LEAD = Duration.ofMillis(100);

    private final LongSupplier nanoTime;
    private final Map<Started, Long> started = new ConcurrentHashMap<>();

    private record Started(JobId job, Member member) {}

    /** @param nanoTime as {@link System#nanoTime} */
    HeadStart(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** The process was started just now; one that nobody connects to needs no head start. */
    void started(JobId job, Member member, Join join) {
        if (join instanceof Join.Listens) {
            started.put(new Started(job, member), nanoTime.getAsLong());
        }
    }

    /** How long a process that joins in such a way is not to be started yet. */
    Duration left(JobId job, Join join) {
        if (!(join instanceof Join.Connected connected)) {
            return Duration.ZERO;
        }
        Long at = started.get(new Started(job, connected.member()));
        if (at == null) {
            return Duration.ZERO;
        }
        Duration left = LEAD.minusNanos(nanoTime.getAsLong() - at);
        return left.isNegative() ? Duration.ZERO : left;
    }

    void forget(JobId job) {
        started.keySet().removeIf(key -> key.job().equals(job));
    }
}
