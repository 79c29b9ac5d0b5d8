package dev.muster.control;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Map;

/**
 * Runs many seeds of the simulation, or replays one. Arguments: how many seeds (2000) and from which on (1), or {@code --seed} and one
 * seed; {@code --quiet} tells of a failing seed only its number and what did not hold. Exit code 0 when nothing failed, 1 else.
 */
final class Simulate {
    private static final PrintStream OUT = System.out;

    private Simulate() {}

    public static void main(String[] arguments) {
        boolean quiet = arguments.length > 0 && arguments[arguments.length - 1].equals("--quiet");
        if (arguments.length > 1 && arguments[0].equals("--seed")) {
            System.exit(replay(Long.parseLong(arguments[1])));
        }
        int numbers = arguments.length - (quiet ? 1 : 0);
        long count = numbers > 0 ? Long.parseLong(arguments[0]) : 2000;
        long first = numbers > 1 ? Long.parseLong(arguments[1]) : 1;
        System.exit(many(first, count, quiet));
    }

    private static int replay(long seed) {
        Simulation simulation = Simulation.of(seed);
        if (Shrinker.failure(simulation).isPresent()) {
            OUT.println(new Shrinker(seed).told());
            return 1;
        }
        simulation.story().forEach(OUT::println);
        OUT.println("seed " + seed + " holds");
        return 0;
    }

    private static int many(long first, long count, boolean quiet) {
        long begun = System.nanoTime();
        Seeds seeds = new Seeds(first, count);
        try {
            Map<String, Integer> ends = seeds.run(Runtime.getRuntime().availableProcessors());
            ends.forEach((end, times) -> OUT.printf("%9d  %s%n", times, end));
        } catch (AssertionError failed) {
            long tried = seeds.failed().orElse(first) - first + 1;
            OUT.println(quiet ? failed.getMessage().lines().findFirst().orElse("") : failed.getMessage());
            OUT.printf("simulate: red after %d seeds%n", tried);
            return 1;
        }
        Duration wall = Duration.ofNanos(System.nanoTime() - begun);
        OUT.printf("simulate: %d seeds in %.1f s, 0 red (goal 0 red) met%n", count, wall.toMillis() / 1000.0);
        return 0;
    }
}
