package dev.muster.control.schedule;

import dev.muster.control.decide.Demand;
import dev.muster.model.BackendKind;
import dev.muster.model.Capacity;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.model.Problem;
import dev.muster.model.Queues;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Who waits and who holds what, kept beside the store so that scheduling need not read it. All of it can be found out again, but for what
 * users held in the past and how long room has been kept. Any thread may call.
 */
public final class Board {
    /** How many may wait for their places to be worked out anew for every answer; above, once a second. */
    private static final int FEW = 500;

    private static final Duration SOON = Duration.ofSeconds(1);

    private final Queues queues;
    private final Map<JobId, Entry> entries = new HashMap<>();
    private final Lines lines = new Lines();
    private final Holdings holdings = new Holdings();
    private final PastUse past = new PastUse();
    private Map<BackendKind, Capacity> whole = Map.of();
    private Map<Pool, Reservation> reservations = Map.of();
    private long admissions;

    /** Of those whom the last pass admitted, as they may be stored in any order. */
    private final Map<JobId, Long> numbers = new HashMap<>();

    private long changes;
    private Places places = Places.NONE;

    private sealed interface Entry {
        record Waits(Waiting job) implements Entry {}

        /** @param more what it asks for beside what it holds, to be a larger group */
        record Holds(Holding job, Optional<Claim> more) implements Entry {}
    }

    public Board(Queues queues) {
        this.queues = queues;
    }

    /** Takes over where a job stands now. */
    public synchronized void put(JobRecord job, Instant now) {
        // What it held until now is past use, also when nobody waits and no pass looks.
        if (past.isOlderThan(now.minus(SOON))) {
            advancePast(now);
        }
        Entry before = entries.get(job.id());
        remove(job.id());
        if (job.state() == JobState.QUEUED) {
            Waiting waiting = Records.waiting(job);
            lines.add(waiting);
            entries.put(job.id(), new Entry.Waits(waiting));
        } else if (job.state().holdsCapacity()) {
            long order = before instanceof Entry.Holds holds ? holds.job().order() : order(job.id());
            Holding holding = Records.holding(job, order);
            holdings.add(holding);
            entries.put(job.id(), new Entry.Holds(holding, Records.more(job)));
        }
        changes++;
    }

    public synchronized void forget(JobId id) {
        remove(id);
        changes++;
    }

    private long order(JobId id) {
        Long granted = numbers.remove(id);
        return granted != null ? granted : ++admissions;
    }

    private void remove(JobId id) {
        switch (entries.remove(id)) {
            case null -> {}
            case Entry.Waits(Waiting waiting) -> lines.remove(waiting);
            case Entry.Holds holds -> holdings.remove(holds.job());
        }
    }

    /**
     * Decides who starts and who makes room now.
     *
     * @param whole all there is on each backend that can be used now
     */
    public synchronized Outcome decide(Map<BackendKind, Capacity> whole, Instant now) {
        this.whole = Map.copyOf(whole);
        advancePast(now);
        Scheduler.Plan plan = Scheduler.decide(situation(now));
        reservations = plan.reservations();
        numbers.clear();
        plan.outcome().admitted().forEach(id -> numbers.put(id, ++admissions));
        return plan.outcome();
    }

    private void advancePast(Instant now) {
        if (!whole.isEmpty()) {
            past.advance(now, holdings.held(), new Shares(whole));
        }
    }

    /**
     * Who may grow now, and by how much: of those who ask for it, the first admitted whose growth fits into what nobody waits for.
     *
     * @param passed who had the chance already
     */
    public synchronized Optional<Claim> nextToGrow(Set<JobId> passed, Instant now) {
        Situation situation = situation(now);
        return entries.values().stream()
                .filter(entry ->
                        entry instanceof Entry.Holds holds && holds.more().isPresent())
                .map(Entry.Holds.class::cast)
                .filter(holds -> !passed.contains(holds.job().id()))
                .sorted(Comparator.comparingLong(holds -> holds.job().order()))
                .filter(holds -> Growth.fits(holds.more().orElseThrow(), situation))
                .flatMap(holds -> holds.more().stream())
                .findFirst();
    }

    /** What a job asks for or holds. */
    public static Claim claim(JobRecord job) {
        return Records.claim(job);
    }

    /** What a running elastic job asks for beside what it holds, when it is to have more workers than are there. */
    public static Optional<Claim> more(JobRecord job) {
        return Records.more(job);
    }

    private Situation situation(Instant now) {
        Map<Pool, Reservation> kept = new HashMap<>();
        reservations.forEach(
                (pool, reservation) -> reservation.of(this::waitsFor).ifPresent(valid -> kept.put(pool, valid)));
        return new Situation(queues, whole, lines, holdings, past, kept, admissions, now);
    }

    private boolean waitsFor(Claim claim) {
        return entries.get(claim.id()) instanceof Entry.Waits(Waiting waiting)
                && waiting.claim().equals(claim);
    }

    /** Takes over which jobs hold capacity where another replica admits: they count for the quotas of their queues. */
    public synchronized void elsewhere(List<JobRecord> jobs) {
        Map<String, Capacity> held = new HashMap<>();
        jobs.forEach(job -> held.merge(job.spec().queue(), Demand.of(job.spec()), Capacity::plus));
        holdings.held().elsewhere(held);
        changes++;
    }

    /** What users held in the past, as text to go on from. */
    public synchronized String past() {
        return past.text();
    }

    /** Goes on from what users held in the past by an earlier service. */
    public synchronized void resumePast(String text) {
        past.resume(text);
    }

    /** Whether nobody waits, and nobody would grow. */
    public synchronized boolean idle() {
        return lines.queues().isEmpty()
                && entries.values().stream()
                        .noneMatch(entry -> entry instanceof Entry.Holds holds
                                && holds.more().isPresent());
    }

    /** Where a waiting job stands; empty for one that does not wait. */
    public synchronized Optional<Standing> standing(JobId id, Instant now) {
        if (!(entries.get(id) instanceof Entry.Waits(Waiting waiting))) {
            return Optional.empty();
        }
        Situation situation = situation(now);
        int place = place(id, situation);
        return Optional.of(new WhyWaiting(situation).of(waiting, place));
    }

    private int place(JobId id, Situation situation) {
        boolean recent =
                entries.size() > FEW && situation.now().isBefore(places.at().plus(SOON));
        if (places.changes() != changes && !recent || !places.byJob().containsKey(id)) {
            places = Places.of(situation, changes);
        }
        return places.byJob().get(id);
    }

    /** Every queue that is configured or used, by name. */
    public synchronized List<QueueView> queues(Instant now) {
        return new QueueViews(situation(now)).all();
    }

    /** What is wrong with a job's queue: unknown, or too small for it. */
    public List<Problem> check(String queue, Capacity demand) {
        return queues.unknown(queue)
                .map(List::of)
                .orElseGet(() -> WhyWaiting.tooLarge(queue, demand, new Loans(queues).most(queue)));
    }
}
