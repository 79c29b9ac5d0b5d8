package dev.muster.backend.kubernetes;

import dev.muster.model.ProcessName;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Pods of one template in an object of the training operator: members of a role that follow each other.
 *
 * @param type  the operator's word for it
 * @param role  whose members they are
 * @param first index in the role of the first of them
 * @param count how many
 */
record Replica(String type, String role, int first, int count) {
    /** As the operator writes it in labels and names. */
    String label() {
        return type.toLowerCase(Locale.ROOT);
    }

    /** @param index by the operator's count, from 0 in each type */
    ProcessName process(int index) {
        return new ProcessName(role, first + index);
    }

    List<ProcessName> processes() {
        return IntStream.range(0, count).mapToObj(this::process).toList();
    }
}
