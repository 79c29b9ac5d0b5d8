package dev.muster.frameworks;

import dev.muster.model.Command;
import dev.muster.model.Join;
import dev.muster.model.ProcessName;
import dev.muster.model.Template;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What one framework adds for one group to what every process is given. As it stands here it adds nothing. */
public interface Contract {
    /** Variables by which the framework finds its peers. */
    default Map<String, Template> env(Slot slot) {
        return Map.of();
    }

    /** Program and arguments for the command of the slot's role. */
    default List<Template> argv(Slot slot, Command command) {
        return CommandLine.of(command);
    }

    /** Ports to reserve for the slot's member; asked for the first process of each member only. */
    default List<String> ports(Slot slot) {
        return List.of();
    }

    /** Files to be made in the working folder of the slot's process, by relative path. */
    default Map<String, Template> files(Slot slot) {
        return Map.of();
    }

    /** Who has to have joined before the slot's process is started. */
    default Set<ProcessName> after(Slot slot) {
        return Set.of();
    }

    /** Whether the others cannot do without the slot's process though it is a sidecar. */
    default boolean isEssential(Slot slot) {
        return false;
    }

    /** How the process shows that it has joined. */
    default Join join(Slot slot) {
        return new Join.Started();
    }
}
