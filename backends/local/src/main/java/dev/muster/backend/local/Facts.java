package dev.muster.backend.local;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a service that did not start an attempt has to know about it; kept in the attempt's folder.
 *
 * @param address    where peers reach the process
 * @param join       how it shows that it has joined
 * @param cgroups    cgroups made for it
 * @param unrunnable why its program cannot be run, where that was seen before the start
 */
record Facts(String address, JoinSign join, List<CgroupFolder> cgroups, Optional<String> unrunnable) {
    Facts {
        cgroups = List.copyOf(cgroups);
        unrunnable = unrunnable.map(text -> text.replace('\n', ' '));
    }

    static Facts parse(String text) {
        String address = "";
        JoinSign join = new JoinSign.Started();
        List<CgroupFolder> cgroups = new ArrayList<>();
        Optional<String> unrunnable = Optional.empty();
        for (String line : text.lines().toList()) {
            int space = line.indexOf(' ');
            String value = line.substring(space + 1);
            switch (line.substring(0, Math.max(space, 0))) {
                case "address" -> address = value;
                case "join" -> join = JoinSign.parse(value);
                case "cgroup" -> cgroups.add(CgroupFolder.parse(value));
                case "unrunnable" -> unrunnable = Optional.of(value);
                default -> throw new IllegalArgumentException("no fact of an attempt: " + line);
            }
        }
        return new Facts(address, join, cgroups, unrunnable);
    }

    String text() {
        StringBuilder text = new StringBuilder();
        text.append("address ").append(address).append('\n');
        text.append("join ").append(join.text()).append('\n');
        cgroups.forEach(cgroup -> text.append("cgroup ").append(cgroup.text()).append('\n'));
        unrunnable.ifPresent(why -> text.append("unrunnable ").append(why).append('\n'));
        return text.toString();
    }
}
