package dev.muster.spec.tree;

import dev.muster.model.Problem;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads YAML 1.2, and so JSON. Never throws for any text: what cannot be read is a problem with its line and column. Text is bounded
 * to 1 MiB, to {@value TreeBuilder#MAX_SIZE} values, aliases counted as often as they are used, and to a depth of {@value
 * TreeBuilder#MAX_DEPTH}. Anchors and aliases are allowed; tags, merge keys and several documents are not.
 */
public final class TreeReader {
    private static final int MAX_BYTES = 1 << 20;

    private TreeReader() {}

    /** The tree of a text; empty when there is none, which is then told to {@code problems}. */
    public static Optional<Tree> read(String text, Consumer<Problem> problems) {
        if (text.length() > MAX_BYTES || text.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            problems.accept(Problem.of("", "job text is at most " + MAX_BYTES / 1024 + " KiB"));
            return Optional.empty();
        }
        LoadSettings settings = LoadSettings.builder()
                .setLabel("job text")
                .setCodePointLimit(MAX_BYTES + 1)
                .build();
        try {
            return new TreeBuilder(new Parse(settings).parseString(text).iterator(), problems).document();
        } catch (TreeBuilder.TooMuch tooMuch) {
            problems.accept(Problem.of("", tooMuch.getMessage()));
        } catch (MarkedYamlEngineException syntax) {
            problems.accept(Problem.of("", position(syntax) + syntax.getProblem(), hint(text, syntax)));
        } catch (ReaderException character) {
            problems.accept(unprintable(text, character));
        } catch (YamlEngineException other) {
            problems.accept(Problem.of("", "cannot be read as YAML: " + other.getMessage()));
        } catch (RuntimeException fault) {
            // The library's own faults on odd text: a user shall get an answer, not a stack trace.
            problems.accept(
                    Problem.of("", "cannot be read as YAML (" + fault.getClass().getSimpleName() + ")"));
        }
        return Optional.empty();
    }

    private static String position(MarkedYamlEngineException syntax) {
        Optional<Mark> mark = syntax.getProblemMark().or(syntax::getContextMark);
        return mark.map(at -> "line " + (at.getLine() + 1) + ", column " + (at.getColumn() + 1) + ": ")
                .orElse("");
    }

    private static String hint(String text, MarkedYamlEngineException syntax) {
        int line = syntax.getProblemMark().map(Mark::getLine).orElse(0);
        boolean tab = text.lines().skip(Math.max(0, line - 1)).limit(2).anyMatch(each -> each.startsWith("\t"));
        return tab
                ? "indent with blanks, not with tabs"
                : "check indentation, quotes and brackets there and just before";
    }

    private static Problem unprintable(String text, ReaderException character) {
        int at = Math.min(character.getPosition(), text.length());
        long line = text.substring(0, at).chars().filter(c -> c == '\n').count() + 1;
        return Problem.of(
                "",
                "line %d: the character U+%04X may not stand in YAML".formatted(line, character.getCodePoint()),
                "write it as an escape in double quotes, such as \"\\x1b\"");
    }
}
