package dev.muster.backend.kubernetes;

import dev.muster.formats.files.Folders;
import dev.muster.spi.BackendException;
import dev.muster.spi.JobFolders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Brings the model that a pod's program left to where the registry takes it, whole or not at all. */
record ModelFetch(JobFolders folders, Exec sidecar) {
    void fetch(PodSeen pod) throws BackendException {
        Path model = folders.model(pod.key());
        // Once it is there the registry may take it at any time: it must not come back.
        Path fetched = model.resolveSibling("model.fetched");
        if (Files.exists(fetched)) {
            return;
        }
        sidecar.read(
                output -> {
                    Files.createDirectories(model.getParent());
                    // This courier's alone: a service that was replaced may still be at work.
                    Path incoming = Files.createTempDirectory(model.getParent(), "incoming-");
                    try {
                        Path whole = Files.createDirectory(incoming.resolve("model"));
                        Unpacking.unpack(output, whole);
                        if (!Files.exists(fetched)) {
                            Folders.delete(model);
                            Files.move(whole, model, StandardCopyOption.ATOMIC_MOVE);
                            Files.write(fetched, new byte[0]);
                        }
                    } finally {
                        Folders.delete(incoming);
                    }
                },
                PodPaths.BUSYBOX,
                "tar",
                "-c",
                "-f",
                "-",
                "-C",
                PodPaths.MODEL,
                ".");
    }
}
