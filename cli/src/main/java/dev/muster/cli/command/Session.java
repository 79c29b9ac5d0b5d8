package dev.muster.cli.command;

import dev.muster.api.Called;
import dev.muster.cli.arguments.Arguments;
import dev.muster.cli.base.Failure;
import dev.muster.cli.base.Notes;
import dev.muster.cli.base.Output;
import dev.muster.cli.base.Surroundings;
import dev.muster.cli.client.Api;
import dev.muster.cli.client.Client;
import dev.muster.cli.client.RemoteService;
import dev.muster.cli.client.ServiceFinder;
import dev.muster.cli.client.Trust;
import dev.muster.cli.embedded.EmbeddedService;
import dev.muster.cli.screen.Screen;
import dev.muster.formats.json.Json;
import java.io.InputStream;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** One call of the command line: what was given, where it runs, where it writes, and the service, found when first needed. */
public final class Session {
    /**
     * What a session is connected to.
     *
     * @param in  standard input
     * @param out what was asked for
     * @param err everything else
     */
    public record Console(InputStream in, Output out, Output err, Screen screen, Interrupts interrupts) {}

    private final Arguments arguments;
    private final Surroundings surroundings;
    private final Console console;
    private final boolean json;
    private final AtomicReference<Notes> notes = new AtomicReference<>(this::error);
    private Optional<Api> api = Optional.empty();

    /**
     * @throws Failure when the format asked for is none
     */
    public Session(Arguments arguments, Surroundings surroundings, Console console) {
        this.arguments = arguments;
        this.surroundings = surroundings;
        this.console = console;
        this.json = switch (arguments.value("--output").orElse("text")) {
            case "json" -> true;
            case "text" -> false;
            default ->
                throw Failure.badField(
                        "-o",
                        "is json or text, not " + arguments.value("--output").get(),
                        "-o json");
        };
    }

    public Arguments arguments() {
        return arguments;
    }

    public Surroundings surroundings() {
        return surroundings;
    }

    public InputStream in() {
        return console.in();
    }

    public Output out() {
        return console.out();
    }

    public Screen screen() {
        return console.screen();
    }

    public Interrupts interrupts() {
        return console.interrupts();
    }

    /** Whether the answer goes to a script. */
    public boolean json() {
        return json;
    }

    /** Writes one JSON document, or one line of several. */
    public void write(Json document) {
        console.out().line(document.toString());
        console.out().flush();
    }

    /** Said to a person, besides the answer; a script does not hear it. */
    public Notes notes() {
        return line -> notes.get().say(called().in(line));
    }

    /** Writes a line that Muster says, beside the answer proper, on the one output. */
    public void say(String line) {
        console.out().line(called().in(line));
    }

    /** How the reader calls this command line. */
    public Called called() {
        return surroundings.application().called();
    }

    /** While a view draws on the terminal, notes have to go through it. */
    void noteTo(Notes view) {
        notes.set(view);
    }

    /** Notes go where they went at first. */
    void noteToError() {
        notes.set(this::error);
    }

    private void error(String line) {
        if (json) {
            return;
        }
        try {
            console.err().line(line);
            console.err().flush();
        } catch (Output.ClosedOutput nobodyListens) {
            // The answer is what counts.
        }
    }

    /** The URL of a service elsewhere; empty for the embedded one. */
    public Optional<String> server() {
        Optional<String> told = arguments.value("--server");
        return told.isPresent() ? told : surroundings.variable("MUSTER_SERVER");
    }

    /** The service; the embedded one is started when there is none. */
    public synchronized Api api() {
        if (api.isEmpty()) {
            ServiceFinder finder = server().isPresent()
                    ? new RemoteService(
                            server().get(),
                            surroundings.variable("MUSTER_TOKEN"),
                            surroundings.variable(Trust.VARIABLE))
                    : new EmbeddedService(surroundings, notes());
            api = Optional.of(new Api(new Client(finder)));
        }
        return api.get();
    }
}
