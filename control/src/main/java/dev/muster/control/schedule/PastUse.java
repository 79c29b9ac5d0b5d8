package dev.muster.control.schedule;

import dev.muster.control.schedule.Claim.Member;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What users have held in the past: the mean of their share, where an hour that lies one half-life back weighs half as much as one now.
 * It can be written down, for a service that goes on from there. Single-threaded.
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

    /** Whether it is known only up to an earlier time. */
    boolean isOlderThan(Instant time) {
        return until.isPresent() && until.get().isBefore(time);
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

    /** All of it as text: the time up to which it is known, then a line {@code MEAN QUEUE USER} for each. Empty when nothing is known. */
    String text() {
        StringBuilder text = new StringBuilder();
        until.ifPresent(time -> {
            text.append(time).append('\n');
            means.forEach((member, mean) -> text.append(mean)
                    .append(' ')
                    .append(member.queue())
                    .append(' ')
                    .append(member.user())
                    .append('\n'));
        });
        return text.toString();
    }

    /** Goes on from what was written down. Of a text that is no such one nothing is taken. */
    void resume(String text) {
        List<String> lines = text.lines().toList();
        if (lines.isEmpty()) {
            return;
        }
        try {
            Instant time = Instant.parse(lines.getFirst());
            Map<Member, Double> read = new HashMap<>();
            for (String line : lines.subList(1, lines.size())) {
                String[] fields = line.split(" ", 3);
                read.put(new Member(fields[1], fields[2]), Double.parseDouble(fields[0]));
            }
            until = Optional.of(time);
            means.clear();
            means.putAll(read);
        } catch (DateTimeException | NumberFormatException | ArrayIndexOutOfBoundsException somethingElse) {
            System.getLogger(PastUse.class.getName())
                    .log(System.Logger.Level.WARNING, "what users held in the past is not known: " + somethingElse);
        }
    }
}
