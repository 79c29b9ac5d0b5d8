package dev.muster.api;

import java.util.Arrays;
import java.util.Optional;

/** The kinds of errors the service answers with, each with its HTTP status and a title that never changes. */
public enum ProblemType {
    INVALID("invalid", 400, "The request is not valid"),
    UNAUTHORIZED("unauthorized", 401, "The token is missing or wrong"),
    FORBIDDEN("forbidden", 403, "This is not allowed"),
    NOT_FOUND("not-found", 404, "There is no such thing"),
    METHOD("method", 405, "This resource has no such method"),
    /** A prefix fits several jobs; {@link ProblemDocument#ids} names them. */
    AMBIGUOUS("ambiguous", 409, "Several jobs fit"),
    /** A live job of this name exists. */
    NAME_TAKEN("name-taken", 409, "A live job has this name"),
    /** The state of the job does not allow it. */
    STATE("state", 409, "The state does not allow this"),
    TOO_LARGE("too-large", 413, "The request is too large"),
    /** The range asked for lies behind the end. */
    RANGE("range", 416, "There is nothing in this range"),
    /** {@link ProblemDocument#needs} says what else has to be sent. */
    NEEDS("needs", 428, "More has to be sent along"),
    INTERNAL("internal", 500, "A fault in Muster"),
    /** The service is stopping or not ready: try again, with another service if need be. */
    UNAVAILABLE("unavailable", 503, "The service is not available"),
    DISK_FULL("disk-full", 507, "The service's disk is full");

    private final String code;
    private final int status;
    private final String title;

    ProblemType(String code, int status, String title) {
        this.code = code;
        this.status = status;
        this.title = title;
    }

    /** The URN in field {@code type}. */
    public String urn() {
        return "urn:muster:" + code;
    }

    public int status() {
        return status;
    }

    public String title() {
        return title;
    }

    /** The kind with this URN; empty when it is none of ours. */
    public static Optional<ProblemType> ofUrn(String urn) {
        return Arrays.stream(values()).filter(type -> type.urn().equals(urn)).findFirst();
    }
}
