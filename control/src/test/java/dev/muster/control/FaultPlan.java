package dev.muster.control;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which calls go wrong: drawn from a seed, or just those given, to see which of them it takes. */
final class FaultPlan {
    private final long seed;
    private final Optional<Map<String, Fault>> given;
    private final Map<String, Integer> calls = new HashMap<>();
    private final List<Fault> injected = new ArrayList<>();

    private FaultPlan(long seed, Optional<Map<String, Fault>> given) {
        this.seed = seed;
        this.given = given;
    }

    static FaultPlan drawn(long seed) {
        return new FaultPlan(seed, Optional.empty());
    }

    static FaultPlan only(Collection<Fault> faults) {
        Map<String, Fault> given = new HashMap<>();
        faults.forEach(fault -> given.put(fault.point() + fault.ordinal(), fault));
        return new FaultPlan(0, Optional.of(given));
    }

    /** What goes wrong with the next call at the point. */
    Optional<Fault> next(String point, List<Fault.Odds> odds) {
        int ordinal = calls.merge(point, 1, Integer::sum);
        Optional<Fault> fault =
                given.isPresent() ? Optional.ofNullable(given.get().get(point + ordinal)) : draw(point, ordinal, odds);
        fault.ifPresent(injected::add);
        return fault;
    }

    private Optional<Fault> draw(String point, int ordinal, List<Fault.Odds> odds) {
        Dice dice = Dice.of(seed, point, ordinal);
        for (Fault.Odds each : odds) {
            if (dice.oneIn(each.oneIn())) {
                return Optional.of(new Fault(point, ordinal, each.kind(), dice.below(1 << 20)));
            }
        }
        return Optional.empty();
    }

    /** All that went wrong, in order. */
    List<Fault> injected() {
        return injected;
    }
}
