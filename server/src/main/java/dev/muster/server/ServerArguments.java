package dev.muster.server;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What {@code muster server} is asked for.
 *
 * @param action what to do
 * @param values of options, by name, in the order given
 * @param flags  options without a value
 */
record ServerArguments(Action action, Map<String, List<String>> values, Set<String> flags) {
    static final String USAGE = """
            usage: muster server --config FILE            runs the service until SIGTERM; workers go on
                   muster server --config FILE --check    tells every problem of the configuration and ends
                   muster server token create --config FILE --name NAME [--user USER] [--project PROJECT]...
                       [--scope read|submit|admin]... [--expires 90d]   prints the new token, once
                   muster server token list --config FILE
                   muster server token revoke --config FILE --name NAME

              --config FILE      its configuration, see docs/server.md
              --name NAME        what the token is called
              --user USER        whose jobs are handed in with it; NAME unless told
              --project PROJECT  whose jobs it sees, the first for new jobs; again and again; default unless told
              --scope SCOPE      read looks, submit hands in and changes jobs, admin is both in every project; read and submit unless told
              --expires TIME     how long it is good, such as 90d; for ever unless told
              -o json            answers and problems are JSON""";

    /** What can be done. */
    enum Action {
        SERVE(Set.of("--config", "--output"), Set.of("--check")),
        TOKEN_CREATE(Set.of("--config", "--output", "--name", "--user", "--project", "--scope", "--expires"), Set.of()),
        TOKEN_LIST(Set.of("--config", "--output"), Set.of()),
        TOKEN_REVOKE(Set.of("--config", "--output", "--name"), Set.of());

        private final Set<String> valued;
        private final Set<String> flags;

        Action(Set<String> valued, Set<String> flags) {
            this.valued = valued;
            this.flags = flags;
        }
    }

    /** Arguments that mean nothing; the message says which and what is meant. */
    static final class UsageException extends Exception {
        private static final long serialVersionUID = 1L;

        UsageException(String message) {
            super(message + "\n" + USAGE);
        }
    }

    static ServerArguments read(List<String> arguments) throws UsageException {
        List<String> rest = new ArrayList<>(arguments);
        Action action = action(rest);
        Map<String, List<String>> values = new TreeMap<>();
        List<String> flags = new ArrayList<>();
        Iterator<String> words = rest.iterator();
        while (words.hasNext()) {
            String word = words.next();
            int equals = word.startsWith("--") ? word.indexOf('=') : -1;
            String name = (equals < 0 ? word : word.substring(0, equals)).replaceFirst("^-o$", "--output");
            if (action.flags.contains(name) && equals < 0) {
                flags.add(name);
            } else if (action.valued.contains(name)) {
                values.computeIfAbsent(name, none -> new ArrayList<>())
                        .add(equals < 0 ? value(name, words) : word.substring(equals + 1));
            } else {
                throw new UsageException("there is no argument '" + word + "' here");
            }
        }
        ServerArguments read = new ServerArguments(action, values, Set.copyOf(flags));
        if (read.value("--config").isEmpty()) {
            throw new UsageException("--config FILE is needed");
        }
        if (!Set.of("text", "json").contains(read.value("--output").orElse("text"))) {
            throw new UsageException("-o is json or text");
        }
        return read;
    }

    private static Action action(List<String> words) throws UsageException {
        if (words.isEmpty() || !words.getFirst().equals("token")) {
            return Action.SERVE;
        }
        words.removeFirst();
        String verb = words.isEmpty() ? "" : words.removeFirst();
        return switch (verb) {
            case "create" -> Action.TOKEN_CREATE;
            case "list" -> Action.TOKEN_LIST;
            case "revoke" -> Action.TOKEN_REVOKE;
            default -> throw new UsageException("token can create, list or revoke, not '" + verb + "'");
        };
    }

    private static String value(String name, Iterator<String> words) throws UsageException {
        if (!words.hasNext()) {
            throw new UsageException(name + " needs a value");
        }
        return words.next();
    }

    /** The last value of an option. */
    Optional<String> value(String name) {
        return values.getOrDefault(name, List.of()).stream().reduce((first, last) -> last);
    }

    List<String> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    boolean json() {
        return value("--output").filter("json"::equals).isPresent();
    }
}
