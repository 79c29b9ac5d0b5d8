package dev.muster.server.http;

import dev.muster.api.ProblemType;

/**
 * How a request is answered that is no HTTP that is spoken here, so that no route ever sees it.
 *
 * @param status that of the answer
 */
record Rejection(ProblemType type, int status, String detail) {
    /** HTTP Version Not Supported. */
    private static final int VERSION = 505;

    /**
     * What is answered to what the server found.
     *
     * @param status the one that it would give; its words do not tell more
     */
    static Rejection of(int status) {
        if (status == VERSION) {
            return new Rejection(
                    ProblemType.INVALID,
                    VERSION,
                    "Muster speaks HTTP/1.1, and this request is of another version."
                            + " A proxy has to be told: nginx by proxy_http_version 1.1; HAProxy's checks by"
                            + " option httpchk and http-check send meth GET uri /v1/health ver HTTP/1.1 hdr Host muster.");
        }
        return status < 500
                ? new Rejection(
                        ProblemType.INVALID,
                        status,
                        "The request is not proper HTTP/1.1, or its headers are larger than 16 KiB together.")
                : new Rejection(ProblemType.INTERNAL, status, "The request could not be read.");
    }
}
