package dev.muster.frameworks;

import dev.muster.model.Join;
import dev.muster.model.Part;
import dev.muster.model.Template;
import java.util.List;

/**
 * The rendezvous of frameworks in which rank 0 opens a port and all others connect to it.
 *
 * @param roster who takes part
 * @param port   name of the reserved port
 */
public record Coordinator(Roster roster, String port) {
    /** {@code host:port}, an IPv6 address in brackets. */
    public Template address() {
        return Template.of(new Part.AddressOf(roster.first(), port));
    }

    /** The bare address. */
    public Template host() {
        return Template.of(new Part.HostOf(roster.first()));
    }

    /** The port in decimal. */
    public Template portNumber() {
        return Template.of(new Part.PortOf(roster.first(), port));
    }

    /** Rank 0 reserves the port. */
    public List<String> ports(Slot slot) {
        return slot.isChief() ? List.of(port) : List.of();
    }

    /** Rank 0 has joined once its port listens, another rank once it is connected to it; alone there is nobody to join. */
    public Join join(Slot slot) {
        if (!slot.isRanked() || roster.worldSize() == 1) {
            return new Join.Started();
        }
        return slot.isChief() ? new Join.Listens(port) : new Join.Connected(roster.first(), port);
    }
}
