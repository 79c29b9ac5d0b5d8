package dev.muster.server.http;

import dev.muster.api.ProblemDocument;
import dev.muster.api.ProblemType;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A part of something of a known size, as the header Range asks for it (RFC 9110, section 14): one range of bytes. Several, and other
 * units, are answered with the whole, as the RFC allows.
 *
 * @param first first byte, from 0
 * @param count how many
 * @param size  of the whole
 */
public record ByteRange(long first, long count, long size) {
    private static final Pattern ONE = Pattern.compile("bytes=(?:([0-9]{1,18})-([0-9]{0,18})|-([0-9]{1,18}))");

    /**
     * The part that a request wants; empty for the whole.
     *
     * @throws ProblemException when there is nothing of it
     */
    public static Optional<ByteRange> of(Exchange exchange, long size) {
        Matcher asked = ONE.matcher(exchange.header("Range").orElse("").replace(" ", ""));
        if (!asked.matches()) {
            return Optional.empty();
        }
        long first;
        long last = size - 1;
        if (asked.group(3) != null) {
            long suffix = Long.parseLong(asked.group(3));
            first = suffix == 0 ? size : Math.max(0, size - suffix);
        } else {
            first = Long.parseLong(asked.group(1));
            if (!asked.group(2).isEmpty()) {
                long told = Long.parseLong(asked.group(2));
                if (told < first) {
                    return Optional.empty();
                }
                last = Math.min(last, told);
            }
        }
        if (first >= size) {
            throw new ProblemException(
                    ProblemDocument.of(
                            ProblemType.RANGE, "There are " + size + " bytes now, none from " + first + " on."),
                    Map.of("Content-Range", "bytes */" + size));
        }
        return Optional.of(new ByteRange(first, last - first + 1, size));
    }

    /** Headers of the answer 206. */
    public Map<String, String> headers() {
        return Map.of(
                "Content-Range",
                "bytes " + first + "-" + (first + count - 1) + "/" + size,
                "Content-Length",
                Long.toString(count),
                "Accept-Ranges",
                "bytes");
    }
}
