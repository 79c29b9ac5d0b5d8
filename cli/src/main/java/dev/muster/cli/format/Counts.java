package dev.muster.cli.format;

/** Counts with the word that goes with them: {@code 1 restart}, {@code 2 restarts}. */
public final class Counts {
    private Counts() {}

    public static String of(long count, String one, String many) {
        return count + " " + (count == 1 ? one : many);
    }
}
