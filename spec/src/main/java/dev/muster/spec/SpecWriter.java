package dev.muster.spec;

import dev.muster.model.JobSpec;
import dev.muster.spec.form.At;
import dev.muster.spec.form.Reading;
import dev.muster.spec.job.JobAssembly;
import dev.muster.spec.job.JobFields;
import dev.muster.spec.job.JobForm;
import dev.muster.spec.tree.Json;
import dev.muster.spec.tree.JsonReader;
import dev.muster.spi.JobStore;
import java.util.Optional;

/**
 * Specifications as canonical JSON, which is job text itself: defaults written out, the same bytes for equal specifications, and read
 * back to an equal one. What is in all roles stands at the top, so that {@code --set} on it means what it means on the text a user
 * wrote. Pure; any thread may call.
 */
public final class SpecWriter implements JobStore.SpecCodec {
    @Override
    public String write(JobSpec spec) {
        return Json.write(JobForm.of(spec));
    }

    /**
     * Reads what {@link #write} wrote, by this or an earlier version. The rules between fields are not asked again: they were when the
     * job was accepted, and may have become stricter since.
     *
     * @throws IllegalArgumentException when it is no JSON or a field cannot be read; the message names all that cannot
     */
    @Override
    public JobSpec read(String text) {
        Reading reading = new Reading(JobFields.VOCABULARY);
        Optional<JobSpec> spec = JobFields.BLOCK
                .read(new At("", JsonReader.read(text), reading))
                .map(fields -> JobAssembly.draft(fields).spec());
        if (spec.isEmpty() || !reading.problems().isEmpty()) {
            throw new IllegalArgumentException("a stored job specification cannot be read: " + reading.problems());
        }
        return spec.get();
    }
}
