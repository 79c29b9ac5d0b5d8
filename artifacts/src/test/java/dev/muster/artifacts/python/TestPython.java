package dev.muster.artifacts.python;

import dev.muster.model.EnvironmentSpec;
import dev.muster.model.Origin;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A real Python for tests, packages made on the spot, and variables under which pip never asks the network. */
final class TestPython {
    private TestPython() {}

    /** The first python3 on PATH. */
    static Path onPath() {
        for (String folder : System.getenv("PATH").split(":")) {
            Path program = Path.of(folder, "python3");
            if (Files.isExecutable(program)) {
                return program;
            }
        }
        throw new AssertionError("these tests need a Python 3 with venv: apt install python3-venv");
    }

    static Map<String, String> variables(Path packages) {
        Map<String, String> variables = new HashMap<>(System.getenv());
        variables.put("PIP_NO_INDEX", "1");
        variables.put("PIP_FIND_LINKS", packages.toString());
        variables.put("PIP_CONFIG_FILE", "/dev/null");
        variables.put("PIP_NO_CACHE_DIR", "1");
        return variables;
    }

    static Origin origin(Path python, Map<String, String> requirements) {
        return new Origin(
                "me", "/", Optional.empty(), Optional.of(python.toString()), System.getenv("PATH"), requirements);
    }

    static EnvironmentSpec with(Optional<String> requirements, Optional<String> interpreter, boolean systemPackages) {
        return new EnvironmentSpec(
                Optional.of(new EnvironmentSpec.Python(requirements, interpreter, systemPackages)), Optional.empty());
    }

    /** A Python that behaves as Debian's does without python3-venv: it makes environments only without pip. */
    static Path withoutEnsurepip(Path folder, Path python) throws IOException {
        return script(
                folder.resolve("python3"),
                "case \"$*\" in *--without-pip*) ;; *'-m venv'*) echo 'The virtual environment was not created successfully because"
                        + " ensurepip is not available.'; exit 1;; esac\n"
                        + "exec '" + python + "' \"$@\"\n");
    }

    static Path script(Path file, String body) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + body);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        return file;
    }

    /** A wheel of one module with one variable. */
    static void wheel(Path folder, String name, String version, String value) throws IOException {
        String info = name + "-" + version + ".dist-info/";
        Path file = folder.resolve(name + "-" + version + "-py3-none-any.whl");
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            put(zip, name + ".py", "value = '" + value + "'\n");
            put(zip, info + "METADATA", "Metadata-Version: 2.1\nName: " + name + "\nVersion: " + version + "\n");
            put(zip, info + "WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n");
            put(
                    zip,
                    info + "RECORD",
                    name + ".py,,\n" + info + "METADATA,,\n" + info + "WHEEL,,\n" + info + "RECORD,,\n");
        }
    }

    /** A source package whose build runs the given Python code, needing nothing from an index. */
    static void source(Path folder, String name, String code) throws IOException {
        Path file = folder.resolve(name + "-1.0.zip");
        String top = name + "-1.0/";
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            put(zip, top + "PKG-INFO", "Metadata-Version: 2.1\nName: " + name + "\nVersion: 1.0\n");
            put(
                    zip,
                    top + "pyproject.toml",
                    "[build-system]\nrequires = []\nbuild-backend = \"backend\"\nbackend-path = [\".\"]\n");
            put(zip, top + "backend.py", "def build_wheel(*arguments):\n    " + code.replace("\n", "\n    ") + "\n");
        }
    }

    private static void put(ZipOutputStream zip, String name, String text) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(text.getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
    }
}
