package dev.muster.cli.command;

import dev.muster.api.Called;
import dev.muster.cli.arguments.ArgumentParser;
import dev.muster.cli.arguments.Arguments;
import dev.muster.cli.arguments.Option;
import dev.muster.cli.arguments.Syntax;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.base.Failure;
import dev.muster.cli.base.Output;
import dev.muster.cli.base.Surroundings;
import dev.muster.formats.json.Json;
import java.util.ArrayList;
import java.util.List;

/** The command line as a function: arguments in, an answer on the one output, errors on the other, an exit code back. */
public final class Program {
    private static final String HELP = "help";

    private final Surroundings surroundings;
    private final Session.Console console;

    public Program(Surroundings surroundings, Session.Console console) {
        this.surroundings = surroundings;
        this.console = console;
    }

    /** Runs one command. Nothing is thrown, whatever happens. */
    public ExitCode run(List<String> arguments) {
        try {
            ExitCode code = dispatch(arguments);
            flush();
            return code;
        } catch (Output.ClosedOutput readerGone) {
            return ExitCode.DONE;
        } catch (Failure failure) {
            return fail(failure, arguments);
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError fault) {
            return fail(Failure.fault(Faults.describe(fault, surroundings)), arguments);
        }
    }

    /** A reader that is gone by now changes nothing about what was done. */
    private void flush() {
        try {
            console.out().flush();
        } catch (Output.ClosedOutput readerGone) {
            // It has read what it wanted.
        }
    }

    private ExitCode dispatch(List<String> arguments) {
        if (isVersion(arguments)) {
            version(arguments);
            return ExitCode.DONE;
        }
        List<String> words = words(arguments);
        if (words.isEmpty() && (arguments.contains("-h") || arguments.contains("--help"))
                || words.size() == 1 && words.getFirst().equals(HELP)) {
            HelpPage.writeAll(this::say);
            return ExitCode.DONE;
        }
        boolean help = !words.isEmpty() && words.getFirst().equals(HELP);
        Command command = Commands.of(help ? words.subList(1, words.size()) : words);
        if (command instanceof LaterCommand later) {
            throw later.refusal();
        }
        if (help) {
            HelpPage.write(command.syntax(), this::say);
            return ExitCode.DONE;
        }
        Arguments parsed = ArgumentParser.parse(command.syntax(), withoutWords(arguments, command));
        if (parsed.has("--help")) {
            HelpPage.write(command.syntax(), this::say);
            return ExitCode.DONE;
        }
        return command.run(new Session(parsed, surroundings, console));
    }

    /** Only before a command: behind it, it is an option that the command does not have. */
    private static boolean isVersion(List<String> arguments) {
        return words(arguments).isEmpty() && (arguments.contains("--version") || arguments.contains("-V"))
                || arguments.equals(List.of("version"));
    }

    private void version(List<String> arguments) {
        String build = surroundings.application().build();
        console.out()
                .line(
                        isJson(arguments)
                                ? Json.object().put("build", build).build().toString()
                                : "muster " + build);
    }

    private void say(String line) {
        console.out().line(called().in(line));
    }

    private Called called() {
        return surroundings.application().called();
    }

    /** At most the first three words (help, and the two of a command) that are neither options nor their values, which may stand before. */
    private static List<String> words(List<String> arguments) {
        List<String> words = new ArrayList<>();
        for (int at = 0; at < arguments.size() && words.size() < 3; at++) {
            String argument = arguments.get(at);
            if (!argument.startsWith("-") || argument.equals("-")) {
                words.add(argument);
            } else if (takesNext(argument)) {
                at++;
            }
        }
        return words;
    }

    private static boolean takesNext(String argument) {
        for (Option option : Syntax.EVERYWHERE) {
            if (option.hasValue() && option.names().contains(argument)) {
                return true;
            }
        }
        return false;
    }

    private static List<String> withoutWords(List<String> arguments, Command command) {
        List<String> rest = new ArrayList<>(arguments);
        for (String word : command.syntax().command().split(" ")) {
            rest.remove(word);
        }
        return rest;
    }

    private ExitCode fail(Failure failure, List<String> arguments) {
        try {
            console.out().flush();
        } catch (Output.ClosedOutput | Failure unwritable) {
            // What is wrong is told all the same.
        }
        try {
            if (isJson(arguments)) {
                console.err().line(failure.problem().toJson().toString());
            } else {
                FailurePage.write(failure.problem(), line -> console.err().line(called().in(line)));
            }
            console.err().flush();
        } catch (Output.ClosedOutput | Failure unwritable) {
            // There is nobody to tell.
        }
        return failure.exitCode();
    }

    /** Asked before the arguments are understood, so that a script can read what is wrong with them. */
    private static boolean isJson(List<String> arguments) {
        for (int at = 0; at < arguments.size(); at++) {
            String argument = arguments.get(at);
            boolean next = (argument.equals("-o") || argument.equals("--output"))
                    && at + 1 < arguments.size()
                    && arguments.get(at + 1).equals("json");
            if (next || argument.equals("-ojson") || argument.equals("-o=json") || argument.equals("--output=json")) {
                return true;
            }
        }
        return false;
    }
}
