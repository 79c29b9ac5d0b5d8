package dev.muster.backend.local;

import dev.muster.model.Join;
import dev.muster.model.Member;
import dev.muster.model.Placement;
import java.util.Map;

/** What is looked for in the kernel's table of sockets to see that a process has joined. */
sealed interface JoinSign {
    /** Nothing: being started is enough. */
    record Started() implements JoinSign {}

    /** A listening socket on this port. */
    record Listens(int port) implements JoinSign {}

    /** An established connection to this port. */
    record Connected(int port) implements JoinSign {}

    /** The sign for a process of this member. */
    static JoinSign of(Join join, Member member, Placement placement) {
        return switch (join) {
            case Join.Started() -> new Started();
            case Join.Listens(String port) -> new Listens(port(placement, member, port));
            case Join.Connected(Member to, String port) -> new Connected(port(placement, to, port));
        };
    }

    private static int port(Placement placement, Member member, String port) {
        Integer number = placement.ports().getOrDefault(member, Map.of()).get(port);
        if (number == null) {
            throw new IllegalArgumentException(
                    "the plan waits for port " + port + " of " + member + ", which is not placed");
        }
        return number;
    }

    static JoinSign parse(String text) {
        String[] words = text.split(" ");
        return switch (words[0]) {
            case "started" -> new Started();
            case "listens" -> new Listens(Integer.parseInt(words[1]));
            case "connected" -> new Connected(Integer.parseInt(words[1]));
            default -> throw new IllegalArgumentException("no sign of joining: " + text);
        };
    }

    default String text() {
        return switch (this) {
            case Started() -> "started";
            case Listens(int port) -> "listens " + port;
            case Connected(int port) -> "connected " + port;
        };
    }
}
