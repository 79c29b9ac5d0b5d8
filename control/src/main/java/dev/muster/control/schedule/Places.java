package dev.muster.control.schedule;

import dev.muster.control.schedule.Claim.Member;
import dev.muster.model.JobId;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The place of every waiting job in its queue: the order in which they would start if there was room for one after the other.
 *
 * @param at      when it was worked out
 * @param changes after how many changes
 * @param byJob   places from 1
 */
record Places(Instant at, long changes, Map<JobId, Integer> byJob) {
    static final Places NONE = new Places(Instant.MIN, -1, Map.of());

    static Places of(Situation situation, long changes) {
        Map<JobId, Integer> byJob = new HashMap<>();
        Shares shares = new Shares(situation.whole());
        for (String queue : situation.waiting().queues()) {
            Ledger held = situation.holdings().held().over();
            QueueCursor cursor = new QueueCursor(situation.waiting().of(queue), user -> {
                Member member = new Member(queue, user);
                return shares.ofUser(held, member) + situation.past().of(member);
            });
            int place = 1;
            for (Optional<Waiting> next = cursor.peek(); next.isPresent(); next = cursor.peek()) {
                byJob.put(next.get().id(), place++);
                held.add(next.get().claim());
                cursor.served();
            }
        }
        return new Places(situation.now(), changes, byJob);
    }
}
