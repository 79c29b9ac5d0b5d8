package dev.muster.backend.kubernetes;

import dev.muster.model.Cause;
import dev.muster.spi.BackendException;
import dev.muster.spi.BackendException.Kind;
import dev.muster.spi.NotKeptException;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What an answer of the API server means. */
final class Failures {
    private static final String OVER = "the program is over, and what it left is not fetched yet: ";
    private static final String LIVES = "what it says and saves is not fetched at the moment: ";

    private static final int CLIENT = 400;
    private static final int CONFLICT = 409;
    private static final int NOT_FOUND = 404;
    private static final int FORBIDDEN = 403;
    private static final int UNAUTHORIZED = 401;
    private static final int TOO_MANY = 429;
    private static final int SERVER = 500;

    private static final Pattern IN_NAMESPACE = Pattern.compile(" cannot .* in the namespace \"([^\"]+)\"");

    private Failures() {}

    static boolean isConflict(KubernetesClientException answer) {
        return answer.getCode() == CONFLICT;
    }

    static boolean isMissing(KubernetesClientException answer) {
        return answer.getCode() == NOT_FOUND;
    }

    /** A quota of the namespace is used up: a matter of waiting. */
    static boolean isQuota(KubernetesClientException answer) {
        return answer.getCode() == FORBIDDEN && said(answer).contains("exceeded quota");
    }

    /** @param what what was tried, on what, as the beginning of a sentence */
    static BackendException of(String what, KubernetesClientException answer) {
        int code = answer.getCode();
        if (code < CLIENT || code >= SERVER || code == TOO_MANY) {
            return noContact(what, answer);
        }
        if (code == UNAUTHORIZED) {
            return new BackendException(
                    Kind.NO_CONTACT,
                    Cause.BACKEND_REFUSED,
                    what + ": the cluster does not know the service's credentials; renew the token of its kubeconfig",
                    answer);
        }
        return new BackendException(
                Kind.REFUSED, Cause.BACKEND_REFUSED, what + ": " + said(answer) + hint(code, said(answer)), answer);
    }

    /** What can be done about it. Not all that is forbidden is a matter of rights. */
    private static String hint(int code, String said) {
        if (code == NOT_FOUND && said.startsWith("namespaces ")) {
            return " (make it, or set another: MUSTER_KUBERNETES_NAMESPACE of the service, else that of its kubeconfig's context)";
        }
        if (code != FORBIDDEN) {
            return "";
        }
        if (said.contains("because it is being terminated")) {
            return " (somebody is deleting that namespace with all that is in it: once it is gone make it anew, with deploy/kubernetes/rbac.yaml,"
                    + " or set another: MUSTER_KUBERNETES_NAMESPACE of the service)";
        }
        boolean rights = said.contains(" cannot ") || !said.contains(" is forbidden: ");
        return rights ? " (deploy/kubernetes/rbac.yaml holds what Muster needs" + goneWith(said) + ")" : field(said);
    }

    /** The rights that hold in a namespace are the first that go when it is deleted. */
    private static String goneWith(String said) {
        Matcher named = IN_NAMESPACE.matcher(said);
        return named.find()
                ? "; where that was applied somebody may be deleting the namespace: kubectl get namespace "
                        + named.group(1)
                : "";
    }

    /** Which field of the job asked for what a pod was refused for; empty where none did, or it is not known. */
    static String field(String said) {
        if (said.contains("no PriorityClass")) {
            return " (kubernetes.priorityClass of the job: correct it, or make one of that name)";
        }
        return said.contains("looking up service account")
                ? " (kubernetes.serviceAccount of the job: correct it, or make one of that name)"
                : "";
    }

    static BackendException noContact(String what, Throwable from) {
        return new BackendException(
                Kind.NO_CONTACT,
                Cause.INTERNAL,
                what + ": the cluster's API server cannot be reached (" + reason(from) + ")",
                from);
    }

    /** What a program left waits in its pod until that is reached; empty for trouble of another kind, which may be the pod's own. */
    static Optional<BackendException> unfetched(Exception trouble) {
        return trouble instanceof BackendException problem && problem.kind() == Kind.NO_CONTACT
                ? Optional.of(new BackendException(
                        Kind.NO_CONTACT, problem.reasonCode(), OVER + problem.getMessage(), problem))
                : Optional.empty();
    }

    /**
     * What a user is told of a pod that is there, where it is not the pod's own fault: its service's disk is full, or it is not reached.
     *
     * @param over its program is
     */
    static Optional<String> around(boolean over, Exception trouble) {
        if (trouble instanceof NotKeptException) {
            return Optional.of(trouble.getMessage());
        }
        return trouble instanceof BackendException problem && problem.kind() == Kind.NO_CONTACT
                ? Optional.of((over ? OVER : LIVES) + problem.getMessage())
                : Optional.empty();
    }

    static BackendException failed(String what, IOException from) {
        return new BackendException(Kind.FAILED, Cause.LAUNCH_FAILED, what + ": " + reason(from), from);
    }

    static BackendException refused(Cause cause, String message) {
        return new BackendException(Kind.REFUSED, cause, message);
    }

    /** What the server said, without the client's own words around it. */
    static String said(KubernetesClientException answer) {
        return Optional.ofNullable(answer.getStatus()).map(Status::getMessage).orElseGet(() -> reason(answer));
    }

    static String reason(Throwable problem) {
        Throwable root = problem;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }
}
