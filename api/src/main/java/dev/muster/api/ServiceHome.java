package dev.muster.api;

import java.nio.file.Path;

/**
 * The files of MUSTER_HOME by which a client finds or starts the embedded service.
 *
 * @param folder MUSTER_HOME, absolute
 */
public record ServiceHome(Path folder) {
    /** {@link ServiceFile}. */
    public Path serviceFile() {
        return folder.resolve("service.json");
    }

    /** Locked by the service, exclusively, as long as it lives. */
    public Path serviceLock() {
        return folder.resolve("service.lock");
    }

    /** Locked by a client, exclusively, while it starts or replaces a service. */
    public Path startLock() {
        return folder.resolve("start.lock");
    }

    /** The bearer token, one line; readable by its owner only. */
    public Path token() {
        return folder.resolve("token");
    }

    /** Written by a service for several people: the base of its URLs, one line. Like {@link #serviceFile}, it proves nothing while the lock is free. */
    public Path sharedUrl() {
        return folder.resolve("shared.url");
    }

    /** What the service has to say. */
    public Path serviceLog() {
        return folder.resolve("logs").resolve("service.log");
    }
}
