package dev.muster.cli.doctor;

import dev.muster.cli.base.Surroundings;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Programs that Muster or a training needs. */
final class ProgramChecks {
    private static final int OLDEST_JAVA = 25;

    private final Surroundings surroundings;

    ProgramChecks(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    List<Finding> look() {
        return List.of(
                system(),
                java(),
                python(),
                needed("setsid"),
                needed("env"),
                optional(
                        "perl",
                        "without control groups, orphans of a process stay with its job",
                        "without control groups, a process that leaves its session and its parent may outlive its job"
                                + " (python3 does as well)",
                        "apt-get install perl"),
                optional(
                        "bash",
                        "a command given as text runs under bash -o pipefail",
                        "a command given as text runs under sh: a failure inside a pipe is not seen",
                        "apt-get install bash"),
                optional(
                        "py-spy",
                        "of a group that does not go on, it is told where in their code its Python processes are",
                        "of a group that does not go on, it is told what its Python processes wait in inside the kernel,"
                                + " but not where in their code, unless a job's environment brings py-spy or its"
                                + " script calls muster.report() or muster.stacks_on_signal()",
                        "pip install py-spy (or pipx install py-spy) onto the PATH of the service, or add py-spy to"
                                + " the job's requirements; for containers, to their image"),
                gpus());
    }

    private static Finding system() {
        String name = System.getProperty("os.name", "unknown");
        String detail = name + " " + System.getProperty("os.version", "") + " " + System.getProperty("os.arch", "");
        return name.equals("Linux")
                ? Finding.ok("system", detail)
                : Finding.limited(
                        "system",
                        detail
                                + ": only Linux is supported; elsewhere limits of memory and cpus, the end of a whole process"
                                + " tree and the recognition of a process after a restart are not guaranteed",
                        "run the service on Linux and use --server from here");
    }

    private Finding java() {
        String detail = Runtime.version() + " at " + System.getProperty("java.home", "unknown");
        return Runtime.version().feature() >= OLDEST_JAVA
                ? Finding.ok("java", detail)
                : Finding.missing("java", detail + " is too old", "install a JDK " + OLDEST_JAVA + " or later");
    }

    private Finding python() {
        Optional<Path> python = surroundings.program("python3");
        if (python.isEmpty()) {
            return Finding.missing(
                    "python",
                    "there is no python3 on PATH: training in Python does not run",
                    "apt-get install python3 python3-venv");
        }
        String path = python.get().toString();
        Optional<String> version = Probe.output(List.of(path, "-c", "import sys; print(sys.version.split()[0])"));
        if (version.isEmpty()) {
            return Finding.missing("python", path + " does not run", "repair it, or put another python3 first on PATH");
        }
        boolean environments =
                Probe.output(List.of(path, "-c", "import venv, ensurepip")).isPresent();
        return environments
                ? Finding.ok("python", version.get() + " at " + path + ", with venv")
                : Finding.missing(
                        "python",
                        version.get() + " at " + path + ", without venv: a job with `requirements` does not run",
                        "apt-get install python3-venv");
    }

    private Finding needed(String name) {
        Optional<Path> path = surroundings.program(name);
        return path.isPresent()
                ? Finding.ok(name, path.get().toString())
                : Finding.missing(
                        name, "not on PATH: processes cannot be started", "apt-get install util-linux coreutils");
    }

    private Finding optional(String name, String good, String bad, String fix) {
        Optional<Path> path = surroundings.program(name);
        return path.isPresent()
                ? Finding.ok(name, path.get() + ": " + good)
                : Finding.limited(name, "not on PATH: " + bad, fix);
    }

    private Finding gpus() {
        Optional<String> declared = surroundings.variable("MUSTER_GPUS");
        if (declared.isPresent()) {
            return Finding.ok("gpus", "MUSTER_GPUS declares " + declared.get());
        }
        Optional<Path> tool = surroundings.program("nvidia-smi");
        Optional<String> list = tool.flatMap(path -> Probe.output(List.of(path.toString(), "-L")));
        return Finding.ok(
                "gpus",
                list.isEmpty()
                        ? "none (no nvidia-smi that answers)"
                        : list.get().replace("\n", "; "));
    }
}
