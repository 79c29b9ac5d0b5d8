package dev.muster.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.Called;
import dev.muster.api.ProblemDocument;
import dev.muster.api.ProblemType;
import dev.muster.api.ServiceDocument;
import dev.muster.cli.Cli;
import dev.muster.cli.FakeService;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.base.Surroundings;
import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorTest {
    @TempDir
    private Path folder;

    private void file(String path, String text) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private Surroundings surroundings(Map<String, String> variables) {
        return new Surroundings(
                variables,
                folder,
                new Surroundings.Application(Optional.empty(), Optional.empty(), "b", Called.MUSTER));
    }

    private static Finding find(List<Finding> findings, String name) {
        return findings.stream()
                .filter(finding -> finding.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void version1WithItsControllersIsSeen() throws IOException {
        file("proc/self/cgroup", "4:memory:/x\n3:cpu,cpuacct:/x\n2:freezer:/x\n");
        StringBuilder mounts = new StringBuilder("proc /proc proc rw 0 0\n");
        for (String controller : List.of("memory", "cpu,cpuacct", "freezer")) {
            String point = "/sys/fs/cgroup/" + controller;
            Files.createDirectories(folder.resolve(point.substring(1)));
            mounts.append("cgroup ")
                    .append(point)
                    .append(" cgroup rw,")
                    .append(controller)
                    .append(" 0 0\n");
        }
        file("proc/self/mounts", mounts.toString());
        assertThat(new CgroupCheck(folder).look())
                .isEqualTo(Finding.ok("cgroup", "version 1, with freezer, memory and cpu"));
        file("proc/self/mounts", mounts.toString().replace("rw,freezer", "rw,net"));
        Finding without = new CgroupCheck(folder).look();
        assertThat(without.state()).isEqualTo(Finding.State.LIMITED);
        assertThat(without.detail()).contains("without freezer").doesNotContain("refused");
        file("proc/self/mounts", mounts.toString().replace("rw,memory", "rw,net"));
        assertThat(new CgroupCheck(folder).look().detail())
                .isEqualTo("version 1, without memory: jobs that ask for memory are refused on backend local");
    }

    @Test
    void version2IsSeenWhereAGroupCanBeMade() throws IOException {
        file("proc/self/mounts", "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n");
        file("proc/self/cgroup", "0::/user/me/scope\n");
        Files.createDirectories(folder.resolve("sys/fs/cgroup/user/me/scope"));
        assertThat(new CgroupCheck(folder).look().detail())
                .contains("version 2")
                .contains("are refused");
        for (String name : List.of("cgroup.procs", "cgroup.subtree_control")) {
            file("sys/fs/cgroup/user/me/" + name, "");
        }
        file("sys/fs/cgroup/user/me/cgroup.controllers", "cpu memory pids\n");
        assertThat(new CgroupCheck(folder).look().detail()).contains("below").contains("user/me, with memory and cpu");
    }

    @Test
    void whereThereIsNoControlGroupWhatIsLackingIsSaid() {
        Finding finding = new CgroupCheck(folder).look();
        assertThat(finding.state()).isEqualTo(Finding.State.LIMITED);
        assertThat(finding.detail()).contains("jobs that ask for memory or cpus are refused on backend local");
        assertThat(finding.fix()).isPresent();
    }

    @Test
    void whatIsNotOnPathIsMissingWithWhatToDo() {
        List<Finding> findings = new ProgramChecks(surroundings(Map.of("PATH", folder.toString()))).look();
        assertThat(find(findings, "python").state()).isEqualTo(Finding.State.MISSING);
        assertThat(find(findings, "python").fix()).contains("apt-get install python3 python3-venv");
        assertThat(find(findings, "setsid").state()).isEqualTo(Finding.State.MISSING);
        assertThat(find(findings, "bash").state()).isEqualTo(Finding.State.LIMITED);
    }

    @Test
    void aHomeThatOthersMayReadIsToldWithTheCommandThatMendsIt() throws IOException {
        Path home = Files.createDirectory(folder.resolve("home"));
        Map<String, String> variables = Map.of("MUSTER_HOME", home.toString());
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
        Finding open = find(new PlaceChecks(surroundings(variables)).look(), "home");
        assertThat(open.state()).isEqualTo(Finding.State.LIMITED);
        assertThat(open.fix()).contains("chmod 700 " + home);
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwx------"));
        assertThat(find(new PlaceChecks(surroundings(variables)).look(), "home").state())
                .isEqualTo(Finding.State.OK);
    }

    @Test
    void theCommandShowsALineEachAndStartsNoService() {
        Cli cli = new Cli(folder);
        assertThat(cli.run("doctor")).isEqualTo(ExitCode.DONE);
        assertThat(cli.out()).contains("service     none runs").contains("java").contains("ports");
        assertThat(cli.run("doctor -o json")).isEqualTo(ExitCode.DONE);
        JsonFields page = (JsonFields) Json.parse(cli.out());
        assertThat(page.list("items", JsonFields::values))
                .isNotEmpty()
                .allSatisfy(item -> assertThat(item.keySet()).isEqualTo(Set.of("name", "state", "detail", "fix")));
        assertThat(folder.resolve("home")).doesNotExist();
    }

    @Test
    void aServiceElsewhereIsAskedAndNotBeingReachedIsToldWithWhatToDo() throws IOException {
        Cli cli = new Cli(folder);
        try (FakeService service = new FakeService()) {
            service.on(
                    "GET /service",
                    200,
                    new ServiceDocument(true, OptionalLong.of(7), Optional.of("https://x"), Optional.of("b77")));
            cli.to(service).run("doctor");
            assertThat(cli.out().lines())
                    .anyMatch(line -> line.startsWith(
                            "ok       server      " + service.address() + " answers, build b77; jobs run there"));
            service.on("GET /service", 401, ProblemDocument.of(ProblemType.UNAUTHORIZED, "which token?"));
            cli.run("doctor");
            assertThat(cli.out()).contains("missing  server      which token?").contains("fix: export MUSTER_TOKEN=");
        }
        assertThat(cli.run("doctor")).isEqualTo(ExitCode.DONE);
        assertThat(cli.out())
                .contains("missing  server      the service at http://127.0.0.1:")
                .contains("fix: correct MUSTER_SERVER");
    }
}
