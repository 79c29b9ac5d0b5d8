package dev.muster.backend.local;

import java.util.Optional;

/**
 * One process for ever. A pid alone is given again to a stranger; with its start time and the boot it belongs to it is not.
 *
 * @param pid   process id
 * @param start field 22 of {@code /proc/PID/stat}, clock ticks since boot
 * @param boot  the kernel's boot id
 */
record ProcessIdentity(long pid, long start, String boot) {
    /** Reads {@code pid start boot}; empty when the text is cut short or something else. */
    static Optional<ProcessIdentity> parse(String text) {
        String[] fields = text.strip().split(" ");
        if (fields.length != 3) {
            return Optional.empty();
        }
        try {
            return Optional.of(new ProcessIdentity(Long.parseLong(fields[0]), Long.parseLong(fields[1]), fields[2]));
        } catch (NumberFormatException somethingElse) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return pid + " " + start + " " + boot;
    }
}
