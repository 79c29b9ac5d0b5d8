package dev.muster.artifacts.python;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PipOutputTest {
    private static String sentence(String output) {
        return PipFailure.sentence(List.of(output.split("\n")));
    }

    @Test
    void aRequirementThatIsNotThereIsNamed() {
        assertThat(sentence("""
                ERROR: Could not find a version that satisfies the requirement tensorflow-cpuu==2.21 (from versions: none)
                ERROR: No matching distribution found for tensorflow-cpuu==2.21""")).contains("'tensorflow-cpuu==2.21'").contains("no index or folder");
        assertThat(sentence("""
                ERROR: Could not find a version that satisfies the requirement numpy==99 (from versions: 1.0, 1.1, 2.0, 2.1)
                ERROR: No matching distribution found for numpy==99"""))
                .contains("'numpy==99'")
                .contains("no such version")
                .contains("2.1");
        assertThat(sentence("ERROR: No matching distribution found for x>3 (from y)"))
                .contains("'x>3 (from y)'");
    }

    @Test
    void anIndexOutOfReachIsSaid() {
        assertThat(sentence("""
                WARNING: Retrying (Retry(total=0, connect=None)) after connection broken by 'NewConnectionError(...)': /simple/numpy/
                ERROR: Could not find a version that satisfies the requirement numpy (from versions: none)""")).contains("'numpy'").contains("could not be reached");
        assertThat(sentence("""
                Could not fetch URL https://pypi.org/simple/numpy/: There was a problem confirming the ssl certificate: (SSLError(1, 'CERTIFICATE_VERIFY_FAILED'))
                ERROR: No matching distribution found for numpy""")).contains("certificate");
    }

    @Test
    void aBuildThatFailsNamesWhatWasBuilt() {
        assertThat(sentence("""
                Building wheels for collected packages: horovod
                  error: subprocess-exited-with-error
                  ERROR: Failed building wheel for horovod
                ERROR: Could not build wheels for horovod, which is required to install pyproject.toml-based projects""")).contains("'horovod'").contains("built from source");
        assertThat(sentence("ERROR: Failed to build 'mpi4py' when installing build dependencies"))
                .contains("'mpi4py'");
        assertThat(sentence("""
                Collecting good
                Collecting mpi4py==3
                  × Getting requirements to build wheel did not run successfully.
                error: subprocess-exited-with-error""")).contains("'mpi4py==3'");
    }

    @Test
    void whatIsNotInPipsFormIsNamed() {
        assertThat(sentence("ERROR: Invalid requirement: 'numpy=>1' (from line 3 of /home/r.txt)"))
                .contains("'numpy=>1'")
                .contains("line 3")
                .contains("pip's form");
        assertThat(
                        sentence(
                                "ERROR: Invalid requirement: 'numpy=>1': Expected end or semicolon (from line 3 of /home/r.txt)"))
                .contains("'numpy=>1'")
                .contains("line 3")
                .contains("pip's form");
    }

    @Test
    void hashesConflictsAndPlatformsAreTold() {
        assertThat(sentence("""
                ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE. If you have updated ...
                    six==1.16.0 from https://example.org/six.whl (from -r r.txt (line 1)):
                        Expected sha256 00
                             Got        8a""")).contains("'six==1.16.0'").contains("hash");
        assertThat(
                        sentence(
                                "ERROR: In --require-hashes mode, all requirements must have their versions pinned with ==. These do not:"))
                .contains("pinned");
        assertThat(
                        sentence(
                                "ERROR: Cannot install a==1 and b==2 because these package versions have conflicting dependencies."))
                .contains("a==1 and b==2");
        assertThat(sentence("ERROR: x-1-cp39-cp39-win_amd64.whl is not a supported wheel on this platform."))
                .contains("x-1-cp39");
        assertThat(sentence("ERROR: Package 'x' requires a different Python: 3.11.7 not in '>=3.12'"))
                .contains("'x'")
                .contains(">=3.12");
    }

    @Test
    void aFullDiskComesBeforeEverything() {
        assertThat(sentence("""
                ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device
                ERROR: No matching distribution found for numpy""")).isEqualTo("no space left on device");
    }

    @Test
    void anythingElseIsGivenAsPipSaysIt() {
        assertThat(sentence("ERROR: unknown option --foo")).isEqualTo("pip says: unknown option --foo");
        assertThat(sentence("")).isEqualTo("pip ended without saying why");
    }

    @Test
    void progressIsOneLineAStep() {
        assertThat(PipProgress.of("Installing collected packages: a, b, c, d, e, f, g"))
                .contains("installing 7 packages: a, b, c, d, e, f, ...");
        assertThat(PipProgress.of("Installing collected packages: six")).contains("installing 1 package: six");
        assertThat(PipProgress.of("  Downloading https://x.org/p/tensorflow_cpu-2.21-cp311.whl (274.1 MB)"))
                .contains("downloading tensorflow_cpu-2.21-cp311.whl (274.1 MB)");
        assertThat(PipProgress.of("Collecting numpy<2 (from -r r.txt (line 1))"))
                .contains("collecting numpy<2");
        assertThat(PipProgress.of("  Building wheel for mpi4py (pyproject.toml): started"))
                .contains("building mpi4py");
        assertThat(PipProgress.of("  Building wheel for mpi4py (pyproject.toml): finished"))
                .isEmpty();
        assertThat(PipProgress.of("Requirement already satisfied: x")).isEmpty();
    }

    @Test
    void thePackageBeingInstalledIsToldByWhatIsThereAlready(@TempDir Path packages) throws IOException {
        List<String> order = InstallWatch.packages(
                        "Installing collected packages: namex, absl-py, ml_dtypes, tensorflow_cpu")
                .orElseThrow();
        assertThat(InstallWatch.packages("Collecting namex")).isEmpty();
        assertThat(InstallWatch.text(order, InstallWatch.installed(packages)))
                .isEqualTo("installing namex (1 of 4 packages)");
        installed(packages, "namex-0.1.0");
        installed(packages, "absl_py-2.3.1");
        Files.createDirectories(packages.resolve("ml_dtypes-0.5.3.dist-info"));
        assertThat(InstallWatch.text(order, InstallWatch.installed(packages)))
                .isEqualTo("installing ml_dtypes (3 of 4 packages)");
        installed(packages, "ml_dtypes-0.5.3");
        installed(packages, "tensorflow_cpu-2.21.0");
        assertThat(InstallWatch.text(order, InstallWatch.installed(packages)))
                .isEqualTo("installing tensorflow_cpu (4 of 4 packages)");
    }

    private static void installed(Path packages, String name) throws IOException {
        Files.writeString(
                Files.createDirectories(packages.resolve(name + ".dist-info")).resolve("INSTALLER"), "pip\n");
    }
}
