package dev.muster.artifacts.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.Origin;
import dev.muster.spi.PythonEnvironments.EnvironmentException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RequirementsTest {
    @TempDir
    Path folder;

    private static Requirements read(String text, Map<String, String> others) throws EnvironmentException {
        Map<String, String> sent = new HashMap<>(others);
        sent.put("requirements.txt", text);
        Origin origin = new Origin("me", "/", Optional.empty(), Optional.empty(), "/usr/bin", sent);
        return Requirements.of("requirements.txt", origin);
    }

    private static void refused(String text, String... why) {
        assertThatThrownBy(() -> read(text, Map.of()))
                .as(text)
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContainingAll(why);
    }

    @Test
    void takesWhatPipTakesFromAnIndexOrVersionControl() throws EnvironmentException {
        Requirements requirements = read("""
                # a comment
                tensorflow-cpu==2.21  # another
                torch[extra]>=2 ; python_version < "3.13"
                numpy<2 \\
                  --hash=sha256:aaaa
                --index-url https://example.org/simple
                --extra-index-url=https://example.org/more
                -f https://example.org/wheels
                --find-links /opt/wheels
                --no-binary :all:
                --pre
                -e git+https://example.org/x.git#egg=x
                y @ git+ssh://git@example.org/y.git@v1
                z @ https://example.org/z-1.0-py3-none-any.whl
                https://example.org/w-1.0.tar.gz
                """, Map.of());
        assertThat(requirements.count()).isEqualTo(6);
        assertThat(requirements.bytes()).isEmpty();
    }

    @Test
    void refusesFoldersAndFilesThatWereNotSent() {
        refused("numpy\n\n-e .", "requirements.txt line 3", "-e .", "`code`");
        refused("--editable=./lib", "line 1", "folder");
        refused(".", "folder");
        refused("./lib", "folder");
        refused("/opt/lib", "folder");
        refused("lib @ file:///opt/lib", "folder");
        refused("./x-1.0-py3-none-any.whl", "absolute path");
        refused("x-1.0-py3-none-any.whl", "absolute path");
        refused("wheels/x-1.0.tar.gz", "absolute path");
        refused("/nowhere/x-1.0-py3-none-any.whl", "no readable file");
        refused("-r more.txt", "line 1", "more.txt", "not sent");
        refused("-rmore.txt", "more.txt", "not sent");
        refused("-c /etc/constraints.txt", "not sent");
        refused("--requirement=file:///etc/r.txt", "not sent");
        refused("--find-links wheels", "absolute path");
        refused("-f ./wheels", "absolute path");
        refused("numpy \\\n\\\n\n-e .", "line 4");
    }

    @Test
    void takesIncludedFilesThatWereSent() throws EnvironmentException {
        Requirements one = read(
                "-r reqs/more.txt\n-c reqs/limits.txt",
                Map.of("reqs/more.txt", "-r ../last.txt", "reqs/limits.txt", "numpy<2", "last.txt", "numpy"));
        Requirements other = read(
                "-r reqs/more.txt\n-c reqs/limits.txt",
                Map.of("reqs/more.txt", "-r ../last.txt", "reqs/limits.txt", "numpy<1", "last.txt", "numpy"));
        assertThat(one.files()).containsOnlyKeys("requirements.txt", "reqs/more.txt", "reqs/limits.txt", "last.txt");
        assertThat(one.canonical()).isNotEqualTo(other.canonical());
        read("-r requirements.txt", Map.of());
    }

    @Test
    void theBytesOfAnArchiveCount() throws Exception {
        Path wheel = Files.writeString(folder.resolve("x-1.0-py3-none-any.whl"), "one");
        String before = read(wheel.toString(), Map.of()).canonical();
        assertThat(read("x @ file://" + wheel, Map.of()).bytes()).containsOnlyKeys(wheel.toString());
        Files.writeString(wheel, "two");
        assertThat(read(wheel.toString(), Map.of()).canonical()).isNotEqualTo(before);
    }

    @Test
    void aFileThatWasNotSentIsNamed() {
        Origin origin = new Origin("me", "/", Optional.empty(), Optional.empty(), "/usr/bin", Map.of());
        assertThatThrownBy(() -> Requirements.of("requirements.txt", origin))
                .hasMessageContaining("environment.python.requirements")
                .hasMessageContaining("requirements.txt");
    }
}
