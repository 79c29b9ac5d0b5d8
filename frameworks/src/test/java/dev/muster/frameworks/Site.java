package dev.muster.frameworks;

import dev.muster.model.Part;
import dev.muster.model.ProcessPlan;
import dev.muster.model.Template;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A place where plans can be read: every part gets a text that tells where it came from.
 *
 * @param bash   whether the shell is bash
 * @param resume what is resumed from, where something is
 */
record Site(boolean bash, Optional<String> resume) {
    static final Site FRESH = new Site(true, Optional.empty());

    List<String> argv(ProcessPlan process) {
        return process.argv().stream().flatMap(word -> text(word).stream()).toList();
    }

    Map<String, String> env(ProcessPlan process) {
        Map<String, String> env = new TreeMap<>();
        process.env().forEach((name, value) -> text(value).ifPresent(text -> env.put(name, text)));
        return env;
    }

    Optional<String> text(Template template) {
        return template.render(this::part);
    }

    private Optional<String> part(Part part) {
        return switch (part) {
            case Part.Text(String text) -> Optional.of(text);
            case Part.HostOf(var member) -> Optional.of(member + ".host");
            case Part.PortOf(var member, String port) -> Optional.of(member + "/" + port);
            case Part.AddressOf(var member, String port) -> Optional.of(member + ".host:" + port);
            case Part.PathOf(var place) -> Optional.of("/place/" + place.name().toLowerCase(Locale.ROOT));
            case Part.DataPath(String name) -> Optional.of("/data/" + name);
            case Part.SecretValue(String variable) -> Optional.of("<secret " + variable + ">");
            case Part.WhereBash(String text) -> bash ? Optional.of(text) : Optional.empty();
            case Part.FactOf(var fact) ->
                switch (fact) {
                    case JOB_ID -> Optional.of("j123456789");
                    case ATTEMPT -> Optional.of("1");
                    case RESUME_FROM -> resume;
                    case PYTHON -> Optional.of("/env/bin/python");
                    case SHELL -> Optional.of(bash ? "/bin/bash" : "/bin/sh");
                    case PATH -> Optional.of("/env/bin:/usr/bin");
                    case INTERFACE, OUTWARD_INTERFACE -> Optional.of("eth0");
                };
        };
    }
}
