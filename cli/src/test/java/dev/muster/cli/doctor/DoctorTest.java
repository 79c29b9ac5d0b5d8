package dev.muster.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
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
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
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
        assertThat(find(findings, "py-spy").state()).isEqualTo(Finding.State.LIMITED);
        assertThat(find(findings, "py-spy").detail()).startsWith("not on PATH: of a group that does not go on");
        assertThat(find(findings, "py-spy").fix().orElseThrow()).startsWith("pip install py-spy");
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
    void dockerdIsToldWithItsVersionAsNotSetOrAsNotAnswering() throws IOException {
        Path socket = folder.resolve("d.sock");
        assertThat(new DockerCheck(surroundings(Map.of()), socket).look())
                .isEqualTo(Finding.none(
                        "docker",
                        "DOCKER_HOST is not set and there is no " + socket + ": jobs of backend docker are refused"));
        Surroundings set = surroundings(Map.of("DOCKER_HOST", "unix://" + socket));
        Finding away = new DockerCheck(set, folder.resolve("none")).look();
        assertThat(away.state()).isEqualTo(Finding.State.LIMITED);
        assertThat(away.detail()).startsWith("unix://" + socket + " does not answer (");
        try (ServerSocketChannel dockerd = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dockerd.bind(UnixDomainSocketAddress.of(socket));
            Thread.startVirtualThread(() -> answer(dockerd));
            assertThat(new DockerCheck(set, folder.resolve("none")).look())
                    .isEqualTo(Finding.ok("docker", "dockerd 29.1.0 answers at unix://" + socket));
        }
    }

    private static void answer(ServerSocketChannel dockerd) {
        try (SocketChannel channel = dockerd.accept()) {
            channel.read(ByteBuffer.allocate(1_000));
            channel.write(ByteBuffer.wrap("HTTP/1.0 200 OK\r\n\r\n{\"Platform\":{},\"Version\":\"29.1.0\"}"
                    .getBytes(StandardCharsets.US_ASCII)));
        } catch (IOException over) {
            throw new UncheckedIOException(over);
        }
    }

    @Test
    void theClusterIsToldWithItsVersionAsNotSetOrAsNotAnswering() throws IOException {
        Finding none = new ClusterCheck(surroundings(Map.of("HOME", folder.toString()))).look();
        assertThat(none.state()).isEqualTo(Finding.State.NONE);
        assertThat(none.detail()).startsWith("KUBECONFIG is not set and there is no " + folder.resolve(".kube/config"));
        Map<String, String> set = Map.of("KUBECONFIG", "kube.conf");
        Finding gone = new ClusterCheck(surroundings(set)).look();
        assertThat(gone.state()).isEqualTo(Finding.State.LIMITED);
        assertThat(gone.detail()).startsWith("KUBECONFIG names kube.conf, and there is no such file");
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/version", exchange -> {
            byte[] body = "{\"major\": \"1\", \"gitVersion\": \"v1.35.2\"}".getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        String address = "http://127.0.0.1:" + server.getAddress().getPort();
        file("kube.conf", """
                apiVersion: v1
                clusters:
                - cluster:
                    server: https://127.0.0.1:1
                  name: other
                - cluster:
                    certificate-authority-data: QUJD
                    server: %s
                  name: this
                contexts:
                - context:
                    cluster: other
                    user: u
                  name: there
                - context:
                    cluster: this
                    user: u
                  name: here
                current-context: here
                kind: Config
                """.formatted(address));
        assertThat(new ClusterCheck(surroundings(set)).look())
                .isEqualTo(Finding.ok(
                        "cluster", "Kubernetes v1.35.2 answers at " + address + ", by " + folder.resolve("kube.conf")));
        server.stop(0);
        Finding away = new ClusterCheck(surroundings(set)).look();
        assertThat(away.state()).isEqualTo(Finding.State.LIMITED);
        assertThat(away.detail()).startsWith(address + " of " + folder.resolve("kube.conf") + " does not answer (");
        file("kube.conf", "clusters: [{name: it, cluster: {server: \"\"}}]\ncurrent-context: it\n");
        assertThat(new ClusterCheck(surroundings(set)).look().detail()).contains("names no `server`");
    }

    @Test
    void theCommandShowsALineEachAndStartsNoService() {
        Cli cli = new Cli(folder);
        assertThat(cli.run("doctor")).isEqualTo(ExitCode.DONE);
        assertThat(cli.out())
                .contains("service     none runs")
                .contains("docker ", "cluster ")
                .contains("java")
                .contains("ports");
        assertThat(cli.out().lines()).anyMatch(line -> line.startsWith("none     cluster     KUBECONFIG is not set"));
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
