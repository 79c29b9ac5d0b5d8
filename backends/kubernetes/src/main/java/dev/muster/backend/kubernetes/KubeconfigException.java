package dev.muster.backend.kubernetes;

import java.nio.file.Path;

/** A kubeconfig that is none, so there is no way to a cluster. The message is for whoever keeps the file, and names it. */
public final class KubeconfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    KubeconfigException(Path file, RuntimeException from) {
        super("the kubeconfig " + file + " cannot be read as one: " + seen(from), from);
    }

    /** The client library runs into nothing where the file is empty, and tells of other files over many lines. */
    private static String seen(RuntimeException from) {
        return from instanceof NullPointerException || from.getMessage() == null
                ? "it is empty, or has no content"
                : from.getMessage().strip().lines().findFirst().orElse("");
    }
}
