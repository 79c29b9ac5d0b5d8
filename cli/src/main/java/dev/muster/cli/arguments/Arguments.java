package dev.muster.cli.arguments;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was given to a command.
 *
 * @param operands in order
 * @param options  values by the name of the option; a switch has an empty text for each time it was given
 */
public record Arguments(List<String> operands, Map<String, List<String>> options) {
    public Arguments {
        operands = List.copyOf(operands);
    }

    /** The operand at this place, which the syntax requires. */
    public String operand(int place) {
        return operands.get(place);
    }

    public Optional<String> optionalOperand(int place) {
        return place < operands.size() ? Optional.of(operands.get(place)) : Optional.empty();
    }

    public boolean has(String option) {
        return options.containsKey(option);
    }

    /** The last value given. */
    public Optional<String> value(String option) {
        List<String> values = values(option);
        return values.isEmpty() ? Optional.empty() : Optional.of(values.getLast());
    }

    /** All values given, in order. */
    public List<String> values(String option) {
        return options.getOrDefault(option, List.of());
    }
}
