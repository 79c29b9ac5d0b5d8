package dev.muster.frameworks;

import dev.muster.model.Command;
import dev.muster.model.Join;
import dev.muster.model.ProcessName;
import dev.muster.model.Template;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The contract of a framework whose workers find each other through a {@link Companion}: what is left to say is what each is told. */
public interface CompanionContract extends Contract {
    Companion companion();

    /** The arguments of the companion's program. */
    List<Template> companionArguments();

    @Override
    default List<Template> argv(Slot slot, Command command) {
        return companion().is(slot) ? companion().argv(companionArguments()) : CommandLine.of(command);
    }

    @Override
    default Map<String, Template> files(Slot slot) {
        return companion().files(slot);
    }

    @Override
    default List<String> ports(Slot slot) {
        return companion().ports(slot);
    }

    @Override
    default Join join(Slot slot) {
        return companion().join(slot);
    }

    @Override
    default Set<ProcessName> after(Slot slot) {
        return companion().after(slot);
    }

    @Override
    default boolean isEssential(Slot slot) {
        return companion().is(slot);
    }
}
