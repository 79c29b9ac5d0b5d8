package dev.muster.control.decide;

import dev.muster.model.ProcessName;
import dev.muster.spi.Evidence;
import dev.muster.spi.Evidence.Link;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Bytes that one process wants another to have and that do not get there. */
final class Untaken {
    private static final long KIBI = 1024;

    private Untaken() {}

    /** Names who does not take most of them; empty when all are taken. */
    static Optional<String> sentence(Map<ProcessName, Evidence> evidence) {
        Map<String, Long> byPeer = new LinkedHashMap<>();
        evidence.values()
                .forEach(of -> of.links().stream()
                        .filter(link -> link.unsent() > 0)
                        .forEach(link -> byPeer.merge(owner(evidence, link), link.unsent(), Long::sum)));
        return byPeer.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(most -> size(most.getValue()) + " to " + most.getKey() + " are not taken"
                        + (unread(evidence, most.getKey()) ? ": it does not read" : " (network?)"));
    }

    private static String owner(Map<ProcessName, Evidence> evidence, Link link) {
        return evidence.entrySet().stream()
                .filter(of -> of.getValue().links().stream()
                        .anyMatch(other -> other.local().equals(link.remote())))
                .map(of -> of.getKey().toString())
                .findFirst()
                .orElse(link.remote());
    }

    private static boolean unread(Map<ProcessName, Evidence> evidence, String owner) {
        return evidence.entrySet().stream()
                .filter(of -> of.getKey().toString().equals(owner))
                .flatMap(of -> of.getValue().links().stream())
                .anyMatch(link -> link.unread() > 0);
    }

    private static String size(long bytes) {
        return bytes < KIBI ? bytes + " bytes" : bytes / KIBI + " KiB";
    }
}
