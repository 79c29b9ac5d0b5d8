package dev.muster.control.schedule;

import dev.muster.control.schedule.Claim.Member;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What users have held in the past: the mean of their share, where an hour that lies one half-life back weighs half as much as one now.
 * Kept in memory only. Single-threaded.
 */
final class PastUse {
    static final Duration HALF_LIFE = Duration.ofDays(1);

    /** Less than this counts as nothing and is forgotten. */
    private static final double TRACE = 1e-6;

    private final Map<Member, Double> means = new HashMap<>();
    private Optional<Instant> until = Optional.empty();

    double of(Member member) {
        return means.getOrDefault(member, 0.0);
    }

    /** Goes on to now: since the last time everybody held what the ledger says. */
    void advance(Instant now, Ledger held, Shares shares) {
        if (until.isPresent() && now.isAfter(until.get())) {
            double elapsed = Duration.between(until.get(), now).toNanos();
            double kept = Math.exp(-Math.log(2) * elapsed / HALF_LIFE.toNanos());
            Set<Member> members = new HashSet<>(means.keySet());
            held.members().forEach(members::add);
            for (Member member : members) {
                double mean = of(member) * kept + shares.ofUser(held, member) * (1 - kept);
                if (mean < TRACE) {
                    means.remove(member);
                } else {
                    means.put(member, mean);
                }
            }
        }
        if (until.isEmpty() || now.isAfter(until.get())) {
            until = Optional.of(now);
        }
    }
}
