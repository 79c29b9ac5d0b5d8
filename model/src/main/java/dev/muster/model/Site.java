package dev.muster.model;

import java.util.Optional;

/**
 * Where processes of one backend live and are counted: a cluster, or one host for a backend that reaches only its own. One replica of the
 * service at a time drives the jobs of a site.
 *
 * @param backend what runs there
 * @param host    which host; empty for a cluster, and for the embedded service, which knows but its own
 */
public record Site(BackendKind backend, Optional<String> host) {
    public Site {
        Texts.require(host.isEmpty() || backend.isBoundToHost(), "a cluster is one site, whichever host reaches it");
    }

    /** The site of a backend as a service on that host reaches it. */
    public static Site of(BackendKind backend, Optional<String> host) {
        return new Site(backend, backend.isBoundToHost() ? host : Optional.empty());
    }

    /** Where the job lives or would live. */
    public static Site of(JobRecord job) {
        return of(job.spec().backend(), job.origin().host());
    }

    /** As it is stored and shown: {@code kubernetes}, {@code local}, {@code docker@HOST}. */
    public String text() {
        return backend.text() + host.map(name -> "@" + name).orElse("");
    }

    @Override
    public String toString() {
        return text();
    }
}
