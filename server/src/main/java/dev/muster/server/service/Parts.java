package dev.muster.server.service;

import dev.muster.backend.kubernetes.Manifests;
import dev.muster.control.Jobs;
import dev.muster.control.Ports;
import dev.muster.control.Surroundings;
import dev.muster.server.jobs.AbsentBackends;
import dev.muster.server.jobs.HostPaths;
import dev.muster.server.jobs.JobApi;
import dev.muster.server.jobs.JobChanges;
import dev.muster.server.jobs.LocalUse;
import dev.muster.spi.CodeStore;
import dev.muster.spi.JobStore.SpecCodec;
import dev.muster.telemetry.EvidenceReader;
import dev.muster.telemetry.LogReader;

/**
 * What a service is made of.
 *
 * @param ports        the parts that control drives; its store tells {@code changes} of every change
 * @param absent       backends that are not to be had, with why
 * @param surroundings clock, ids and the rest that control lives in
 * @param logs         reads logs
 * @param evidence     reads why attempts did not go on
 * @param code         snapshots of training code
 * @param codec        form of job specifications
 * @param changes      wakes followers
 * @param manifests    writes jobs as files of other systems
 */
public record Parts(
        Ports ports,
        AbsentBackends absent,
        Surroundings surroundings,
        LogReader logs,
        EvidenceReader evidence,
        CodeStore code,
        SpecCodec codec,
        JobChanges changes,
        Manifests manifests) {

    JobApi.Parts jobApi(Jobs jobs, LocalUse localUse, HostPaths hostPaths) {
        return new JobApi.Parts(
                jobs,
                ports,
                absent,
                logs,
                evidence,
                code,
                codec,
                surroundings.ids(),
                surroundings.clock(),
                changes,
                localUse,
                hostPaths,
                surroundings.replica().host(),
                manifests);
    }

    /** Lets go of everything; processes of jobs go on. */
    void close() {
        ports.backends().values().forEach(backend -> backend.close());
        ports.telemetry().close();
        ports.store().close();
    }
}
