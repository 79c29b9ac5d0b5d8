package dev.muster.artifacts.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.artifacts.files.Tree;
import dev.muster.artifacts.files.TreeDigest;
import dev.muster.artifacts.files.TreeEntry;
import dev.muster.testkit.Await;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderCodeStoreTest {
    private static final long PLENTY = 1 << 20;

    @TempDir
    Path home;

    private FolderCodeStore store;

    @BeforeEach
    void open() throws IOException {
        store = new FolderCodeStore(home);
    }

    private static TestTar project() {
        return new TestTar()
                .folder("./")
                .file("./train.py", "print('hi')\n")
                .program("./bin/run.sh", "#!/bin/sh\n")
                .folder("./empty/")
                .link("./latest", "bin/run.sh");
    }

    @Test
    void whatIsPutIsCopiedOut() throws IOException {
        String digest = store.put(project().stream(), PLENTY);
        Path copy = home.resolve("copy");
        store.copyTo(digest, copy);

        assertThat(store.has(digest)).isTrue();
        assertThat(copy.resolve("train.py")).hasContent("print('hi')\n");
        assertThat(Files.isExecutable(copy.resolve("bin/run.sh"))).isTrue();
        assertThat(Files.getPosixFilePermissions(copy.resolve("train.py")).toString())
                .doesNotContain("EXECUTE");
        assertThat(copy.resolve("empty")).isEmptyDirectory();
        assertThat(Files.readSymbolicLink(copy.resolve("latest"))).hasToString("bin/run.sh");
    }

    @Test
    void theDigestIsThatOfTheDocumentedForm() throws Exception {
        String digest = store.put(project().stream(), PLENTY);

        String canonical = "muster-tree-1\n"
                + "d 3:bin\n"
                + "x 10:bin/run.sh 10 " + sha256("#!/bin/sh\n") + "\n"
                + "d 5:empty\n"
                + "l 6:latest 10:bin/run.sh\n"
                + "f 8:train.py 12 " + sha256("print('hi')\n") + "\n";
        assertThat(digest).isEqualTo("sha256:" + sha256(canonical));
    }

    @Test
    void theDigestDoesNotDependOnOrderOrOnFoldersBeingListed() throws IOException {
        String listed = store.put(new TestTar().folder("a/").file("a/b", "1").file("c", "2").stream(), PLENTY);
        String implied = store.put(new TestTar().file("c", "2").file("a/b", "1").stream(), PLENTY);
        assertThat(implied).isEqualTo(listed);
    }

    @Test
    void anyDifferenceGivesAnotherDigest() throws IOException {
        List<TestTar> different = List.of(
                new TestTar().file("a", "1"),
                new TestTar().file("a", "2"),
                new TestTar().file("b", "1"),
                new TestTar().program("a", "1"),
                new TestTar().file("a", "1").folder("e"),
                new TestTar().link("a", "1"),
                new TestTar().link("a", "2"),
                new TestTar());
        List<String> digests = new ArrayList<>();
        for (TestTar tar : different) {
            digests.add(store.put(tar.stream(), PLENTY));
        }
        assertThat(digests).doesNotHaveDuplicates();
    }

    @Test
    void aCopyIsWritableAndSharesNothingWithTheStore() throws IOException {
        String digest = store.put(project().stream(), PLENTY);
        Path first = home.resolve("first");
        store.copyTo(digest, first);
        Files.writeString(first.resolve("train.py"), "changed");
        Files.writeString(first.resolve("bin/run.sh"), "changed");
        Path second = home.resolve("second");
        store.copyTo(digest, second);

        assertThat(second.resolve("train.py")).hasContent("print('hi')\n");
        assertThat(Files.getAttribute(second.resolve("train.py"), "unix:nlink")).isEqualTo(1);
    }

    @Test
    void readsLongNamesOfPaxAndGnuAndPrefixes() throws IOException {
        String deep = "d".repeat(120) + "/" + "é".repeat(90) + ".py";
        byte[] prefixed = TestTar.header("tail.py", '0', 0644, 0, "");
        String digest = store.put(
                new TestTar()
                                .pax("path", deep)
                                .file("short", "pax")
                                .longName("gnu/" + "n".repeat(150))
                                .file("cut", "gnu")
                                .raw(prefixed)
                                .stream(),
                PLENTY);
        Path copy = home.resolve("copy");
        store.copyTo(digest, copy);

        assertThat(copy.resolve(deep)).hasContent("pax");
        assertThat(copy.resolve("gnu").resolve("n".repeat(150))).hasContent("gnu");
        assertThat(copy.resolve("tail.py")).exists();
    }

    @Test
    void readsWhatTheSystemsTarWrites() throws Exception {
        Path source = Files.createDirectories(home.resolve("source/sub/" + ("long".repeat(12) + "/").repeat(2)));
        Files.writeString(source.resolve("модель 模型.txt"), "text");
        Files.writeString(home.resolve("source/one"), "1");
        Files.createLink(home.resolve("source/other"), home.resolve("source/one"));
        List<String> digests = new ArrayList<>();
        for (String format : List.of("ustar", "pax", "gnu")) {
            Process tar = new ProcessBuilder(
                            "tar", "-C", home.resolve("source").toString(), "--format=" + format, "-cf", "-", ".")
                    .start();
            digests.add(store.put(tar.getInputStream(), PLENTY));
            assertThat(tar.waitFor()).isZero();
        }
        Path copy = home.resolve("copy");
        store.copyTo(digests.getFirst(), copy);

        assertThat(digests).containsOnly(digests.getFirst());
        assertThat(copy.resolve("sub/" + ("long".repeat(12) + "/").repeat(2) + "/модель 模型.txt"))
                .hasContent("text");
        assertThat(copy.resolve("other")).hasContent("1");
        assertThat(Files.getAttribute(copy.resolve("other"), "unix:nlink")).isEqualTo(1);
    }

    @Test
    void refusesWhateverCouldLeadOut() {
        refused(new TestTar().file("/etc/passwd", "x"), "absolute path");
        refused(new TestTar().file("../x", "x"), "..");
        refused(new TestTar().file("a/../../x", "x"), "..");
        refused(new TestTar().link("a", "/etc/passwd"), "leads out");
        refused(new TestTar().link("a", "../x"), "leads out");
        refused(new TestTar().link("d/a", "../../x"), "leads out");
        refused(new TestTar().link("a", "b").link("b", "a"), "leads out");
        refused(new TestTar().link("a", "").file("b", ""), "leads out");
        // Reads as "d" and is the folder above the top: d/up is the top.
        refused(new TestTar().link("d/up", "..").link("a", "d/up/.."), "leads out");
        refused(new TestTar().folder("real").link("a", "real").file("a/x", "x"), "no folder");
        refused(new TestTar().hardLink("a", "/etc/passwd"), "absolute path");
        refused(new TestTar().hardLink("a", "later").file("later", "x"), "hard link");
        refused(new TestTar().pax("path", "../x").file("a", "x"), "..");
        refused(new TestTar().longName("/x").file("a", "x"), "absolute path");
    }

    @Test
    void keepsLinksThatStayInside() throws IOException {
        String digest = store.put(
                new TestTar()
                                .folder("d")
                                .link("d/up", "../d/x")
                                .link("dangling", "not/there")
                                .link("top", ".")
                                .link("slashes", "d//x/")
                                .stream(),
                PLENTY);
        Path copy = home.resolve("copy");
        store.copyTo(digest, copy);
        assertThat(TreeDigest.of(Tree.read(copy))).isEqualTo(digest);
    }

    @Test
    void refusesDevicesPipesSparseAndUnknownKinds() {
        refused(new TestTar().entry("a", '3', 0644, new byte[0], ""), "device");
        refused(new TestTar().entry("a", '4', 0644, new byte[0], ""), "device");
        refused(new TestTar().entry("a", '6', 0644, new byte[0], ""), "pipe");
        refused(new TestTar().entry("a", 'S', 0644, new byte[0], ""), "unknown kind");
        refused(new TestTar().pax("GNU.sparse.major", "1").file("a", "x"), "sparse");
    }

    @Test
    void refusesDoubleEntries() {
        refused(new TestTar().file("a", "1").file("./a", "2"), "twice");
        refused(new TestTar().file("a", "1").folder("a"), "twice");
        refused(new TestTar().file("a/b", "1").file("a", "2"), "twice");
        refused(new TestTar().file("a", "1").file("a/b", "2"), "no folder");
    }

    @Test
    void refusesWhatIsTooMuch() throws IOException {
        assertThatThrownBy(() -> store.put(new TestTar().file("a", "123456").file("b", "123456").stream(), 10))
                .isInstanceOf(RefusedArchiveException.class)
                .hasMessageContaining("more than 10 bytes")
                .hasMessageContaining(".musterignore");
        store.put(new TestTar().file("a", "12345").file("b", "12345").stream(), 10);
        refused(new TestTar().pax("path", "d/".repeat(70) + "x").file("a", ""), "deeper");
        refused(new TestTar().pax("path", "n".repeat(300)).file("a", ""), "longer than 255");
        refused(new TestTar().pax("path", "a/".repeat(2000) + "x").file("a", ""), "longer than");
        refused(new TestTar().raw(TestTar.header("a", '0', 0644, 1L << 32, "")), "more than");
        refused(new TestTar().raw(TestTar.header("a", 'x', 0644, 1L << 30, "")), "extension header");
        TestTar extensions = new TestTar();
        for (int i = 0; i < 100; i++) {
            extensions.pax("mtime", "1");
        }
        refused(extensions, "in a row");
        assertThatThrownBy(() -> new FolderCodeStore(home, 3)
                        .put(new TestTar().file("a", "").file("b/c", "").file("d", "").stream(), PLENTY))
                .hasMessageContaining("more than 3 entries");
        nothingIsStaged();
    }

    @Test
    void refusesWhatIsCutShortOrNoArchive() throws IOException {
        byte[] whole = project().bytes();
        for (int length : List.of(0, 100, 512, 700, 1024, whole.length - 1024)) {
            InputStream cut = new ByteArrayInputStream(whole, 0, length);
            assertThatThrownBy(() -> store.put(cut, PLENTY)).isInstanceOf(IOException.class);
        }
        byte[] flipped = project().bytes();
        flipped[512] ^= 1;
        assertThatThrownBy(() -> store.put(new ByteArrayInputStream(flipped), PLENTY))
                .isInstanceOf(RefusedArchiveException.class)
                .hasMessageContaining("check sum");
        byte[] noise = "not a tar archive ".repeat(100).getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> store.put(new ByteArrayInputStream(noise), PLENTY))
                .isInstanceOf(RefusedArchiveException.class)
                .hasMessageContaining("no tar archive");
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(project().bytes());
        }
        assertThatThrownBy(() -> store.put(new ByteArrayInputStream(packed.toByteArray()), PLENTY))
                .isInstanceOf(RefusedArchiveException.class)
                .hasMessageContaining("only plain tar is taken");
        nothingIsStaged();
    }

    @Test
    void theSameContentAtTheSameTimeIsStoredOnce() throws Exception {
        FolderCodeStore other = new FolderCodeStore(home);
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<String>> puts = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                FolderCodeStore one = i % 2 == 0 ? store : other;
                puts.add(threads.submit(() -> one.put(project().stream(), PLENTY)));
            }
            for (Future<String> put : puts) {
                assertThat(put.get()).isEqualTo(puts.getFirst().get());
            }
        }
        assertThat(snapshots()).hasSize(1);
        nothingIsStaged();
    }

    @Test
    void removesWhatADeadProcessLeftAndNothingElse() throws Exception {
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        Path staging = home.resolve("store/code/.staging");
        Path left = Files.createDirectories(staging.resolve(dead.pid() + "-1-x/tree"));
        Files.writeString(left.resolve("half"), "x");
        long start = ProcessHandle.current().info().startInstant().orElseThrow().toEpochMilli();
        Path own =
                Files.createDirectories(staging.resolve(ProcessHandle.current().pid() + "-" + start + "-y/tree"));
        Path otherStart =
                Files.createDirectories(staging.resolve(ProcessHandle.current().pid() + "-5-z/tree"));

        new FolderCodeStore(home);

        assertThat(left).doesNotExist();
        assertThat(otherStart).doesNotExist();
        assertThat(own).exists();
    }

    @Test
    void killedInTheMiddleOfAnArchiveItLeavesNothingVisible() throws Exception {
        byte[] archive = project().bytes();
        Process service = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        PutsCode.class.getName(),
                        home.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        service.getOutputStream().write(archive, 0, archive.length - 2048);
        service.getOutputStream().flush();
        Path staging = home.resolve("store/code/.staging");
        Await.until("something is unpacked", Duration.ofSeconds(30), () -> {
            try (Stream<Path> all = Files.walk(staging)) {
                return all.anyMatch(path -> path.endsWith("train.py"));
            }
        });
        new FolderCodeStore(home);
        assertThat(staging).as("what a living service makes stays").isNotEmptyDirectory();
        service.destroyForcibly().waitFor();

        FolderCodeStore after = new FolderCodeStore(home);
        assertThat(snapshots()).isEmpty();
        nothingIsStaged();
        assertThat(after.has(after.put(project().stream(), PLENTY))).isTrue();
    }

    @Test
    void copiesOnlyWhatItHasAndOnlyIntoAnEmptyFolder() throws IOException {
        String digest = store.put(project().stream(), PLENTY);
        Path full = Files.createDirectories(home.resolve("full"));
        Files.writeString(full.resolve("own"), "mine");

        assertThatThrownBy(() -> store.copyTo(digest, full)).hasMessageContaining("new or empty");
        assertThat(full.resolve("own")).hasContent("mine");
        String unknown = TreeDigest.of(List.of(new TreeEntry.Folder("x")));
        assertThatThrownBy(() -> store.copyTo(unknown, home.resolve("c"))).hasMessageContaining(unknown);
        assertThat(store.has(unknown)).isFalse();
        assertThat(store.has("sha256:../../..")).isFalse();
    }

    private void refused(TestTar tar, String why) {
        assertThatThrownBy(() -> store.put(tar.stream(), PLENTY))
                .isInstanceOf(RefusedArchiveException.class)
                .hasMessageContaining(why);
        nothingIsStaged();
    }

    private void nothingIsStaged() {
        assertThat(home.resolve("store/code/.staging")).isEmptyDirectory();
    }

    private List<Path> snapshots() throws IOException {
        try (Stream<Path> all = Files.list(home.resolve("store/code"))) {
            return all.filter(path -> !path.getFileName().toString().startsWith("."))
                    .toList();
        }
    }

    private static String sha256(String text) throws Exception {
        return HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    }
}
