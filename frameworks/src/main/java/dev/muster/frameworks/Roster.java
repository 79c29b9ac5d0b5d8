package dev.muster.frameworks;

import dev.muster.model.Group;
import dev.muster.model.JobSpec;
import dev.muster.model.Member;
import dev.muster.model.ProcessName;
import dev.muster.spi.Framework;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Who takes part: every process of a group with its rank. Ranks go chief first, then worker, by index and then local rank, so rank =
 * index * ranks a member + local rank within a role.
 *
 * @param spec  the job
 * @param group how many members each role has now
 * @param slots all processes: the framework's roles in its order, then sidecars as written
 */
public record Roster(JobSpec spec, Group group, List<Slot> slots) {
    public Roster {
        slots = List.copyOf(slots);
    }

    /**
     * The roster of a group.
     *
     * @param ranksPerMember processes that Muster starts on each member of a ranked role
     */
    static Roster of(JobSpec spec, Group group, Framework framework, int ranksPerMember) {
        List<Slot> slots = new ArrayList<>();
        int rank = 0;
        for (String role : order(spec, framework)) {
            boolean ranked =
                    framework.rankedRoles().contains(role) && !spec.role(role).sidecar();
            for (int index = 0; index < group.count(role); index++) {
                if (!ranked) {
                    slots.add(new Slot(new ProcessName(role, index), OptionalInt.empty(), OptionalInt.empty()));
                    continue;
                }
                for (int local = 0; local < ranksPerMember; local++) {
                    OptionalInt written = ranksPerMember > 1 ? OptionalInt.of(local) : OptionalInt.empty();
                    slots.add(new Slot(
                            new ProcessName(role, index, written), OptionalInt.of(rank++), OptionalInt.of(local)));
                }
            }
        }
        return new Roster(spec, group, slots);
    }

    private static List<String> order(JobSpec spec, Framework framework) {
        Stream<String> known = framework.roles().stream().filter(spec.everyRole()::containsKey);
        Stream<String> others = spec.everyRole().keySet().stream()
                .filter(role -> !framework.roles().contains(role));
        return Stream.concat(known, others).toList();
    }

    /** Number of ranked processes. */
    public int worldSize() {
        return (int) slots.stream().filter(Slot::isRanked).count();
    }

    /** Number of processes that are no sidecars. */
    public int trainers() {
        return (int) slots.stream()
                .filter(slot -> !spec.role(slot.name().role()).sidecar())
                .count();
    }

    /** The member that carries rank 0. */
    public Member first() {
        return slots.stream()
                .filter(Slot::isChief)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("job " + spec.name() + " has no ranked process"))
                .name()
                .member();
    }

    /** Members that carry ranks, in the order of their ranks. */
    public List<Member> rankedMembers() {
        return slots.stream()
                .filter(Slot::isRanked)
                .map(slot -> slot.name().member())
                .distinct()
                .toList();
    }

    /** The members of a role, by index. */
    public List<Member> members(String role) {
        return IntStream.range(0, group.count(role))
                .mapToObj(index -> new Member(role, index))
                .toList();
    }
}
