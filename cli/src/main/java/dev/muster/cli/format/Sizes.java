package dev.muster.cli.format;

/** Numbers of bytes for people. */
public final class Sizes {
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

    private Sizes() {}

    /** Such as 12 B, 3.4 MiB, 120 GiB. */
    public static String show(long bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= 1024 && unit < UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        return (unit == 0 || value >= 10 ? Long.toString(Math.round(value)) : Numbers.fixed(value, 1)) + " "
                + UNITS[unit];
    }
}
