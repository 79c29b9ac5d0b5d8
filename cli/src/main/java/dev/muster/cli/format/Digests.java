package dev.muster.cli.format;

/** Digests for people. */
public final class Digests {
    private static final int DIGITS = 12;

    private Digests() {}

    /** The algorithm and the first digits: enough to tell two apart. */
    public static String brief(String digest) {
        int end = digest.indexOf(':') + 1 + DIGITS;
        return digest.length() <= end ? digest : digest.substring(0, end);
    }
}
