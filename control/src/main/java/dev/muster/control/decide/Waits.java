package dev.muster.control.decide;

import dev.muster.model.ProcessName;
import dev.muster.spi.Evidence;
import dev.muster.spi.Evidence.Doing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What ranks wait in inside the kernel. One that takes part in a collective waits for a lock, which its network threads hold, or for a socket; one
 * that sleeps by itself, or waits for a file or another program, has not come to it. Says less than {@link Places}, and needs no tool.
 */
final class Waits {
    /** Wakes in a second, of which one that looks again and again, as Horovod's ranks do every millisecond for their peers, has more. */
    private static final double STILL = 100;

    private static final List<String> FOR_PEERS = List.of(
            "futex_",
            "ep_poll",
            "do_epoll",
            "poll_schedule_timeout",
            "do_poll",
            "do_sys_poll",
            "do_select",
            "core_sys_select",
            "sk_wait_data",
            "sk_stream_wait",
            "wait_woken",
            "inet_",
            "tcp_",
            "unix_",
            "skb_wait",
            "__skb_wait",
            "io_cqring_wait",
            "ib_uverbs");

    private Waits() {}

    /** Names who waits for no peer while the others do. Compared is each process with its counterpart of the other ranks. */
    static Optional<String> sentence(Map<ProcessName, Evidence> evidence) {
        int counterparts = evidence.values().stream()
                .mapToInt(of -> of.processes().size())
                .min()
                .orElse(0);
        for (int at = 0; at < counterparts && evidence.size() > 1; at++) {
            Map<ProcessName, Doing> side = new LinkedHashMap<>();
            for (Map.Entry<ProcessName, Evidence> of : evidence.entrySet()) {
                side.put(of.getKey(), of.getValue().processes().get(at));
            }
            Optional<String> found = compared(side);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> compared(Map<ProcessName, Doing> side) {
        boolean alike = side.values().stream().map(Doing::program).distinct().count() == 1
                && side.values().stream()
                        .allMatch(
                                doing -> doing.state() == 'S' && doing.waitsIn().isPresent());
        if (!alike) {
            return Optional.empty();
        }
        List<ProcessName> apart = new ArrayList<>();
        List<ProcessName> others = new ArrayList<>();
        side.forEach((name, doing) -> (isForPeers(doing) ? others : apart).add(name));
        boolean still = apart.stream().allMatch(name -> side.get(name).wakes() < STILL);
        if (apart.isEmpty() || others.isEmpty() || !still) {
            return Optional.empty();
        }
        boolean one = apart.size() == 1;
        boolean asleep = apart.stream()
                .allMatch(name -> side.get(name).waitsIn().orElseThrow().contains("nanosleep"));
        String does = asleep
                ? (one ? " sleeps by itself" : " sleep by themselves")
                : (one ? " waits" : " wait") + " for something else than a peer";
        String rest = others.size() == 1 ? others.getFirst() + " waits" : "the others wait";
        return Optional.of(Names.of(apart) + does + " (in " + places(side, apart) + "), while " + rest
                + " for a lock or a socket (in " + places(side, others) + ")");
    }

    private static boolean isForPeers(Doing doing) {
        String place = doing.waitsIn().orElseThrow();
        return FOR_PEERS.stream().anyMatch(place::startsWith);
    }

    private static String places(Map<ProcessName, Doing> side, List<ProcessName> names) {
        return names.stream()
                .map(name -> side.get(name).waitsIn().orElseThrow())
                .distinct()
                .collect(Collectors.joining(", "));
    }
}
