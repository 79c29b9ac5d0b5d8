package dev.muster.control.schedule;

import dev.muster.control.schedule.Claim.Member;
import dev.muster.model.BackendKind;
import dev.muster.model.Capacity;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Sums of what is held: by backend, by queue and by user. One may be laid over another, which then shows the sum of both. Single-threaded. */
final class Ledger {
    private final Optional<Ledger> below;
    private final Map<BackendKind, Capacity> backends = new EnumMap<>(BackendKind.class);
    private final Map<String, Map<BackendKind, Capacity>> queues = new HashMap<>();
    private final Map<Member, Map<BackendKind, Capacity>> members = new HashMap<>();
    private Map<String, Capacity> elsewhere = Map.of();

    Ledger() {
        below = Optional.empty();
    }

    private Ledger(Ledger below) {
        this.below = Optional.of(below);
    }

    /** An empty ledger over this one, which stays as it is. */
    Ledger over() {
        return new Ledger(this);
    }

    void add(Claim claim) {
        change(claim, claim.demand());
    }

    void remove(Claim claim) {
        change(claim, Capacity.ZERO.minus(claim.demand()));
    }

    private void change(Claim claim, Capacity amount) {
        change(backends, claim.backend(), amount);
        change(queues, claim.queue(), claim.backend(), amount);
        change(members, claim.member(), claim.backend(), amount);
    }

    private static <K> void change(
            Map<K, Map<BackendKind, Capacity>> all, K key, BackendKind backend, Capacity amount) {
        Map<BackendKind, Capacity> sums = all.computeIfAbsent(key, name -> new EnumMap<>(BackendKind.class));
        change(sums, backend, amount);
        if (sums.isEmpty()) {
            all.remove(key);
        }
    }

    private static void change(Map<BackendKind, Capacity> sums, BackendKind backend, Capacity amount) {
        Capacity sum = sums.getOrDefault(backend, Capacity.ZERO).plus(amount);
        if (sum.equals(Capacity.ZERO)) {
            sums.remove(backend);
        } else {
            sums.put(backend, sum);
        }
    }

    Capacity ofBackend(BackendKind backend) {
        Capacity own = backends.getOrDefault(backend, Capacity.ZERO);
        return below.map(ledger -> ledger.ofBackend(backend).plus(own)).orElse(own);
    }

    Capacity ofQueue(String queue, BackendKind backend) {
        Capacity own = queues.getOrDefault(queue, Map.of()).getOrDefault(backend, Capacity.ZERO);
        return below.map(ledger -> ledger.ofQueue(queue, backend).plus(own)).orElse(own);
    }

    /** Takes over what queues hold where another replica admits: it counts for their quotas, and for nothing else. */
    void elsewhere(Map<String, Capacity> held) {
        elsewhere = Map.copyOf(held);
    }

    /** What the queue holds on all backends together, those of other replicas too. */
    Capacity ofQueue(String queue) {
        Capacity own = sum(queues.getOrDefault(queue, Map.of())).plus(elsewhere.getOrDefault(queue, Capacity.ZERO));
        return below.map(ledger -> ledger.ofQueue(queue).plus(own)).orElse(own);
    }

    Capacity ofUser(Member member, BackendKind backend) {
        Capacity own = members.getOrDefault(member, Map.of()).getOrDefault(backend, Capacity.ZERO);
        return below.map(ledger -> ledger.ofUser(member, backend).plus(own)).orElse(own);
    }

    /** What a user holds in a queue, on all backends together. */
    Capacity ofUser(Member member) {
        Capacity own = sum(members.getOrDefault(member, Map.of()));
        return below.map(ledger -> ledger.ofUser(member).plus(own)).orElse(own);
    }

    /** Who holds something, by this ledger alone. */
    Iterable<Member> members() {
        return Collections.unmodifiableSet(members.keySet());
    }

    private static Capacity sum(Map<BackendKind, Capacity> amounts) {
        return amounts.values().stream().reduce(Capacity.ZERO, Capacity::plus);
    }
}
