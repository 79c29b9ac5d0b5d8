package dev.muster.cli.client;

/** The beginning of a text, for a message. */
final class Excerpt {
    private static final int LONGEST = 120;

    private Excerpt() {}

    static String of(String text) {
        String line = text.strip().replaceAll("\\s+", " ");
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "...";
    }
}
