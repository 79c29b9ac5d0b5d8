package dev.muster.control;

import java.util.Arrays;
import java.util.List;

/**
 * One call that goes wrong.
 *
 * @param point   port and method
 * @param ordinal which call of that method, from 1
 * @param kind    what goes wrong
 * @param detail  where the kind leaves something open
 */
record Fault(String point, int ordinal, Kind kind, int detail) {
    enum Kind {
        DIE_BEFORE("the service dies before"),
        DIE_AFTER("the service dies after"),
        FAIL_BEFORE("fails before it is carried out:"),
        FAIL_AFTER("is carried out and its answer is lost:"),
        TWICE("is carried out twice:"),
        SLOW_BEFORE("takes long before it is carried out:"),
        SLOW_AFTER("takes long to answer:"),
        STALE("answers with what was so before:"),
        SHUFFLED("answers in another order:"),
        LOST("is lost:"),
        LATE("comes late:"),
        TIMED_OUT("gets no answer and is carried out later:"),
        IN_FLIGHT("the service dies while this is on its way, and it is carried out later:");

        private final String text;

        Kind(String text) {
            this.text = text;
        }
    }

    /** How often a kind comes at a point: once in so many calls. */
    record Odds(Kind kind, int oneIn) {
        static List<Odds> list(Odds... odds) {
            return Arrays.asList(odds);
        }
    }

    @Override
    public String toString() {
        return kind.text + " " + point + " #" + ordinal;
    }
}
