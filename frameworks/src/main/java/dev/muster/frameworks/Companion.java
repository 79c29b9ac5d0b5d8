package dev.muster.frameworks;

import dev.muster.model.Join;
import dev.muster.model.Member;
import dev.muster.model.Part;
import dev.muster.model.ProcessName;
import dev.muster.model.Template;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The rendezvous of frameworks whose workers find each other through a process of its own beside them: it opens a port, and they are
 * started once it listens. It is part of the job like every other process, so it outlives the service, and a group that restarts gets
 * a fresh one.
 *
 * @param roster  who takes part
 * @param port    name of its reserved port
 * @param program the Python program that it runs
 */
public record Companion(Roster roster, String port, String program) {
    /** Where its program lies in its working folder. */
    private static final String FILE = ".muster/companion.py";

    /**
     * The companion that runs a Python program which is a resource beside the class.
     *
     * @param beside class of the framework
     */
    public static Companion of(Roster roster, String port, Class<?> beside, String resource) {
        return new Companion(roster, port, text(beside, resource));
    }

    /** A text file that is a resource beside the class. */
    public static String text(Class<?> beside, String resource) {
        try (InputStream stream = beside.getResourceAsStream(resource)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private Member member() {
        return new Member(roster.spec().companion().orElseThrow(), 0);
    }

    public boolean is(Slot slot) {
        return slot.name().member().equals(member());
    }

    /** The bare address. */
    public Template host() {
        return Template.of(new Part.HostOf(member()));
    }

    /** {@code host:port}, an IPv6 address in brackets. */
    public Template address() {
        return Template.of(new Part.AddressOf(member(), port));
    }

    /** The port in decimal. */
    public Template portNumber() {
        return Template.of(new Part.PortOf(member(), port));
    }

    public List<String> ports(Slot slot) {
        return is(slot) ? List.of(port) : List.of();
    }

    public Map<String, Template> files(Slot slot) {
        return is(slot) ? Map.of(FILE, Template.text(program)) : Map.of();
    }

    /** Its command; the words are its program's arguments. */
    public List<Template> argv(List<Template> words) {
        List<Template> line = CommandLine.texts(List.of());
        line.add(CommandLine.python());
        line.add(Template.text(FILE));
        line.addAll(words);
        return line;
    }

    /** It has joined once its port listens; the others start after that. */
    public Join join(Slot slot) {
        return is(slot) ? new Join.Listens(port) : new Join.Started();
    }

    /** A ranked process has joined once it is connected to the companion. */
    public Join connected(Slot slot) {
        return is(slot) ? join(slot) : slot.isRanked() ? new Join.Connected(member(), port) : new Join.Started();
    }

    public Set<ProcessName> after(Slot slot) {
        return slot.isRanked() ? Set.of(new ProcessName(member().role(), member().index())) : Set.of();
    }
}
