package dev.muster.control;

import dev.muster.control.schedule.Board;
import dev.muster.model.BackendKind;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.model.Quota;
import dev.muster.model.Site;
import dev.muster.spi.JobStore;
import dev.muster.spi.Lease;
import dev.muster.spi.Leases;
import dev.muster.spi.Leases.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Quotas of queues where several replicas admit, each for its own sites: one at a time, under a lease of its own, with what all others
 * have given read from the store. Where one replica is alone, or no queue has a quota, nothing of it is needed.
 */
final class SharedQuotas {
    /** No host has this name: a name of a host has no blanks. */
    private static final Site TURN = Site.of(BackendKind.LOCAL, Optional.of("the quotas of queues"));

    private static final Duration AGAIN = Duration.ofMillis(200);
    private static final int ALL = Integer.MAX_VALUE - 1;
    private static final Set<JobState> HOLDING =
            Arrays.stream(JobState.values()).filter(JobState::holdsCapacity).collect(Collectors.toSet());

    private final JobStore store;
    private final Surroundings surroundings;
    private final Sites sites;

    SharedQuotas(JobStore store, Surroundings surroundings, Sites sites) {
        this.store = store;
        this.surroundings = surroundings;
        this.sites = sites;
    }

    /** Whether a quota has to be held over several replicas. */
    boolean areShared() {
        return surroundings.replica().host().isPresent()
                && surroundings.queues().byName().values().stream()
                        .anyMatch(queue -> !queue.quota().equals(Quota.NONE));
    }

    /** A turn to admit. */
    sealed interface Turn {
        /** Others have to wait until it is given back, or until that time. */
        record Ours(Lease lease, Instant until) implements Turn {}

        /** It is another's; the time to ask again. */
        record Wait(Instant until) implements Turn {}
    }

    /** Takes the turn, and has the board know what is held elsewhere. */
    Turn take(Board board) {
        Leases leases = store.leases();
        Instant now = surroundings.clock().now();
        ThisReplica self = surroundings.replica();
        return switch (leases.take(TURN, self.id(), self.lease())) {
            case Answer.Held _ -> new Turn.Wait(now.plus(AGAIN));
            case Answer.Taken(Lease lease) -> {
                board.elsewhere(elsewhere());
                yield new Turn.Ours(lease, now.plus(self.lease()).minus(self.margin()));
            }
        };
    }

    private List<JobRecord> elsewhere() {
        return store.list(new JobStore.Query(HOLDING, Optional.empty(), Optional.empty(), ALL)).jobs().stream()
                .filter(job -> sites.lease(Site.of(job)).isEmpty())
                .toList();
    }

    void giveBack(Lease lease) {
        try {
            store.leases().release(lease);
        } catch (RuntimeException e) {
            surroundings.monitor().retrying("giving back the turn to admit", e);
        }
    }
}
