package dev.muster.control;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Cuts a failing simulation down to what it takes to fail, by delta debugging (Zeller and Hildebrandt, 2002) over the submitted jobs, the
 * incidents and the calls that went wrong.
 */
final class Shrinker {
    private static final int MOST_RUNS = 3000;

    private final Scenario whole;
    private final String problem;
    private final List<Object> parts = new ArrayList<>();
    private boolean calm;
    private int runs;

    /** @param seed one that fails */
    Shrinker(long seed) {
        Simulation first = Simulation.of(seed);
        problem = failure(first).map(Shrinker::kind).orElse("");
        whole = first.scenario();
        parts.addAll(whole.submissions());
        parts.addAll(whole.incidents());
        parts.addAll(first.injected());
    }

    /** What did not hold; empty when all did. */
    static Optional<Throwable> failure(Simulation simulation) {
        try {
            simulation.run();
            return Optional.empty();
        } catch (Error | RuntimeException failed) {
            return Optional.of(failed);
        }
    }

    /** What kind of failure it is, so that the cut-down one is not another. */
    private static String kind(Throwable failed) {
        String message = String.valueOf(failed.getMessage()).strip().replaceAll("[0-9]+", "N");
        return message.substring(0, Math.min(12, message.length()));
    }

    private Simulation of(List<Object> some, boolean calmly) {
        List<Submission> submissions = new ArrayList<>();
        List<Incident> incidents = new ArrayList<>();
        List<Fault> faults = new ArrayList<>();
        for (Object part : some) {
            switch (part) {
                case Submission submission -> submissions.add(submission);
                case Incident incident -> incidents.add(incident);
                case Fault fault -> faults.add(fault);
                default -> throw new IllegalStateException("no part: " + part);
            }
        }
        return new Simulation(whole.with(submissions, incidents, calmly), FaultPlan.only(faults));
    }

    private boolean fails(List<Object> some, boolean calmly) {
        runs++;
        return failure(of(some, calmly)).map(Shrinker::kind).equals(Optional.of(problem));
    }

    /** Takes out pieces, smaller and smaller ones, for as long as it still fails. */
    private void shrink() {
        calm = fails(parts, true);
        int pieces = 2;
        while (parts.size() > 1 && runs < MOST_RUNS) {
            int size = Math.ceilDiv(parts.size(), pieces);
            boolean smaller = false;
            for (int from = 0; from < parts.size() && runs < MOST_RUNS; ) {
                List<Object> rest = new ArrayList<>(parts);
                rest.subList(from, Math.min(parts.size(), from + size)).clear();
                if (fails(rest, calm)) {
                    parts.clear();
                    parts.addAll(rest);
                    smaller = true;
                } else {
                    from += size;
                }
            }
            if (size == 1 && !smaller) {
                break;
            }
            pieces = size == 1 ? parts.size() : Math.min(parts.size(), pieces * 2);
        }
        calm |= fails(parts, true);
    }

    /** The seed, what did not hold, and the history of the smallest simulation that still fails so. */
    String told() {
        if (problem.isEmpty()) {
            return "seed " + whole.seed() + " does not fail";
        }
        shrink();
        Simulation smallest = of(parts, calm);
        Throwable failed = failure(smallest).orElseThrow();
        StringBuilder text = new StringBuilder();
        text.append("seed ")
                .append(whole.seed())
                .append(" (testbed/simulate --seed ")
                .append(whole.seed());
        text.append("): ").append(failed.getMessage()).append("\n").append(where(failed));
        text.append("\nwhat it takes, found by ").append(runs).append(" runs:\n");
        parts.forEach(part -> text.append("  ").append(part).append("\n"));
        text.append("history:\n").append(String.join("\n", smallest.story()));
        return text.toString();
    }

    private static String where(Throwable failed) {
        StringBuilder text = new StringBuilder();
        for (StackTraceElement line : failed.getStackTrace()) {
            if (line.getClassName().startsWith("dev.muster") && text.length() < 600) {
                text.append("    at ").append(line).append("\n");
            }
        }
        return text.toString();
    }
}
