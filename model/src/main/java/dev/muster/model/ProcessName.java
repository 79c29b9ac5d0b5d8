package dev.muster.model;

import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a process in its job: {@code role-index}, and {@code role-index.localRank} where a worker carries several ranks.
 *
 * @param role  role as in the job text
 * @param index place inside the role, from 0
 * @param local local rank, only where {@code processesPerWorker > 1} and Muster itself starts each rank
 */
public record ProcessName(String role, int index, OptionalInt local) implements Comparable<ProcessName> {
    private static final Pattern FORM = Pattern.compile("(.+)-(\\d+)(?:\\.(\\d+))?");
    private static final Comparator<ProcessName> ORDER = Comparator.comparing(ProcessName::role)
            .thenComparingInt(ProcessName::index)
            .thenComparingInt(name -> name.local().orElse(-1));

    public ProcessName {
        Texts.require(
                !role.isEmpty() && index >= 0 && local.orElse(0) >= 0, "a process has a role and an index from 0");
    }

    public ProcessName(String role, int index) {
        this(role, index, OptionalInt.empty());
    }

    /** Reads what {@link #toString} wrote; empty when the text is no process name. */
    public static Optional<ProcessName> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        try {
            OptionalInt local =
                    matcher.group(3) == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(matcher.group(3)));
            return Optional.of(new ProcessName(matcher.group(1), Integer.parseInt(matcher.group(2)), local));
        } catch (NumberFormatException tooLong) {
            return Optional.empty();
        }
    }

    /** The member of the group this process belongs to. */
    public Member member() {
        return new Member(role, index);
    }

    @Override
    public int compareTo(ProcessName other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return role + "-" + index + (local.isPresent() ? "." + local.getAsInt() : "");
    }
}
