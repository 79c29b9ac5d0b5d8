package dev.muster.control;

import java.time.Duration;
import java.util.SplittableRandom;

/** Chance that depends only on a seed and on what it is asked for, so that taking one thing out of a simulation leaves the others as they are. */
final class Dice {
    private final SplittableRandom random;

    private Dice(long seed) {
        random = new SplittableRandom(seed);
    }

    /** The dice for one purpose. */
    static Dice of(long seed, String purpose, long number) {
        long mixed =
                seed * 0x9E3779B97F4A7C15L + purpose.hashCode() * 0xC2B2AE3D27D4EB4FL + number * 0x165667B19E3779F9L;
        return new Dice(mixed ^ mixed >>> 29);
    }

    /** True once in so many. */
    boolean oneIn(int count) {
        return random.nextInt(count) == 0;
    }

    /** From 0 to just below the bound. */
    int below(int bound) {
        return random.nextInt(bound);
    }

    long nextLong() {
        return random.nextLong();
    }

    /** Shorter than the bound, in milliseconds. */
    Duration shorterThan(Duration bound) {
        return Duration.ofMillis(random.nextLong(bound.toMillis()));
    }

    <T> T anyOf(T[] values) {
        return values[random.nextInt(values.length)];
    }
}
