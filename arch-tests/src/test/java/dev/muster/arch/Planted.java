package dev.muster.arch;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * A violation written for the proof that a rule can fail.
 *
 * @param type    full name of the class that breaks the rule
 * @param sources its text, and that of stand-ins for the classes it leans on
 */
record Planted(String type, List<Source> sources) {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    /** Text of one class; the package line is added. */
    record Source(String type, String text) {}

    /** A class of this name with this body. */
    static Planted named(String type, String body) {
        return new Planted(type, List.of(new Source(type, "class " + simple(type) + " { " + body + " }")));
    }

    /** A class with this body somewhere in the package. */
    static Planted in(String inPackage, String body) {
        return named(inPackage + ".Intruder" + NUMBER.incrementAndGet(), body);
    }

    /** A class in one package that uses a class of another, for which an empty stand-in is made. */
    static Planted between(String inPackage, String otherPackage) {
        Planted intruder = in(inPackage, otherPackage + ".Standin used;");
        Source standin = new Source(otherPackage + ".Standin", "public class Standin {}");
        return new Planted(
                intruder.type,
                Stream.concat(intruder.sources.stream(), Stream.of(standin)).toList());
    }

    /** Compiles all of them into the folder and reads the classes from there. */
    static JavaClasses compile(List<Planted> all, Path folder) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Source source :
                all.stream().flatMap(one -> one.sources.stream()).distinct().toList()) {
            Path file = folder.resolve("src/" + source.type.replace('.', '/') + ".java");
            Files.createDirectories(file.getParent());
            String inPackage = source.type.substring(0, source.type.lastIndexOf('.'));
            files.add(Files.writeString(file, "package " + inPackage + "; " + source.text));
        }
        Path classes = Files.createDirectories(folder.resolve("classes"));
        List<String> options =
                List.of("-proc:none", "-d", classes.toString(), "-cp", System.getProperty("java.class.path"));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            var units = manager.getJavaFileObjectsFromPaths(files);
            if (!compiler.getTask(said, manager, null, options, null, units).call()) {
                throw new IllegalStateException("the planted violations do not compile: " + said);
            }
        }
        return new ClassFileImporter().importPath(classes);
    }

    private static String simple(String type) {
        return type.substring(type.lastIndexOf('.') + 1);
    }
}
