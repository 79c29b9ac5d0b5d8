package dev.muster.frameworks;

import dev.muster.model.Command;
import dev.muster.model.Part;
import dev.muster.model.Part.Fact;
import dev.muster.model.Part.FactOf;
import dev.muster.model.Template;
import java.util.ArrayList;
import java.util.List;

/** Program and arguments of a user's command. */
public final class CommandLine {
    private CommandLine() {}

    /**
     * A list is passed as it is, except that a first word {@code python} or {@code python3} becomes the job's interpreter. A string
     * goes through {@code bash -o pipefail -c} where there is bash, else through {@code sh -c}.
     */
    public static List<Template> of(Command command) {
        return switch (command) {
            case Command.Exec program -> {
                List<Template> line = texts(program.argv());
                if (program.isPython()) {
                    line.set(0, python());
                }
                yield line;
            }
            case Command.Shell(String script) ->
                List.of(
                        Template.of(new FactOf(Fact.SHELL)),
                        Template.of(new Part.WhereBash("-o")),
                        Template.of(new Part.WhereBash("pipefail")),
                        Template.text("-c"),
                        Template.text(script));
        };
    }

    /** The job's Python. */
    public static Template python() {
        return Template.of(new FactOf(Fact.PYTHON));
    }

    /** Each word as it is, in a list that may be changed. */
    public static List<Template> texts(List<String> words) {
        return new ArrayList<>(words.stream().map(Template::text).toList());
    }
}
