package dev.muster.control.schedule;

import dev.muster.control.schedule.Claim.Member;
import dev.muster.model.BackendKind;
import dev.muster.model.Capacity;
import dev.muster.model.Queue;
import java.util.Map;

/**
 * Dominant resource shares (Ghodsi and others, "Dominant Resource Fairness", NSDI 2011): the largest part that somebody holds of any one thing of
 * any backend.
 */
final class Shares {
    private final Map<BackendKind, Capacity> whole;

    Shares(Map<BackendKind, Capacity> whole) {
        this.whole = whole;
    }

    /** Of a user in a queue. */
    double ofUser(Ledger held, Member member) {
        double largest = 0;
        for (Map.Entry<BackendKind, Capacity> backend : whole.entrySet()) {
            largest = Math.max(largest, part(held.ofUser(member, backend.getKey()), backend.getValue()));
        }
        return largest;
    }

    /** Of a queue, by its weight. */
    double ofQueue(Ledger held, Queue queue) {
        double largest = 0;
        for (Map.Entry<BackendKind, Capacity> backend : whole.entrySet()) {
            largest = Math.max(largest, part(held.ofQueue(queue.name(), backend.getKey()), backend.getValue()));
        }
        return largest / queue.weight();
    }

    private static double part(Capacity held, Capacity whole) {
        return Math.max(
                Math.max(part(held.processes(), whole.processes()), part(held.gpus(), whole.gpus())),
                Math.max(part(held.milliCpus(), whole.milliCpus()), part(held.memoryBytes(), whole.memoryBytes())));
    }

    private static double part(double held, double whole) {
        return held > 0 && whole > 0 ? held / whole : 0;
    }
}
