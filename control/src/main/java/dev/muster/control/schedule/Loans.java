package dev.muster.control.schedule;

import dev.muster.model.Capacity;
import dev.muster.model.Queue;
import dev.muster.model.Queues;
import dev.muster.model.Quota;

/**
 * What queues may hold. A queue may hold its quota; beyond it, as its {@code borrow} says, what other queues leave idle of theirs, thing by
 * thing. What is not bounded by a quota is nobody's: it is taken as it comes, and nothing of it can be claimed back.
 */
final class Loans {
    private final Queues queues;

    Loans(Queues queues) {
        this.queues = queues;
    }

    /** What the queue may take beside what it holds. */
    Capacity room(String name, Ledger held) {
        Queue queue = queues.get(name);
        if (queue.quota().isEmpty()) {
            return Amounts.BOUNDLESS;
        }
        Capacity used = held.ofQueue(name);
        Capacity own = queue.quota().orElse(Amounts.BOUNDLESS).minus(used);
        if (queue.borrow().isEmpty()) {
            return own;
        }
        Capacity more = Amounts.least(queue.most(Amounts.BOUNDLESS).minus(used), idle(held));
        return Amounts.most(own, more);
    }

    /** The most the queue may ever hold. */
    Capacity most(String name) {
        Queue queue = queues.get(name);
        Capacity own = queue.quota().orElse(Amounts.BOUNDLESS);
        return Amounts.most(own, Amounts.least(queue.most(Amounts.BOUNDLESS), idle(new Ledger())));
    }

    /** What all quotas together leave idle; boundless of what no queue has a quota of. */
    private Capacity idle(Ledger held) {
        Capacity quotas = Capacity.ZERO;
        Capacity used = Capacity.ZERO;
        Capacity unbounded = Amounts.BOUNDLESS;
        for (Queue queue : queues.byName().values()) {
            Quota quota = queue.quota();
            Capacity use = held.ofQueue(queue.name());
            quotas = quotas.plus(quota.orElse(Capacity.ZERO));
            used = used.plus(new Capacity(
                    quota.processes().isPresent() ? use.processes() : 0,
                    quota.milliCpus().isPresent() ? use.milliCpus() : 0,
                    quota.memoryBytes().isPresent() ? use.memoryBytes() : 0,
                    quota.gpus().isPresent() ? use.gpus() : 0));
            unbounded = new Capacity(
                    quota.processes().isPresent() ? 0 : unbounded.processes(),
                    quota.milliCpus().isPresent() ? 0 : unbounded.milliCpus(),
                    quota.memoryBytes().isPresent() ? 0 : unbounded.memoryBytes(),
                    quota.gpus().isPresent() ? 0 : unbounded.gpus());
        }
        return Amounts.most(quotas.minus(used), unbounded);
    }

    /** Whether what the job asks for is its queue's own by quota. */
    boolean owns(Claim claim, Ledger held) {
        Quota quota = queues.get(claim.queue()).quota();
        return !quota.isEmpty()
                && Amounts.fits(claim.demand(), quota.orElse(Amounts.BOUNDLESS).minus(held.ofQueue(claim.queue())));
    }

    /** Of what a queue has a quota: 1 of each such thing. */
    Capacity quotas(String queue) {
        Quota quota = queues.get(queue).quota();
        return new Capacity(
                quota.processes().isPresent() ? 1 : 0,
                quota.milliCpus().isPresent() ? 1 : 0,
                quota.memoryBytes().isPresent() ? 1 : 0,
                quota.gpus().isPresent() ? 1 : 0);
    }

    /** What a queue holds that is not its own by quota. */
    Capacity borrowed(String queue, Ledger held) {
        Capacity own = queues.get(queue).quota().orElse(Capacity.ZERO);
        return Amounts.most(Capacity.ZERO, held.ofQueue(queue).minus(own));
    }

    /** What a queue holds beyond its quota, of what it has a quota of. */
    Capacity lent(Queue queue, Ledger held) {
        Capacity own = queue.quota().orElse(Amounts.BOUNDLESS);
        return Amounts.most(Capacity.ZERO, held.ofQueue(queue.name()).minus(own));
    }
}
