package dev.muster.cli;

import dev.muster.api.Called;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.base.Output;
import dev.muster.cli.base.Surroundings;
import dev.muster.cli.command.Interrupts;
import dev.muster.cli.command.Program;
import dev.muster.cli.command.Session;
import dev.muster.cli.screen.Screen;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Runs commands in this JVM, with everything around them made by the test. */
public final class Cli {
    private final Map<String, String> variables = new HashMap<>();
    private final Path folder;
    private Screen screen = new FakeScreen(false, Screen.UNBOUNDED, 24);
    private Called called = Called.MUSTER;
    private byte[] input = {};
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final List<Supplier<ExitCode>> interrupts = new ArrayList<>();

    /** Whose working folder and MUSTER_HOME lie there. */
    public Cli(Path folder) {
        this.folder = folder;
        variables.put("MUSTER_HOME", folder.resolve("home").toString());
        variables.put("PATH", "/usr/bin:/bin");
    }

    public Cli set(String variable, String value) {
        variables.put(variable, value);
        return this;
    }

    /** Speaks to this service. */
    public Cli to(FakeService service) {
        return set("MUSTER_SERVER", service.address()).set("MUSTER_TOKEN", "secret-token");
    }

    public Cli on(Screen other) {
        screen = other;
        return this;
    }

    /** The reader calls the command line so. */
    public Cli called(String words) {
        called = new Called(words);
        return this;
    }

    public Cli input(String text) {
        input = text.getBytes(StandardCharsets.UTF_8);
        return this;
    }

    /** Runs a command, given as a line of words. */
    public ExitCode run(String line) {
        return run(List.of(line.split(" ")));
    }

    public ExitCode run(List<String> arguments) {
        out.reset();
        err.reset();
        Surroundings surroundings = new Surroundings(
                variables, folder, new Surroundings.Application(Optional.empty(), Optional.empty(), "build-1", called));
        Session.Console console = new Session.Console(
                new ByteArrayInputStream(input), new Output(out), new Output(err), screen, interrupts());
        return new Program(surroundings, console).run(arguments);
    }

    private Interrupts interrupts() {
        return action -> {
            synchronized (interrupts) {
                interrupts.add(action);
            }
            return () -> {
                synchronized (interrupts) {
                    interrupts.remove(action);
                }
            };
        };
    }

    /** Presses Ctrl-C; the code that the process would end with, empty when the command does not catch it. */
    public Optional<ExitCode> interrupt() {
        Supplier<ExitCode> action;
        synchronized (interrupts) {
            if (interrupts.isEmpty()) {
                return Optional.empty();
            }
            action = interrupts.getLast();
        }
        return Optional.of(action.get());
    }

    public String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    public String err() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
