package dev.muster.model;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * When and how often a failed job is tried again.
 *
 * @param max     bound of all counted restarts over the life of the job: {@code max + 1} starts
 * @param backoff waiting time before each restart
 * @param rules   asked in order, the first that matches wins; where none matches, the rule of exit codes decides
 */
public record RestartPolicy(int max, Backoff backoff, List<Rule> rules) {
    public static final RestartPolicy NEVER = new RestartPolicy(0, Backoff.DEFAULT, List.of());

    public RestartPolicy {
        Texts.require(max >= 0, "restart.max is 0 or more");
        rules = List.copyOf(rules);
    }

    /** Exponential: {@code first * factor^n}, at most {@code max}. */
    public record Backoff(Duration first, double factor, Duration max) {
        public static final Backoff DEFAULT = new Backoff(Duration.ofSeconds(1), 2, Duration.ofMinutes(1));

        public Backoff {
            Texts.require(!first.isNegative(), "restart.backoff.first is 0 or more");
            Texts.require(factor >= 1, "restart.backoff.factor is 1 or more");
            Texts.require(max.compareTo(first) >= 0, "restart.backoff.max is not less than first");
        }

        /** Waiting time before restart number {@code restart}, from 1. */
        public Duration before(int restart) {
            double millis = first.toMillis() * Math.pow(factor, Math.max(0, restart - 1));
            return millis >= max.toMillis() ? max : Duration.ofMillis((long) millis);
        }
    }

    /** What a rule orders. */
    public enum Action {
        RESTART,
        FAIL
    }

    /**
     * One rule. Every condition that is given must hold; at least one is given.
     *
     * @param exitCodes exit codes, empty for any
     * @param signals   signal names without SIG, empty for any
     * @param log       searched in the last part of the failed process's log
     * @param action    what follows
     * @param counted   whether the restart counts against {@link RestartPolicy#max}
     * @param scope     what is started anew
     */
    public record Rule(
            Set<Integer> exitCodes,
            Set<String> signals,
            Optional<Pattern> log,
            Action action,
            boolean counted,
            RestartScope scope) {
        public Rule {
            Texts.require(
                    !exitCodes.isEmpty() || !signals.isEmpty() || log.isPresent(),
                    "a restart rule has at least one of exitCodes, signals, log");
            exitCodes = Set.copyOf(exitCodes);
            signals = Set.copyOf(signals);
        }

        /** Equal when all is equal, the pattern by its text: java.util.regex.Pattern has no equality of its own. */
        @Override
        public boolean equals(Object other) {
            return other instanceof Rule rule
                    && exitCodes.equals(rule.exitCodes)
                    && signals.equals(rule.signals)
                    && log.map(Pattern::pattern).equals(rule.log.map(Pattern::pattern))
                    && action == rule.action
                    && counted == rule.counted
                    && scope == rule.scope;
        }

        @Override
        public int hashCode() {
            return Objects.hash(exitCodes, signals, log.map(Pattern::pattern), action, counted, scope);
        }
    }
}
