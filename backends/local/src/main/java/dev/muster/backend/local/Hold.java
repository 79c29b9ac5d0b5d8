package dev.muster.backend.local;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What one group holds on this machine, as its file in the shared folder tells everybody: lines {@code port N}, {@code gpu ID} and
 * {@code holder PID START BOOT}. It holds as long as one of its holders runs: the service, or a shim of the group, which adds itself.
 */
record Hold(Set<Integer> ports, Set<String> gpus, List<ProcessIdentity> holders) {
    Hold {
        ports = new TreeSet<>(ports);
        gpus = new TreeSet<>(gpus);
        holders = List.copyOf(holders);
    }

    static Hold parse(String text) {
        Set<Integer> ports = new TreeSet<>();
        Set<String> gpus = new TreeSet<>();
        List<ProcessIdentity> holders = new ArrayList<>();
        for (String line : text.lines().toList()) {
            int space = line.indexOf(' ');
            String value = line.substring(space + 1);
            switch (line.substring(0, Math.max(space, 0))) {
                case "port" -> {
                    if (value.matches("\\d{1,5}")) {
                        ports.add(Integer.parseInt(value));
                    }
                }
                case "gpu" -> gpus.add(value);
                case "holder" -> ProcessIdentity.parse(value).ifPresent(holders::add);
                default -> {
                    // Another build may tell more.
                }
            }
        }
        return new Hold(ports, gpus, holders);
    }

    String text() {
        StringBuilder text = new StringBuilder();
        ports.forEach(port -> text.append("port ").append(port).append('\n'));
        gpus.forEach(gpu -> text.append("gpu ").append(gpu).append('\n'));
        holders.forEach(holder -> text.append("holder ").append(holder).append('\n'));
        return text.toString();
    }

    boolean isAlive(Proc proc) {
        return holders.stream().anyMatch(proc::isRunning);
    }
}
