package dev.muster.backend.local;

import dev.muster.model.Capacity;
import dev.muster.model.Problem;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads MUSTER_CAPACITY, such as {@code cpus=4,memory=8GiB,processes=4,gpus=0}: what jobs may take of this machine.
 *
 * @param capacity what was read over what the machine has; to be used only when there are no problems
 * @param problems every part that is wrong
 */
public record CapacityText(Capacity capacity, List<Problem> problems) {
    private static final String FIELD = "MUSTER_CAPACITY";
    private static final String FORM = "such as cpus=4,memory=8GiB,processes=4,gpus=0";
    private static final Pattern SIZE = Pattern.compile("(\\d+(?:\\.\\d+)?)([KMGT]i?B?)?");
    private static final Map<String, Long> UNITS = Map.of(
            "K",
            1_000L,
            "M",
            1_000_000L,
            "G",
            1_000_000_000L,
            "T",
            1_000_000_000_000L,
            "Ki",
            1L << 10,
            "Mi",
            1L << 20,
            "Gi",
            1L << 30,
            "Ti",
            1L << 40);

    public CapacityText {
        problems = List.copyOf(problems);
    }

    /**
     * Reads the text; parts that it does not name stay as the machine has them.
     *
     * @param machine what the machine has
     */
    public static CapacityText read(String text, Capacity machine) {
        Reader reader = new Reader(machine);
        for (String part : text.split(",", -1)) {
            reader.take(part.strip());
        }
        return new CapacityText(reader.capacity, reader.problems);
    }

    private static final class Reader {
        private final List<Problem> problems = new ArrayList<>();
        private final Set<String> seen = new HashSet<>();
        private Capacity capacity;

        Reader(Capacity machine) {
            capacity = machine;
        }

        void take(String part) {
            int equals = part.indexOf('=');
            if (equals < 0) {
                problem("'" + part + "' is no NAME=VALUE", FORM);
                return;
            }
            String name = part.substring(0, equals).strip();
            String value = part.substring(equals + 1).strip();
            if (!seen.add(name)) {
                problem(name + " stands there twice", "keep one of them");
                return;
            }
            switch (name) {
                case "cpus" -> cpus(value);
                case "memory" -> memory(value);
                case "processes" -> {
                    if (count(name, value)) {
                        capacity = new Capacity(
                                Integer.parseInt(value), capacity.milliCpus(), capacity.memoryBytes(), capacity.gpus());
                    }
                }
                case "gpus" -> {
                    if (count(name, value)) {
                        capacity = new Capacity(
                                capacity.processes(),
                                capacity.milliCpus(),
                                capacity.memoryBytes(),
                                Integer.parseInt(value));
                    }
                }
                default -> problem("there is no '" + name + "'", "the names are cpus, memory, processes, gpus");
            }
        }

        private void cpus(String value) {
            Optional<Long> milli =
                    value.endsWith("m") ? scaled(value.substring(0, value.length() - 1), 1) : scaled(value, 1000);
            if (milli.isEmpty()) {
                problem("cpus is a number such as 4, 0.5 or 500m, not '" + value + "'", FORM);
                return;
            }
            capacity = new Capacity(capacity.processes(), milli.get(), capacity.memoryBytes(), capacity.gpus());
        }

        private void memory(String value) {
            Matcher size = SIZE.matcher(value);
            String unit =
                    size.matches() && size.group(2) != null ? size.group(2).replace("B", "") : "";
            Optional<Long> bytes =
                    size.matches() ? scaled(size.group(1), unit.isEmpty() ? 1 : UNITS.get(unit)) : Optional.empty();
            if (bytes.isEmpty()) {
                problem("memory is a size such as 8GiB, 500MB or 8Gi, not '" + value + "'", FORM);
                return;
            }
            capacity = new Capacity(capacity.processes(), capacity.milliCpus(), bytes.get(), capacity.gpus());
        }

        private static Optional<Long> scaled(String number, long scale) {
            if (!number.matches("\\d{1,15}(\\.\\d{1,9})?")) {
                return Optional.empty();
            }
            BigDecimal value = new BigDecimal(number).multiply(BigDecimal.valueOf(scale));
            BigDecimal whole = value.setScale(0, RoundingMode.DOWN);
            return whole.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0
                    ? Optional.of(whole.longValue())
                    : Optional.empty();
        }

        private boolean count(String name, String value) {
            boolean whole = value.matches("\\d{1,6}");
            if (!whole) {
                problem(name + " is a whole number from 0, not '" + value + "'", FORM);
            }
            return whole;
        }

        private void problem(String message, String suggestion) {
            problems.add(Problem.of(FIELD, message, suggestion));
        }
    }
}
