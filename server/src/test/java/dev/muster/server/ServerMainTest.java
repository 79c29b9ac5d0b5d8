package dev.muster.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.ProblemDocument;
import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import dev.muster.server.ServerProcess.Said;
import dev.muster.server.home.MusterHome;
import dev.muster.testkit.PostgresServer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A service for several people: its command, its configuration, its tokens. */
@Timeout(300)
class ServerMainTest {
    @TempDir
    private Path folder;

    private Path config;

    @BeforeEach
    void place() {
        config = folder.resolve("muster.yaml");
    }

    @Test
    void a18_aStopLeavesWorkersAloneAndTheNextServiceGoesOnOverTls() throws Exception {
        Certificates tls = Certificates.make(folder, "muster", "EC");
        Files.writeString(config, """
                home: home
                listen: 127.0.0.1:0
                tls: {certificate: muster.crt, key: muster.key}
                tokens: tokens.json
                capacity: {processes: 4}
                """);
        String token = create("--name", "ann", "--scope", "read", "--scope", "submit");
        String id;
        long pid;
        try (ServerProcess first = ServerProcess.start(config, trusting(tls))) {
            assertThat(first.address).startsWith("https://127.0.0.1:");
            HttpResponse<String> answer = first.ask(token, "POST", "/v1/jobs", job("goes", "exec sleep 600"));
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
            id = Served.json(answer).text("id");
            Served.until(() -> first.job(token, id).text("state").equals("Running"));
            pid = first.job(token, id)
                    .list("processes", each -> each)
                    .getFirst()
                    .integer("pid");
            assertThat(first.seenInProc())
                    .allSatisfy(file -> assertThat(Files.readString(file)).doesNotContain(token));
            assertThat(first.terminate()).isEqualTo(143);
            assertThat(first.text())
                    .contains("stopped")
                    .doesNotContain("WARNING")
                    .doesNotContain(token);
        }
        assertThat(Path.of("/proc", Long.toString(pid))).exists();
        try (ServerProcess next = ServerProcess.start(config, trusting(tls))) {
            JsonFields still = next.job(token, id);
            assertThat(still.text("state")).isEqualTo("Running");
            assertThat(still.list("processes", each -> each).getFirst().integer("pid"))
                    .isEqualTo(pid);
            assertThat(still.text("owner")).isEqualTo("ann");
            next.ask(token, "POST", "/v1/jobs/" + id + "/cancel", "");
            Served.until(() -> next.job(token, id).text("state").equals("Cancelled"));
            assertThat(next.ask(token, "POST", "/v1/service/stop", "").statusCode())
                    .isEqualTo(403);
        }
        List<String> audit = Files.readAllLines(folder.resolve("home/logs/audit.jsonl"));
        assertThat(audit.stream().map(line -> (JsonFields) Json.parse(line)))
                .extracting(line -> line.text("user") + " " + line.text("action") + " " + line.text("subject") + " "
                        + line.text("outcome"))
                .containsExactly(
                        "ann POST /v1/jobs " + id + " done",
                        "ann POST /v1/jobs/{job}/cancel " + id + " done",
                        "ann POST /v1/service/stop /v1/service/stop refused");
        try (Stream<Path> home = Files.walk(folder.resolve("home"))) {
            assertThat(home.filter(Files::isRegularFile))
                    .allSatisfy(file ->
                            assertThat(new String(Files.readAllBytes(file))).doesNotContain(token));
        }
    }

    @Test
    void jobsMayBeKeptInPostgresqlAndASecretIsNowhereInItsDump() throws Exception {
        try (PostgresServer database = PostgresServer.start()) {
            Files.writeString(config, """
                    home: home
                    listen: 127.0.0.1:0
                    tokens: tokens.json
                    host: here
                    store: {postgresql: {url: "%s", user: muster}}
                    """.formatted(database.url("postgres")));
            String token = create("--name", "ann");
            String id;
            try (ServerProcess first = ServerProcess.start(config, HttpClient.newHttpClient())) {
                String text =
                        "{\"name\":\"kept\",\"framework\":\"plain\",\"grace\":\"1s\",\"secrets\":{\"T\":{\"env\":\"T\"}},"
                                + "\"command\":[\"sh\",\"-c\",\"exec sleep 600\"]}";
                String body =
                        Served.jobRequest(text).toString().replaceFirst("}$", ",\"secrets\":{\"T\":\"s3cr3tXYZ\"}}");
                HttpResponse<String> answer = first.ask(token, "POST", "/v1/jobs", body);
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
                id = Served.json(answer).text("id");
                Served.until(() -> first.job(token, id).text("state").equals("Running"));
                assertThat(first.text()).doesNotContain("s3cr3tXYZ", token);
                first.terminate();
            }
            assertThat(database.find("s3cr3tXYZ")).isEmpty();
            assertThat(database.find("kept")).isNotEmpty();
            try (ServerProcess next = ServerProcess.start(config, HttpClient.newHttpClient())) {
                assertThat(next.job(token, id).text("state")).isEqualTo("Running");
                next.ask(token, "POST", "/v1/jobs/" + id + "/cancel", "");
                Served.until(() -> next.job(token, id).text("state").equals("Cancelled"));
            }
        }
    }

    @Test
    void aDatabaseThatCannotBeUsedIsToldByTheCheckAndPlainlyByTheStart() throws Exception {
        try (PostgresServer database = PostgresServer.start()) {
            String right =
                    "home: home\nlisten: 127.0.0.1:0\nhost: here\nstore: {postgresql: {url: \"%s\", user: muster, keyFile: %s}}\n"
                            .formatted(database.url("postgres"), "one.key");
            Files.writeString(config, right.replace("/postgres\"", "/nosuch\""));
            assertThat(say("--check").err())
                    .contains("store.postgresql: ", "does not exist", "see its url, user and password");
            assertThat(say().code()).isEqualTo(6);
            Files.writeString(config, right);
            assertThat(say("--check").err()).as("a new database").isEmpty();
            assertThat(folder.resolve("one.key")).doesNotExist();
            try (ServerProcess _ = ServerProcess.start(config, HttpClient.newHttpClient())) {
                Files.writeString(config, right.replace("one.key", "none.key").replace("home: home", "home: other"));
                assertThat(say("--check").err()).contains("there is no key in " + folder.resolve("none.key"));
                Said start = say();
                assertThat(start.code()).isEqualTo(6);
                assertThat(start.err()).contains("copy the key file").doesNotContain("Exception", "\tat ");
            }
            database.kill();
            assertThat(say("--check").code()).isEqualTo(2);
            assertThat(say("--check").err()).contains("store.postgresql: ", "is not reached");
            Said start = say();
            assertThat(start.code()).isEqualTo(4);
            assertThat(start.err()).contains("could not start: the database", "is not reached");
            database.restart();
        }
    }

    @Test
    void whileItsDatabaseIsAwayItSaysSoAndIsNotReady() throws Exception {
        try (PostgresServer database = PostgresServer.start()) {
            Files.writeString(config, """
                    home: home
                    listen: 127.0.0.1:0
                    tokens: tokens.json
                    host: here
                    store: {postgresql: {url: "%s", user: muster}}
                    """.formatted(database.url("postgres")));
            String token = create("--name", "ann");
            try (ServerProcess service = ServerProcess.start(config, HttpClient.newHttpClient())) {
                assertThat(service.ask(token, "GET", "/v1/ready", "").statusCode())
                        .isEqualTo(204);
                database.kill();
                for (String path : List.of("/v1/ready", "/v1/jobs", "/v1/jobs/any")) {
                    HttpResponse<String> answer = service.ask(token, "GET", path, "");
                    assertThat(answer.statusCode()).as(path).isEqualTo(503);
                    assertThat(ProblemDocument.of(Served.json(answer)).detail())
                            .contains("is not reached")
                            .contains("try again once it is");
                }
                assertThat(service.ask(token, "POST", "/v1/jobs", job("late", "true"))
                                .statusCode())
                        .isEqualTo(503);
                assertThat(service.ask(token, "GET", "/v1/health", "").statusCode())
                        .isEqualTo(204);
                database.restart();
                Served.until(() -> service.ask(token, "GET", "/v1/ready", "").statusCode() == 204);
                assertThat(service.ask(token, "POST", "/v1/jobs", job("now", "true"))
                                .statusCode())
                        .isEqualTo(201);
            }
        }
    }

    @Test
    void aTokenIsShownOnceAndListedWithoutWhatLetsIn() throws Exception {
        Files.writeString(config, "home: home\ntokens: tokens.json\n");
        String token = create("--name", "ci", "--user", "ann", "--project", "vision", "--expires", "90d");
        assertThat(token).hasSizeGreaterThan(43);
        assertThat(create("--name", "laptop", "--user", "ann")).isNotEqualTo(token);
        Said list = ServerProcess.say("token", "list", "--config", config.toString());
        assertThat(list.out())
                .contains("ci", "ann", "vision", "read,submit", "expires ")
                .doesNotContain(token);
        assertThat(say("token", "create", "--name", "ci").code()).isEqualTo(6);
        assertThat(say("token", "create", "--name", "a/b").err()).contains("--name");
        assertThat(say("token", "create", "--name", "x", "--scope", "root").code())
                .isEqualTo(2);
        assertThat(say("token", "create", "--name", "x", "--expires", "soon").code())
                .isEqualTo(2);
        assertThat(say("token", "revoke", "--name", "none").code()).isEqualTo(5);
        assertThat(say("token", "revoke", "--name", "ci").code()).isZero();
        assertThat(say("token", "list", "-o", "json").out())
                .contains("\"revokedAt\":\"2")
                .doesNotContain("digest");
    }

    @Test
    void everyProblemOfTheConfigurationIsToldAtOnce() throws Exception {
        Files.writeString(config, "hom: x\nlisten: 0.0.0.0:1\n");
        Said said = say("--check");
        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("hom: is not a field here (home)", "home: ", "tls: ", "tokens: ", "url: ");
        JsonFields document =
                (JsonFields) Json.parse(say("--check", "-o", "json").err());
        assertThat(ProblemDocument.of(document).problems()).hasSize(5);
        assertThat(say("--chekc").code()).isEqualTo(2);
        assertThat(ServerProcess.say().err()).contains("--config FILE is needed");
        assertThat(ServerProcess.say("--config", folder.resolve("none").toString())
                        .err())
                .contains("is not there")
                .doesNotContain("Exception");
    }

    @Test
    void whatIsWrongWithFilesIsToldAtOnceToo() throws Exception {
        Certificates right = Certificates.make(folder, "right", "RSA");
        Certificates other = Certificates.make(folder, "other", "RSA");
        Files.writeString(config, """
                home: home
                tls: {certificate: right.crt, key: other.key}
                tokens: none.json
                store: {postgresql: {url: "jdbc:postgresql://db/m", user: m, passwordFile: password}}
                """);
        assertThat(say("--check").err())
                .contains("other.key is not the key of the first certificate")
                .contains("there is no file " + folder.resolve("none.json"))
                .contains("there is no file " + folder.resolve("password"));
        Files.writeString(config, "home: home\ntls: {certificate: right.key, key: right.crt}\n");
        assertThat(say("--check").err()).contains("no certificate in PEM", "no private key in PEM");
        Files.writeString(config, "home: home\ntls: {certificate: right.crt, key: right.key}\n");
        assertThat(say("--check").out()).contains("is right");
        assertThat(right.key()).isNotEqualTo(other.key());
    }

    @Test
    void whatBackendsLackIsToldBeforeAJobAsksForThem() throws Exception {
        Files.writeString(config, """
                home: home
                listen: 127.0.0.1:0
                backends: {kubernetes: {kubeconfig: kube.conf}}
                """);
        for (Said said : List.of(say("--check"), say())) {
            assertThat(said.code()).isEqualTo(2);
            assertThat(said.err())
                    .contains("backends.kubernetes.kubeconfig: there is no file " + folder.resolve("kube.conf"));
        }
        Files.writeString(folder.resolve("kube.conf"), """
                apiVersion: v1
                kind: Config
                clusters: [{name: it, cluster: {server: "http://127.0.0.1:1"}}]
                users: [{name: it, user: {token: t}}]
                contexts: [{name: it, context: {cluster: it, user: it}}]
                current-context: it
                """);
        Files.writeString(config, """
                home: home
                listen: 127.0.0.1:0
                backends: {docker: {host: "unix:///nowhere/docker.sock"}, kubernetes: {kubeconfig: kube.conf}}
                """);
        Said said = say("--check");
        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err())
                .contains("backends.docker.host: there is no socket /nowhere/docker.sock")
                .contains("backends.kubernetes: the cluster at http://127.0.0.1:1/ was asked for a sign of life")
                .contains("cannot be reached");
    }

    @Test
    void oneThatCannotListenSaysWhyAndLetsGoOfItsHome() throws Exception {
        try (ServerSocket another = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Files.writeString(config, "home: home\nlisten: 127.0.0.1:" + another.getLocalPort() + "\n");
            for (Said said : List.of(say(), say("--check"))) {
                assertThat(said.err())
                        .contains("listen: 127.0.0.1:" + another.getLocalPort() + " is in use by another program")
                        .doesNotContain("Exception");
            }
            assertThat(say().code()).isEqualTo(6);
            assertThat(say("--check").code()).isEqualTo(2);
        }
        Files.writeString(
                config,
                "home: home\nlisten: 203.0.113.7:8470\n"
                        + "tls: {certificate: muster.crt, key: muster.key}\ntokens: tokens.json\nurl: https://here:8470\n");
        Certificates.make(folder, "muster", "EC");
        create("--name", "ann");
        assertThat(say().code()).isEqualTo(6);
        assertThat(say().err()).contains("203.0.113.7 is no address of this machine");
        assertThat(say("--check").err()).contains("203.0.113.7 is no address of this machine");
        assertThat(MusterHome.isHeld(folder.resolve("home"))).isFalse();
    }

    @Test
    void aConfigurationIsRightWhileItsOwnServiceListens() throws Exception {
        Files.writeString(config, "home: home\nlisten: 127.0.0.1:0\n");
        try (ServerProcess server = ServerProcess.start(config, HttpClient.newHttpClient())) {
            String listen = URI.create(server.address).getRawAuthority();
            assertThat(Files.readString(folder.resolve("home/shared.url")).strip())
                    .isEqualTo(server.address);
            Files.writeString(config, "home: home\nlisten: " + listen + "\n");
            assertThat(say("--check").err()).isEmpty();
            assertThat(say().err()).contains("A service is running in " + folder.resolve("home"));
        }
    }

    @Test
    void backendLocalIsRefusedForSeveralUsers() throws Exception {
        Files.writeString(config, "home: home\nlisten: 127.0.0.1:0\ntokens: tokens.json\n");
        String ann = create("--name", "ann");
        try (ServerProcess server = ServerProcess.start(config, HttpClient.newHttpClient())) {
            assertThat(say("token", "create", "--name", "bob").err())
                    .contains("Warning: jobs of backend local are refused from now on")
                    .contains("(ann, bob)");
            Served.until(() -> {
                HttpResponse<String> answer = server.ask(ann, "POST", "/v1/jobs", job("x", "true"));
                return answer.statusCode() == 400 && answer.body().contains("several users");
            });
        }
        assertThat(say("--check").err()).contains("local runs every process as the user of the service");
        Files.writeString(config, Files.readString(config) + "backends: {docker: {}}\n");
        assertThat(say("--check").code()).isZero();
        assertThat(say("token", "create", "--name", "eve").err()).doesNotContain("Warning");
    }

    /** Takes root, as the service does; without, it is refused for that. */
    @Test
    void mappedUsersShareBackendLocalAndOthersAreRefused() throws Exception {
        Files.writeString(config, """
                home: home
                listen: 127.0.0.1:0
                tokens: tokens.json
                backends: {local: {runAs: {ann: "61234", bob: "61235"}}}
                """);
        String ann = create("--name", "ann");
        String bob = create("--name", "bob");
        assertThat(say("token", "create", "--name", "eve").err()).contains("backends.local.runAs does not map eve");
        assertThat(say("--check").err()).contains("backends.local.runAs", "lets nobody through");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
        if (!Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0)) {
            assertThat(say("--check").err()).contains("the service must run as root");
            return;
        }
        String eve = create("--name", "eve-too", "--user", "eve");
        try (ServerProcess server = ServerProcess.start(config, HttpClient.newHttpClient())) {
            HttpResponse<String> refused = server.ask(eve, "POST", "/v1/jobs", job("x", "true"));
            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(refused.body()).contains("\"field\":\"backend\"", "backends.local.runAs does not map eve");
            String python = job("x", "true")
                    .replace(
                            "\\\"grace",
                            "\\\"environment\\\":{\\\"python\\\":{}},\\\"checkpoints\\\":{\\\"keep\\\":1},\\\"grace");
            assertThat(server.ask(ann, "POST", "/v1/jobs", python).body())
                    .contains("\"environment.python\"", "\"checkpoints.keep\"");
            String train =
                    "id -u >\"$MUSTER_MODEL_DIR/uid\"; mkdir \"$MUSTER_CHECKPOINT_DIR/step-1\"; echo \"I am $(id -u)\"";
            String text =
                    Served.shell("trains", train).replace("\"command\"", "\"model\":{\"name\":\"m\"},\"command\"");
            for (Map.Entry<String, String> user :
                    Map.of(ann, "61234", bob, "61235").entrySet()) {
                HttpResponse<String> answer = server.ask(
                        user.getKey(),
                        "POST",
                        "/v1/jobs",
                        Served.jobRequest(text).toString());
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
                String id = Served.json(answer).text("id");
                Served.until(() -> server.job(user.getKey(), id).text("state").matches("Succeeded|Failed"));
                assertThat(server.job(user.getKey(), id).text("state"))
                        .as(server.get(user.getKey(), "/v1/jobs/" + id).body())
                        .isEqualTo("Succeeded");
                assertThat(server.get(user.getKey(), "/v1/jobs/" + id + "/logs").body())
                        .contains("I am " + user.getValue());
                assertThat(server.get(user.getKey(), "/v1/jobs/" + id + "/plan").body())
                        .contains("\"USER\":\"" + user.getValue() + "\"");
            }
            assertThat(server.get(ann, "/v1/models/m/versions/latest/files").statusCode())
                    .isEqualTo(200);
        }
    }

    private String create(String... more) {
        Said said = ServerProcess.say(
                Stream.concat(Stream.of("token", "create", "--config", config.toString()), Stream.of(more))
                        .toArray(String[]::new));
        assertThat(said.code()).as(said.err()).isZero();
        return said.out().strip();
    }

    private Said say(String... words) {
        return ServerProcess.say(Stream.concat(Stream.of(words), Stream.of("--config", config.toString()))
                .toArray(String[]::new));
    }

    private static HttpClient trusting(Certificates tls) {
        return HttpClient.newBuilder().sslContext(tls.trusting()).build();
    }

    private static String job(String name, String command) {
        return Served.jobRequest(Served.shell(name, command)).toString();
    }
}
