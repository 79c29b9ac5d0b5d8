package dev.muster.formats.tar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TarTest {
    private static final Instant TIME = Instant.parse("2026-01-02T03:04:05Z");

    @TempDir
    private Path folder;

    private record Part(TarEntry entry, String content) {}

    private static byte[] written(List<Part> parts) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        TarWriter tar = new TarWriter(out);
        for (Part part : parts) {
            tar.write(part.entry(), new ByteArrayInputStream(part.content().getBytes(StandardCharsets.UTF_8)));
        }
        tar.end();
        assertThat(parts.stream()
                                .mapToLong(part -> TarWriter.lengthOf(part.entry()))
                                .sum()
                        + TarWriter.END)
                .as("the length that is told before")
                .isEqualTo(out.size());
        return out.toByteArray();
    }

    private static List<Part> read(byte[] archive) throws IOException {
        TarReader tar = new TarReader(new ByteArrayInputStream(archive), CodingErrorAction.REPORT);
        List<Part> parts = new ArrayList<>();
        for (Optional<TarEntry> entry = tar.next(); entry.isPresent(); entry = tar.next()) {
            parts.add(new Part(entry.get(), new String(tar.content().readAllBytes(), StandardCharsets.UTF_8)));
        }
        return parts;
    }

    private static Part file(String name, String content) {
        int size = content.getBytes(StandardCharsets.UTF_8).length;
        return new Part(TarEntry.file(name, 0644, size, TIME), content);
    }

    private static TarEntry only(byte[] archive, CodingErrorAction malformed) throws IOException {
        return new TarReader(new ByteArrayInputStream(archive), malformed)
                .next()
                .orElseThrow();
    }

    @Property(tries = 200)
    void whatIsWrittenIsReadBack(@ForAll("archives") List<Part> parts) throws IOException {
        assertThat(read(written(parts))).isEqualTo(parts);
    }

    @Provide
    Arbitrary<List<Part>> archives() {
        Arbitrary<String> names = Arbitraries.strings()
                .withChars("abcü模/ ")
                .withCharRange('à', 'ÿ')
                .ofMinLength(1)
                .ofMaxLength(220)
                .filter(name -> !name.endsWith("/"));
        Arbitrary<Instant> times = Arbitraries.longs().between(0, 1L << 33 - 1).map(Instant::ofEpochSecond);
        Arbitrary<String> contents = Arbitraries.strings().ascii().ofMaxLength(1200);
        Arbitrary<Part> files = Combinators.combine(names, times, contents)
                .as((name, time, content) -> new Part(TarEntry.file(name, 0755, content.length(), time), content));
        Arbitrary<Part> folders =
                Combinators.combine(names, times).as((name, time) -> new Part(TarEntry.folder(name, 0700, time), ""));
        Arbitrary<Part> links = Combinators.combine(names, times, names)
                .as((name, time, target) -> new Part(TarEntry.link(name, time, target), ""));
        return Arbitraries.oneOf(files, folders, links).list().ofMaxSize(5);
    }

    @Test
    void whatIsNotReadOfAnEntryIsPassedOver() throws IOException {
        TarReader tar = new TarReader(
                new ByteArrayInputStream(written(List.of(file("a", "x".repeat(2000)), file("b", "y")))),
                CodingErrorAction.REPORT);
        tar.next();
        assertThat(tar.content().read()).isEqualTo('x');
        assertThat(tar.next().orElseThrow().name()).isEqualTo("b");
    }

    /** Another writer: the system's. */
    @Test
    void theSystemsTarIsReadInAllItsForms() throws Exception {
        for (String form : List.of("gnu", "pax", "ustar")) {
            Path source = Files.createDirectories(folder.resolve(form));
            // ustar has no room for such a name.
            String name = form.equals("ustar")
                    ? "long/".repeat(30) + "short.txt"
                    : "имя с пробелом/" + "long/".repeat(30) + "файл ✓.txt";
            Files.createDirectories(source.resolve(name).getParent());
            Files.writeString(source.resolve(name), "deep\n");
            Process tar =
                    new ProcessBuilder("tar", "-C", source.toString(), "--format=" + form, "-cf", "-", ".").start();
            Map<String, String> read = new LinkedHashMap<>();
            for (Part part : read(tar.getInputStream().readAllBytes())) {
                read.put(part.entry().name(), part.content());
            }
            assertThat(read).as(form).containsEntry("./" + name, "deep\n");
        }
    }

    /** Another reader: the system's. */
    @Test
    void theSystemsTarReadsIt() throws Exception {
        String longName = "d".repeat(120) + "/" + "ü".repeat(90);
        byte[] archive = written(List.of(
                file(longName, "content"),
                file("n".repeat(100), "exact"),
                new Part(TarEntry.link("link", TIME, longName), "")));
        Process tar = new ProcessBuilder("tar", "-x", "-C", folder.toString())
                .redirectErrorStream(true)
                .start();
        try (var in = tar.getOutputStream()) {
            in.write(archive);
        }
        assertThat(new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEmpty();
        assertThat(tar.waitFor()).isZero();
        assertThat(folder.resolve(longName)).hasContent("content");
        assertThat(folder.resolve("n".repeat(100))).hasContent("exact");
        assertThat(Files.readSymbolicLink(folder.resolve("link"))).hasToString(longName);
        assertThat(Files.getLastModifiedTime(folder.resolve(longName)).toInstant())
                .isEqualTo(TIME);
    }

    @Test
    void aNameThatIsNotUtf8IsRefusedOrReplaced() throws IOException {
        byte[] archive = written(List.of(file("n?me", "")));
        archive[1] = (byte) 0xe4;
        // The sum of the bytes, anew.
        byte[] sum =
                "%06o\0 ".formatted(TarHeader.sum(Arrays.copyOf(archive, 512))).getBytes(StandardCharsets.UTF_8);
        System.arraycopy(sum, 0, archive, 148, sum.length);
        assertThatThrownBy(() -> only(archive, CodingErrorAction.REPORT))
                .isInstanceOf(TarException.class)
                .hasMessageContaining("not UTF-8: n\ufffdme");
        assertThat(only(archive, CodingErrorAction.REPLACE).name()).isEqualTo("n\ufffdme");
    }

    @Test
    void sizesBeyondEightGibibytesAreWritten() throws IOException {
        TarEntry large = TarEntry.file("a", 0644, (8L << 30) + 5, TIME);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        assertThatThrownBy(() -> new TarWriter(out).write(large))
                .isInstanceOf(EOFException.class)
                .hasMessageContaining("a became shorter");
        assertThat(only(out.toByteArray(), CodingErrorAction.REPORT)).isEqualTo(large);
    }

    @Test
    void ofAFileThatGrewOnlyWhatWasToldIsWritten() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        TarWriter tar = new TarWriter(out);
        tar.write(TarEntry.file("a", 0644, 2, TIME), new ByteArrayInputStream(new byte[] {'1', '2', '3'}));
        tar.end();
        assertThat(read(out.toByteArray()).getFirst().content()).isEqualTo("12");
    }

    /** GNU tar writes a time before 1970 as a negative binary number, pax fractions of a second. */
    @Test
    void timesOfAllFormsAreRead() throws Exception {
        Instant moon = Instant.parse("1969-07-20T20:17:40.25Z");
        Path file = Files.writeString(folder.resolve("a"), "x");
        Process touch = new ProcessBuilder("touch", "-d", moon.toString(), file.toString()).start();
        assertThat(touch.waitFor()).isZero();
        for (String form : List.of("gnu", "pax")) {
            Process tar =
                    new ProcessBuilder("tar", "-C", folder.toString(), "--format=" + form, "-cf", "-", "a").start();
            Instant read = only(tar.getInputStream().readAllBytes(), CodingErrorAction.REPORT)
                    .modified();
            assertThat(read).as(form).isEqualTo(form.equals("pax") ? moon : Instant.parse("1969-07-20T20:17:40Z"));
        }
    }

    @Test
    void anArchiveThatStopsEarlyIsToldFromADamagedOne() throws IOException {
        byte[] whole = written(List.of(file("a".repeat(150), "x".repeat(700)), file("b", "y")));
        for (int length = 0; length <= whole.length - TarWriter.END; length += 100) {
            byte[] cut = Arrays.copyOf(whole, length);
            TarException refused = catchThrowableOfType(TarException.class, () -> read(cut));
            assertThat(refused).as("cut after %d bytes", length).isNotNull();
            assertThat(refused.isCutShort()).isTrue();
        }
        whole[0] ^= 1;
        TarException refused = catchThrowableOfType(TarException.class, () -> read(whole));
        assertThat(refused).hasMessageContaining("wrong check sum");
        assertThat(refused.isCutShort()).isFalse();
    }

    @Test
    void whatFollowsTheArchiveIsLeft() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(written(List.of()));
        out.write("more".getBytes(StandardCharsets.UTF_8));
        InputStream in = new ByteArrayInputStream(out.toByteArray());
        assertThat(new TarReader(in, CodingErrorAction.REPORT).next()).isEmpty();
        assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).endsWith("more");
    }
}
