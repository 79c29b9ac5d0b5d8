package dev.muster.spi;

import dev.muster.formats.proc.Account;
import dev.muster.formats.proc.Accounts;
import dev.muster.formats.proc.Connection;
import java.util.List;
import java.util.Optional;

/**
 * What was seen of an attempt that does not go on.
 *
 * @param processes its processes, the main one first; empty where nothing is known
 * @param links     its TCP connections to others
 */
public record Evidence(List<Doing> processes, List<Link> links) {
    public static final Evidence NONE = new Evidence(List.of(), List.of());

    public Evidence {
        processes = List.copyOf(processes);
        links = List.copyOf(links);
    }

    /** What was read of the kernel, without the parts that are only kept for people. */
    public static Evidence of(Accounts accounts) {
        return new Evidence(
                accounts.processes().stream().map(Doing::of).toList(),
                accounts.connections().stream().map(Link::of).toList());
    }

    /** Cores that all its processes together wanted during the sample. */
    public double cores() {
        return processes.stream().mapToDouble(Doing::cores).sum();
    }

    /**
     * What one process does.
     *
     * @param pid     its process id, on its host or in its container
     * @param program file name of its program
     * @param state   the kernel's letter: R runs, S sleeps, D waits for a device, T is stopped, Z has ended
     * @param cores   cores it wanted during a short sample: time it ran or waited for a core, by the time that passed
     * @param wakes   how often in a second its main thread was given a core then; 0 where that is not told
     * @param waitsIn what its main thread waits in inside the kernel, where that is told
     * @param stack   calls of its main thread in the language it is written in, innermost first; empty where they could not be had
     */
    public record Doing(
            long pid,
            String program,
            char state,
            double cores,
            double wakes,
            Optional<String> waitsIn,
            List<String> stack) {
        public Doing {
            stack = List.copyOf(stack);
        }

        private static Doing of(Account seen) {
            return new Doing(
                    seen.pid(),
                    seen.program(),
                    seen.state(),
                    seen.busy().cores(),
                    seen.busy().wakes(),
                    seen.waitsIn(),
                    seen.calls());
        }
    }

    /**
     * One established TCP connection.
     *
     * @param local  own {@code address:port}
     * @param remote the peer's
     * @param unsent bytes the peer's host has not confirmed
     * @param unread bytes that have come and were not read
     */
    public record Link(String local, String remote, long unsent, long unread) {
        private static Link of(Connection seen) {
            return new Link(seen.local(), seen.remote(), seen.unsent(), seen.unread());
        }
    }
}
