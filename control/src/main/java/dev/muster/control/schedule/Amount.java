package dev.muster.control.schedule;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Amounts as people write them. */
final class Amount {
    private static final long KIB = 1024;

    private Amount() {}

    static String processes(int count) {
        return count == 1 ? "1 process" : count + " processes";
    }

    static String gpus(int count) {
        return count == 1 ? "1 gpu" : count + " gpus";
    }

    static String cpus(long milliCpus) {
        return milliCpus == 1000 ? "1 cpu" : cpuNumber(milliCpus) + " cpus";
    }

    static String cpuNumber(long milliCpus) {
        return milliCpus <= 0
                ? "0"
                : BigDecimal.valueOf(milliCpus, 3).stripTrailingZeros().toPlainString();
    }

    static String number(long count) {
        return Long.toString(Math.max(0, count));
    }

    static String memory(long bytes) {
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
