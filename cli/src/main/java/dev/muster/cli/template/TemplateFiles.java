package dev.muster.cli.template;

import dev.muster.cli.base.Failure;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files of a template, as they are to lie in a folder of their own. */
final class TemplateFiles {
    /** Where the build puts {@code examples/}. */
    private static final String ROOT = "templates";
    /** Links of a page that lead out of its folder: only their words stay. */
    private static final Pattern LINK_OUT = Pattern.compile("\\[([^]]*)]\\(\\.\\./[^)]*\\)");

    private static final Pattern NAME = Pattern.compile("(?m)^name: .*$");

    private TemplateFiles() {}

    /**
     * Contents by their relative paths.
     *
     * @param job name of the job; empty to keep the example's
     */
    static Map<String, String> of(Template template, String job) {
        Path application = application();
        try {
            if (Files.isDirectory(application)) {
                return read(application.resolve(ROOT).resolve(template.folder()), template, job);
            }
            try (FileSystem jar = FileSystems.newFileSystem(application)) {
                return read(jar.getPath(ROOT, template.folder()), template, job);
            }
        } catch (IOException broken) {
            throw Failure.fault("the templates in " + application + " cannot be read: " + broken.getMessage());
        }
    }

    private static Path application() {
        try {
            URI place = TemplateFiles.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI();
            return Path.of(place);
        } catch (URISyntaxException broken) {
            throw new IllegalStateException("the application's own place is no URI", broken);
        }
    }

    private static Map<String, String> read(Path folder, Template template, String job) throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                String name = folder.relativize(file).toString();
                files.put(name, moved(name, Files.readString(file, StandardCharsets.UTF_8), template, job));
            }
        }
        return files;
    }

    /** Commands are those of a person in the folder, who has {@code muster} on the PATH. */
    private static String moved(String name, String text, Template template, String job) {
        String here = text.replace("examples/" + template.folder() + "/", "").replace("./muster ", "muster ");
        if (name.endsWith(".md")) {
            return LINK_OUT.matcher(here).replaceAll("$1").replace("    make-environment", "    ./make-environment");
        }
        boolean named = name.startsWith("job") && name.endsWith(".yaml") && !job.isEmpty();
        return named ? NAME.matcher(here).replaceFirst("name: " + job) : here;
    }
}
