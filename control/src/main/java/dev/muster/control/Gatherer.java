package dev.muster.control;

import dev.muster.control.decide.Effect.GatherEvidence;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.spi.BackendException;
import dev.muster.spi.Evidence;
import java.util.Optional;
import java.util.function.Consumer;

/** Gathers evidence beside the loop, of each attempt once a standstill. One that cannot be had is none. */
final class Gatherer {
    private final Ports ports;
    private final Surroundings surroundings;
    private final Consumer<JobId> news;

    Gatherer(Ports ports, Surroundings surroundings, Consumer<JobId> news) {
        this.ports = ports;
        this.surroundings = surroundings;
        this.news = news;
    }

    /** Whether the attempt was asked already. */
    static boolean isAsked(Cell cell, GatherEvidence effect) {
        return cell.gathering
                .filter(known -> known.standstill().equals(effect.standstill()))
                .filter(known -> known.asked().contains(effect.key()))
                .isPresent();
    }

    void gather(Cell cell, GatherEvidence effect) {
        Gathering gathering = cell.gathering
                .filter(known -> known.standstill().equals(effect.standstill()))
                .orElseGet(() -> Gathering.begin(
                        effect.standstill(), surroundings.clock().now()));
        cell.gathering = Optional.of(gathering);
        if (!gathering.asked().add(effect.key())) {
            return;
        }
        JobRecord job = cell.job();
        surroundings.slow().execute(() -> {
            gathering.evidence().put(effect.key(), look(job, effect));
            news.accept(job.id());
        });
    }

    private Evidence look(JobRecord job, GatherEvidence effect) {
        try {
            return ports.backend(job.spec()).evidence(effect.key());
        } catch (BackendException | RuntimeException failed) {
            surroundings.monitor().retrying("looking why " + effect.key() + " does not go on", failed);
            return Evidence.NONE;
        }
    }
}
