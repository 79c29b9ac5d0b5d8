package dev.muster.cli.command;

import dev.muster.cli.arguments.Nearest;
import dev.muster.cli.base.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All commands, by the words a person types. One is made only when it is asked for. */
public final class Commands {
    /** In the order help shows them. */
    private static final List<String> NAMES = List.of(
            "run",
            "submit",
            "plan",
            "init",
            "export",
            "list",
            "get",
            "wait",
            "logs",
            "events",
            "metrics",
            "cancel",
            "suspend",
            "resume",
            "scale",
            "delete",
            "models",
            "model get",
            "checkpoints",
            "evidence",
            "queues",
            "audit",
            "local status",
            "local stop",
            "doctor",
            "server");

    private Commands() {}

    /** Those of this version. */
    public static List<Command> all() {
        return NAMES.stream().map(name -> find(name).orElseThrow()).toList();
    }

    /** Those of the contract that a later version has. */
    public static List<LaterCommand> later() {
        return LaterCommand.ALL;
    }

    /**
     * The command these words begin with.
     *
     * @param words what was typed without options
     * @throws Failure when it is none, with the nearest
     */
    public static Command of(List<String> words) {
        if (words.isEmpty()) {
            throw Failure.badInput("no command was given; see: muster help");
        }
        String first = words.getFirst();
        String both = words.size() > 1 ? first + " " + words.get(1) : first;
        Optional<Command> command = find(both).or(() -> find(first)).or(() -> findLater(first));
        return command.orElseThrow(() -> unknown(first, both));
    }

    private static Failure unknown(String first, String both) {
        List<String> begun =
                NAMES.stream().filter(name -> name.startsWith(first + " ")).toList();
        if (!begun.isEmpty()) {
            return Failure.badField(
                    "muster " + both, "is no command", "there are: muster " + String.join(", muster ", begun));
        }
        List<String> known = new ArrayList<>(NAMES);
        known.add("help");
        Optional<String> nearest = Nearest.to(first, known);
        String suggestion = nearest.isPresent() ? "did you mean muster " + nearest.get() + "?" : "see: muster help";
        return Failure.badField("muster " + first, "is no command", suggestion);
    }

    private static Optional<Command> findLater(String word) {
        for (LaterCommand command : LaterCommand.ALL) {
            if (command.name().equals(word)) {
                return Optional.of(command);
            }
        }
        return Optional.empty();
    }

    private static Optional<Command> find(String name) {
        return Optional.ofNullable(
                switch (name) {
                    case "run" -> new RunCommand();
                    case "submit" -> new SubmitCommand();
                    case "plan" -> new PlanCommand();
                    case "init" -> new InitCommand();
                    case "export" -> new ExportCommand();
                    case "list" -> new ListCommand();
                    case "get" -> new GetCommand();
                    case "wait" -> new WaitCommand();
                    case "logs" -> new LogsCommand();
                    case "events" -> new EventsCommand();
                    case "metrics" -> new MetricsCommand();
                    case "cancel" -> new CancelCommand();
                    case "suspend" -> new SuspendCommand();
                    case "resume" -> new ResumeCommand();
                    case "scale" -> new ScaleCommand();
                    case "delete" -> new DeleteCommand();
                    case "models" -> new ModelsCommand();
                    case "model get" -> new ModelGetCommand();
                    case "checkpoints" -> new CheckpointsCommand();
                    case "evidence" -> new EvidenceCommand();
                    case "queues" -> new QueuesCommand();
                    case "audit" -> new AuditCommand();
                    case "local status" -> new LocalStatusCommand();
                    case "local stop" -> new LocalStopCommand();
                    case "doctor" -> new DoctorCommand();
                    case "server" -> new ServerCommand();
                    default -> null;
                });
    }
}
