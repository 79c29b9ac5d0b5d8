package dev.muster.store;

import dev.muster.model.JobSpec;
import dev.muster.spi.JobStore.SpecCodec;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Specifications and their texts, so that the same one is not written and read anew at every step of its job. Bounded. */
final class SpecTexts {
    private static final int MOST = 1000;
    private final SpecCodec codec;
    private final Map<JobSpec, String> texts = new IdentityHashMap<>();
    private final Map<String, JobSpec> specs = new LinkedHashMap<>(16, 0.75f, true);

    SpecTexts(SpecCodec codec) {
        this.codec = codec;
    }

    /** The work is done outside the lock: whoever stores a job does not wait for those who do the same. */
    String text(JobSpec spec) {
        String known = knownText(spec);
        if (known != null) {
            return known;
        }
        String text = codec.write(spec);
        keep(spec, text);
        return text;
    }

    JobSpec spec(String text) {
        JobSpec known = knownSpec(text);
        if (known != null) {
            return known;
        }
        JobSpec spec = codec.read(text);
        keep(spec, text);
        return spec;
    }

    private synchronized String knownText(JobSpec spec) {
        return texts.get(spec);
    }

    private synchronized JobSpec knownSpec(String text) {
        return specs.get(text);
    }

    private synchronized void keep(JobSpec spec, String text) {
        JobSpec other = specs.put(text, spec);
        if (other != null) {
            texts.remove(other);
        }
        texts.put(spec, text);
        if (specs.size() > MOST) {
            String oldest = specs.keySet().iterator().next();
            texts.remove(specs.remove(oldest));
        }
    }
}
