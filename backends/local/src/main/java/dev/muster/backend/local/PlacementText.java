package dev.muster.backend.local;

import dev.muster.model.Member;
import dev.muster.model.Placement;
import dev.muster.model.ProcessName;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The placement of one attempt of a group as a small file.
 *
 * @param attempt   the group's attempt
 * @param placement where its members live
 */
record PlacementText(int attempt, Placement placement) {
    static Optional<PlacementText> parse(String text) {
        int attempt = 0;
        Map<Member, String> hosts = new TreeMap<>();
        Map<Member, Map<String, Integer>> ports = new TreeMap<>();
        Map<Member, String> gpus = new TreeMap<>();
        for (String line : text.lines().toList()) {
            String[] words = line.split(" ");
            switch (words[0]) {
                case "attempt" -> attempt = Integer.parseInt(words[1]);
                case "host" -> hosts.put(member(words[1]), words[2]);
                case "port" ->
                    ports.computeIfAbsent(member(words[1]), member -> new TreeMap<>())
                            .put(words[2], Integer.parseInt(words[3]));
                case "gpu" -> gpus.put(member(words[1]), words[2]);
                default -> throw new IllegalArgumentException("no line of a placement: " + line);
            }
        }
        return attempt == 0
                ? Optional.empty()
                : Optional.of(new PlacementText(attempt, new Placement(hosts, ports, gpus)));
    }

    private static Member member(String name) {
        return ProcessName.parse(name).orElseThrow().member();
    }

    String text() {
        StringBuilder text = new StringBuilder("attempt " + attempt + "\n");
        placement.hosts().forEach((member, host) -> text.append("host " + member + " " + host + "\n"));
        placement
                .ports()
                .forEach((member, ports) -> ports.forEach(
                        (port, number) -> text.append("port " + member + " " + port + " " + number + "\n")));
        placement.gpus().forEach((member, gpus) -> text.append("gpu " + member + " " + gpus + "\n"));
        return text.toString();
    }
}
