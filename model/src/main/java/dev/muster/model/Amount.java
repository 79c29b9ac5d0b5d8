package dev.muster.model;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Amounts as people write them: {@code 1.5 cpus}, {@code 2 GiB}. */
public final class Amount {
    private static final long KIB = 1024;

    private Amount() {}

    public static String processes(long count) {
        return of(count, "process", "processes");
    }

    public static String workers(long count) {
        return of(count, "worker", "workers");
    }

    public static String gpus(long count) {
        return of(count, "gpu", "gpus");
    }

    /** The count with the word that goes with it. */
    public static String of(long count, String one, String many) {
        return count + " " + (count == 1 ? one : many);
    }

    public static String cpus(long milliCpus) {
        return milliCpus == 1000 ? "1 cpu" : cpuNumber(milliCpus) + " cpus";
    }

    public static String cpuNumber(long milliCpus) {
        return milliCpus <= 0
                ? "0"
                : BigDecimal.valueOf(milliCpus, 3).stripTrailingZeros().toPlainString();
    }

    public static String number(long count) {
        return Long.toString(Math.max(0, count));
    }

    public static String memory(long bytes) {
        long left = Math.max(0, bytes);
        String[] units = {"bytes", "KiB", "MiB", "GiB", "TiB"};
        int unit = 0;
        BigDecimal value = BigDecimal.valueOf(left);
        while (value.compareTo(BigDecimal.valueOf(KIB)) >= 0 && unit < units.length - 1) {
            value = value.divide(BigDecimal.valueOf(KIB));
            unit++;
        }
        return value.setScale(1, RoundingMode.HALF_UP).stripTrailingZeros().toPlainString() + " " + units[unit];
    }
}
