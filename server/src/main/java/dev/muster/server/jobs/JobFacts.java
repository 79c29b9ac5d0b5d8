package dev.muster.server.jobs;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import dev.muster.frameworks.Frameworks;
import dev.muster.model.Group;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobSpec;
import dev.muster.model.ProcessName;
import dev.muster.model.ProcessPlan;
import dev.muster.spi.JobStore.SpecCodec;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;

/** What follows from a job's specification alone, kept for the jobs that were shown last. Any thread may call. */
final class JobFacts {
    private static final int KEPT = 256;

    private final SpecCodec codec;
    private final Map<JobId, Facts> kept = new LinkedHashMap<>(KEPT, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<JobId, Facts> eldest) {
            return size() > KEPT;
        }
    };

    /** Ranks of one process. */
    record Ranks(OptionalInt rank, OptionalInt localRank) {
        static final Ranks NONE = new Ranks(OptionalInt.empty(), OptionalInt.empty());
    }

    /**
     * What follows from a specification.
     *
     * @param spec  from which
     * @param json  it as a document
     * @param ranks of each process
     */
    record Facts(JobSpec spec, JsonFields json, Map<ProcessName, Ranks> ranks) {}

    JobFacts(SpecCodec codec) {
        this.codec = codec;
    }

    Facts of(JobRecord job) {
        synchronized (kept) {
            Facts facts = kept.get(job.id());
            if (facts != null && facts.spec().equals(job.spec())) {
                return facts;
            }
        }
        Facts made = make(job.spec());
        synchronized (kept) {
            kept.put(job.id(), made);
        }
        return made;
    }

    private Facts make(JobSpec spec) {
        Map<ProcessName, Ranks> ranks = new HashMap<>();
        for (ProcessPlan process :
                Frameworks.of(spec.framework()).plan(spec, Group.largest(spec)).processes()) {
            ranks.put(process.name(), new Ranks(process.rank(), process.localRank()));
        }
        return new Facts(spec, (JsonFields) Json.parse(codec.write(spec)), ranks);
    }
}
