package dev.muster.cli.archive;

import dev.muster.api.FieldProblem;
import dev.muster.cli.base.Failure;
import dev.muster.cli.base.Reasons;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Looks through a code folder: what of it is sent, in the order of the names. No link is followed; a link is sent as a link, and one
 * that leads out of the folder is refused, because where the training runs it would lead nowhere.
 */
public final class CodeFolder {
    private static final int MOST_ENTRIES = 100_000;
    /** As many as Linux follows. */
    private static final int MOST_LINKS = 40;

    private final Path root;
    private final Path home;
    private final IgnoreRules rules;
    private final List<CodeEntry> entries = new ArrayList<>();
    private final List<String> skipped = new ArrayList<>();
    private final List<FieldProblem> problems = new ArrayList<>();
    private final Map<String, Long> sizes = new LinkedHashMap<>();

    private CodeFolder(Path root, Path home) {
        this.root = root;
        this.home = home;
        this.rules = IgnoreRules.read(root);
    }

    /**
     * @param folder a folder
     * @param home   MUSTER_HOME, which is never sent: it holds keys, and each submission would carry all that earlier ones left there
     * @throws Failure naming everything that cannot be sent
     */
    public static CodeArchive look(Path folder, Path home) {
        CodeFolder code = new CodeFolder(folder, home);
        code.walk(folder, List.of());
        if (!code.problems.isEmpty()) {
            throw Failure.badInput("the code folder " + folder + " cannot be sent", code.problems);
        }
        return new CodeArchive(code.entries, code.skipped, code.sizes);
    }

    private void walk(Path folder, List<String> names) {
        for (Path child : children(folder)) {
            List<String> path = new ArrayList<>(names);
            path.add(child.getFileName().toString());
            try {
                take(child, path);
            } catch (IOException unreadable) {
                problem(path, "cannot be read: " + Reasons.of(unreadable));
            }
        }
    }

    private List<Path> children(Path folder) {
        try (Stream<Path> list = Files.list(folder)) {
            return list.sorted().toList();
        } catch (IOException unreadable) {
            problem(List.of(root.relativize(folder).toString()), "cannot be read: " + Reasons.of(unreadable));
            return List.of();
        }
    }

    private void take(Path child, List<String> path) throws IOException {
        BasicFileAttributes attributes =
                Files.readAttributes(child, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (rules.ignores(path, attributes.isDirectory()) || attributes.isDirectory() && isHome(child)) {
            return;
        }
        String name = String.join("/", path);
        if (entries.size() == MOST_ENTRIES) {
            throw Failure.badInput("the code folder " + root + " has more than " + MOST_ENTRIES
                    + " files; name what training does not need in " + root.resolve(IgnoreRules.FILE));
        }
        if (name.indexOf('\ufffd') >= 0) {
            problem(path, "has a name that is not UTF-8");
        } else if (attributes.isSymbolicLink()) {
            link(child, path);
        } else if (attributes.isDirectory()) {
            entries.add(new CodeEntry.Folder(name));
            walk(child, path);
        } else if (attributes.isRegularFile()) {
            if (!Files.isReadable(child)) {
                problem(path, "may not be read");
                return;
            }
            entries.add(new CodeEntry.File(name, child, Files.isExecutable(child), attributes.size()));
            sizes.merge(path.getFirst(), attributes.size(), Long::sum);
        } else {
            skipped.add(name);
        }
    }

    private boolean isHome(Path child) throws IOException {
        return Files.isDirectory(home) && Files.isSameFile(child, home);
    }

    private void link(Path child, List<String> path) throws IOException {
        Path target = Files.readSymbolicLink(child);
        Path parent = Path.of("", path.subList(0, path.size() - 1).toArray(String[]::new));
        boolean leaves =
                target.isAbsolute() || parent.resolve(target).normalize().startsWith("..");
        if (leaves || leadsOut(child)) {
            problem(path, "is a link to " + target + ", out of the folder");
        } else if (isCircle(child, target)) {
            problem(path, "is a link to " + target + ", round in a circle");
        } else {
            entries.add(new CodeEntry.Link(String.join("/", path), target.toString()));
        }
    }

    /** By way of other links. */
    private boolean leadsOut(Path link) throws IOException {
        return Files.exists(link) && !link.toRealPath().startsWith(root.toRealPath());
    }

    /** A link to nothing may have its target where the training runs; a circle leads nowhere anywhere. */
    private static boolean isCircle(Path link, Path target) {
        Path next = link.resolveSibling(target).normalize();
        for (int steps = 0; steps < MOST_LINKS && Files.isSymbolicLink(next); steps++) {
            try {
                next = next.resolveSibling(Files.readSymbolicLink(next)).normalize();
            } catch (IOException unreadable) {
                return false;
            }
        }
        return Files.isSymbolicLink(next);
    }

    private void problem(List<String> path, String message) {
        problems.add(new FieldProblem(
                String.join("/", path),
                message,
                Optional.of("name it in " + IgnoreRules.FILE + ", or put a file there")));
    }
}
