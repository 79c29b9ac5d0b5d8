package dev.muster.cli.client;

import dev.muster.cli.base.Failure;

/** A token as a header can carry it. No message ever shows it. */
public final class BearerToken {
    private BearerToken() {}

    /**
     * The token without the end of the line that it was read with.
     *
     * @param where it comes from, for the message
     * @throws Failure when it holds what no token does
     */
    public static String of(String text, String where) {
        String token = text.strip();
        if (token.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw Failure.badField(
                    where,
                    "must be one token: it has a blank, a line end or another character in it that no token has",
                    "the one line that muster server token create printed");
        }
        return token;
    }
}
