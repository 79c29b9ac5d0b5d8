package dev.muster.cli.archive;

import dev.muster.cli.base.Failure;
import dev.muster.cli.base.Reasons;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What of a code folder is left out: {@link #USUAL}, then the lines of {@code .musterignore} in the folder, where the last line that
 * matches a path decides, so a line such as {@code !venv/} takes back. What lies in a folder that is left out cannot be taken back.
 */
final class IgnoreRules {
    static final String FILE = ".musterignore";
    /** Left out unless {@code .musterignore} takes it back: histories, caches, environments. */
    static final List<String> USUAL = List.of(
            ".git",
            ".hg/",
            ".svn/",
            "__pycache__/",
            "*.pyc",
            "*.pyo",
            ".venv/",
            "venv/",
            ".tox/",
            ".nox/",
            ".eggs/",
            "*.egg-info/",
            ".ipynb_checkpoints/",
            ".pytest_cache/",
            ".mypy_cache/",
            ".ruff_cache/",
            "node_modules/",
            ".idea/",
            ".vscode/",
            ".DS_Store");

    private final List<IgnorePattern> patterns = new ArrayList<>();

    private IgnoreRules(List<String> lines) {
        for (String line : lines) {
            IgnorePattern.parse(line).ifPresent(patterns::add);
        }
    }

    static IgnoreRules of(List<String> lines) {
        List<String> all = new ArrayList<>(USUAL);
        all.addAll(lines);
        return new IgnoreRules(all);
    }

    static IgnoreRules read(Path folder) {
        Path file = folder.resolve(FILE);
        if (!Files.exists(file)) {
            return of(List.of());
        }
        try {
            return of(new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
                    .lines()
                    .toList());
        } catch (IOException unreadable) {
            throw Failure.badInput(file + " cannot be read: " + Reasons.of(unreadable));
        }
    }

    boolean ignores(List<String> path, boolean isFolder) {
        boolean ignored = false;
        for (IgnorePattern pattern : patterns) {
            if (pattern.negated() == ignored && pattern.matches(path, isFolder)) {
                ignored = !pattern.negated();
            }
        }
        return ignored;
    }
}
