package dev.muster.control;

import dev.muster.control.decide.Publication;
import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.ModelVersion;
import dev.muster.model.ProcessKey;
import dev.muster.spi.BackendException;
import dev.muster.spi.ModelRegistry.PublishException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Registers models beside the loop. */
final class Publisher {
    /** The pause before the next try: for ever when the disk has no room, some times when Muster itself failed. */
    private static final Duration PAUSE = Duration.ofSeconds(10);

    private static final int TRIES = 5;

    private final Ports ports;
    private final Surroundings surroundings;
    private final Sites sites;
    private final Consumer<JobId> news;

    Publisher(Ports ports, Surroundings surroundings, Sites sites, Consumer<JobId> news) {
        this.ports = ports;
        this.surroundings = surroundings;
        this.sites = sites;
        this.news = news;
    }

    void publish(Cell cell, ProcessKey chief) {
        if (cell.publication instanceof Publication.Working) {
            return;
        }
        JobRecord job = cell.job();
        Map<String, String> lineage = lineage(cell, chief);
        cell.publication = new Publication.Working(); // only now that nothing can throw, or nobody would ever ask again
        surroundings.slow().execute(() -> {
            cell.publisher = Optional.of(Thread.currentThread());
            Publication outcome = register(cell, job, chief, lineage);
            cell.publisher = Optional.empty();
            cell.publication = outcome;
            news.accept(cell.id);
        });
    }

    void abandon(Cell cell) {
        cell.publisher.ifPresent(Thread::interrupt);
    }

    private Publication register(Cell cell, JobRecord job, ProcessKey chief, Map<String, String> lineage) {
        try {
            // A service that died here may have registered it: then nothing that fails from now on makes the job fail.
            Optional<ModelVersion> visible = ports.models().of(job.id());
            if (visible.isPresent()) {
                return new Publication.Done(visible.get());
            }
            ports.backend(job.spec()).collect(job.id());
            if (cell.lease.filter(sites::mayAct).isEmpty()) {
                return failed(cell, Cause.INTERNAL, "another replica may be registering the model");
            }
            return new Publication.Done(ports.models()
                    .publish(
                            job.id(),
                            job.spec().model().orElseThrow(),
                            surroundings.files().model(chief),
                            lineage));
        } catch (PublishException e) {
            return failed(cell, e.reasonCode(), e.getMessage());
        } catch (BackendException e) {
            return unreached(cell, e);
        } catch (RuntimeException e) {
            surroundings.monitor().retrying("registering the model of job " + job.id(), e);
            return failed(cell, Cause.INTERNAL, "the model could not be registered: " + e.getMessage());
        }
    }

    /** The model is where its backend has it: asked for again for ever while that is not reached. */
    private Publication unreached(Cell cell, BackendException e) {
        if (e.kind() != BackendException.Kind.NO_CONTACT) {
            return failed(cell, e.reasonCode(), e.getMessage());
        }
        return new Publication.Failed(
                e.reasonCode(),
                e.reasonCode().because(e.getMessage()),
                Optional.of(surroundings.clock().now().plus(PAUSE)));
    }

    private Publication failed(Cell cell, Cause cause, String message) {
        boolean again = cause == Cause.DISK_FULL || cause == Cause.INTERNAL && ++cell.failedPublications < TRIES;
        return new Publication.Failed(
                cause,
                cause.because(message),
                again ? Optional.of(surroundings.clock().now().plus(PAUSE)) : Optional.empty());
    }

    private Map<String, String> lineage(Cell cell, ProcessKey chief) {
        JobRecord job = cell.job();
        Map<String, String> lineage = new TreeMap<>();
        lineage.put("job.id", job.id().value());
        lineage.put("job.name", job.spec().name());
        lineage.put(ModelVersion.PROJECT, job.origin().project());
        lineage.put("framework", job.spec().framework().text());
        lineage.put("process", chief.name().toString());
        lineage.put("attempt", String.valueOf(chief.attempt()));
        job.origin().codeDigest().ifPresent(digest -> lineage.put("code", digest));
        job.spec().data().forEach((name, place) -> lineage.put("data." + name, place));
        job.resumeFrom().ifPresent(from -> lineage.put("resumedFrom", from));
        ports.store().progress(job.id()).ifPresent(seen -> {
            seen.progress().step().ifPresent(step -> lineage.put("step", String.valueOf(step)));
            seen.progress().metrics().forEach((name, value) -> lineage.put("metric." + name, String.valueOf(value)));
        });
        return lineage;
    }
}
