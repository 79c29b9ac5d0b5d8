package dev.muster.control.decide;

import dev.muster.model.ProcessName;
import dev.muster.spi.Evidence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Where in their code processes are. One that waits elsewhere than the others never enters what they wait in. */
final class Places {
    private static final int COMPARED = 8;

    private Places() {}

    /** The innermost call, and the user's line it comes from. */
    static Optional<String> of(Evidence evidence) {
        return stack(evidence).map(stack -> {
            String innermost = shown(stack.getFirst());
            return stack.stream()
                    .filter(call -> !isLibrary(call))
                    .findFirst()
                    .map(Places::shown)
                    .filter(own -> !own.equals(innermost))
                    .map(own -> innermost + ", called by " + own)
                    .orElse(innermost);
        });
    }

    /** Names who is elsewhere than most; both places where there are two of them. */
    static Optional<String> sentence(Map<ProcessName, Evidence> evidence) {
        Map<List<String>, List<ProcessName>> together = new LinkedHashMap<>();
        evidence.forEach((name, of) -> stack(of)
                .ifPresent(stack -> together.computeIfAbsent(compared(stack), none -> new ArrayList<>())
                        .add(name)));
        int known = together.values().stream().mapToInt(List::size).sum();
        if (together.size() != 2 || known < evidence.size()) {
            return Optional.empty();
        }
        List<List<ProcessName>> sides = together.values().stream()
                .sorted((one, other) -> Integer.compare(one.size(), other.size()))
                .toList();
        boolean even = sides.get(0).size() == sides.get(1).size();
        return Optional.of(sides.stream()
                .map(side -> (!even && side == sides.get(1) ? "the others" : Names.of(side))
                        + (side.size() == 1 ? " waits in " : " wait in ")
                        + of(evidence.get(side.getFirst())).orElseThrow())
                .collect(Collectors.joining(", ")));
    }

    /** Without folders: each process has a copy of the code in its own. */
    private static List<String> compared(List<String> stack) {
        return stack.stream().limit(COMPARED).map(Places::shown).toList();
    }

    private static Optional<List<String>> stack(Evidence evidence) {
        return evidence.processes().stream()
                .map(Evidence.Doing::stack)
                .filter(stack -> !stack.isEmpty())
                .findFirst();
    }

    private static boolean isLibrary(String call) {
        return call.contains("-packages/") || call.contains("/lib/python") || call.contains("<frozen");
    }

    /** {@code name (folder/file:line)} without the folder. */
    private static String shown(String call) {
        int bracket = call.indexOf('(');
        int slash = call.lastIndexOf('/');
        return bracket >= 0 && slash > bracket ? call.substring(0, bracket + 1) + call.substring(slash + 1) : call;
    }
}
