package dev.muster.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessName;
import dev.muster.model.Progress;
import dev.muster.spi.JobFolders;
import dev.muster.spi.JobStore.Point;
import dev.muster.spi.Telemetry;
import dev.muster.spi.Telemetry.Signs;
import dev.muster.testkit.Await;
import dev.muster.testkit.FakeClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTelemetryTest {
    private static final JobId JOB = new JobId("j1");
    private static final ProcessKey CHIEF = new ProcessKey(JOB, new ProcessName("worker", 0), 1);
    private static final ProcessKey OTHER = new ProcessKey(JOB, new ProcessName("worker", 1), 1);

    @TempDir
    Path home;

    private JobFolders folders;
    private final FakeClock clock = new FakeClock(Instant.ofEpochSecond(1_772_366_400));
    private final List<Point> points = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();
    private boolean full;
    private FileTelemetry telemetry;

    @BeforeEach
    void start() {
        folders = new JobFolders(home);
        telemetry = stepped();
    }

    private FileTelemetry stepped() {
        return FileTelemetry.stepped(folders, clock, new Outlet() {
            @Override
            public void points(JobId job, List<Point> some) {
                if (full) {
                    throw new IllegalStateException("no room");
                }
                points.addAll(some);
            }

            @Override
            public void remark(ProcessKey key, String text) {
                remarks.add(key + ": " + text);
            }
        });
    }

    @AfterEach
    void close() {
        telemetry.close();
    }

    /** The service is killed: nothing is saved that was not saved before. */
    private void killAndStart() {
        telemetry = stepped();
    }

    private static void append(Path file, String text) throws IOException {
        append(file, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void append(Path file, byte[] bytes) throws IOException {
        Files.createDirectories(file.getParent());
        Files.write(file, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private void says(ProcessKey key, String text) throws IOException {
        append(folders.log(key), text);
    }

    private void step() {
        clock.advance(Duration.ofMillis(200));
        telemetry.step();
    }

    private void seconds(int count) {
        for (int i = 0; i < 5 * count; i++) {
            step();
        }
    }

    private Signs signs() {
        return telemetry.signs(JOB);
    }

    @Test
    void nothingIsKnownOfAJobThatSaysNothing() {
        assertThat(signs()).isEqualTo(Signs.NONE);
        telemetry.follow(CHIEF, true);
        step();
        assertThat(signs()).isEqualTo(Signs.NONE);
        telemetry.finish(CHIEF);
        telemetry.finish(OTHER);
        assertThat(signs()).isEqualTo(Signs.NONE);
    }

    @Test
    void reportsOfLogAndFileAreTheProgress() throws IOException {
        telemetry.follow(CHIEF, true);
        says(CHIEF, "hello\n::muster::{\"step\":120,\"total\":938,\"epoch\":1,\"metrics\":{\"loss\":0.31}}\n::must");
        step();
        assertThat(signs().reported()).containsExactly(CHIEF);
        assertThat(signs().lastOutput()).isEqualTo(Map.of(CHIEF, clock.now()));
        assertThat(signs().progress())
                .isEqualTo(new Progress(
                        OptionalLong.of(120),
                        OptionalLong.of(938),
                        OptionalDouble.of(1),
                        Map.of("loss", 0.31),
                        OptionalDouble.empty()));
        append(folders.reports(CHIEF), "{\"step\":140,\"metrics\":{\"acc\":.98}}\n{\"badRecords\":3}\n");
        says(CHIEF, "er::{\"checkpoint\":\"step-120\",\"step\":141}\n");
        seconds(10);
        Progress progress = signs().progress();
        assertThat(progress.step()).isEqualTo(OptionalLong.of(140));
        assertThat(progress.metrics()).isEqualTo(Map.of("loss", 0.31, "acc", 0.98));
        assertThat(signs().badRecords()).isEqualTo(3);
        assertThat(signs().checkpoints()).containsExactly("step-120");
        assertThat(points)
                .extracting(point -> point.metric() + "=" + point.value() + "@" + point.step())
                .containsExactly("loss=0.31@120", "acc=0.98@140");
        assertThat(remarks).isEmpty();
    }

    @Test
    void b68_aReportSetsOnlyWhatItCarries() throws IOException {
        telemetry.follow(CHIEF, true);
        says(CHIEF, "::muster::{\"step\":5,\"total\":10,\"metrics\":{\"loss\":0.5}}\n");
        seconds(1);
        for (String line : List.of(
                "{\"checkpoint\":\"x\",\"step\":3}",
                "{\"checkpoint\":\"../../etc/passwd\",\"step\":6}",
                "{\"badRecords\":1}",
                "{\"step\":7}")) {
            says(CHIEF, "::muster::" + line + "\n");
            seconds(1);
            assertThat(signs().progress().step()).isEqualTo(OptionalLong.of(line.contains("7") ? 7 : 5));
        }
        seconds(2);
        assertThat(signs().progress().total()).isEqualTo(OptionalLong.of(10));
        assertThat(signs().progress().metrics()).isEqualTo(Map.of("loss", 0.5));
        assertThat(points)
                .extracting(point -> point.metric() + "=" + point.value() + "@" + point.step())
                .containsExactly("loss=0.5@5");
    }

    @Test
    void b69_aMetricThatIsNaNNowKeepsNoOldValue() throws IOException {
        telemetry.follow(CHIEF, true);
        says(CHIEF, "::muster::{\"step\":5,\"metrics\":{\"loss\":0.5,\"acc\":0.7}}\n");
        says(CHIEF, "::muster::{\"step\":6,\"metrics\":{\"loss\":NaN}}\n");
        seconds(2);
        assertThat(signs().progress().metrics()).isEqualTo(Map.of("acc", 0.7));
        assertThat(points).extracting(Point::metric).containsExactlyInAnyOrder("loss", "acc");
        assertThat(remarks).singleElement().asString().contains("\"loss\" is no finite number");
    }

    @Test
    void theRestIsGuessedFromThePace() throws IOException {
        telemetry.follow(CHIEF, true);
        for (int i = 0; i <= 10; i++) {
            says(CHIEF, "::muster::{\"step\":" + 10 * i + ",\"total\":1000}\n");
            seconds(2);
        }
        assertThat(signs().progress().etaSeconds().orElseThrow()).isBetween(175.0, 185.0);
    }

    @Test
    void onlyTheChiefsProgressIsTheJobs() throws IOException {
        telemetry.follow(CHIEF, true);
        telemetry.follow(OTHER, false);
        says(CHIEF, "::muster::{\"step\":5,\"badRecords\":2}\n");
        says(OTHER, "::muster::{\"step\":900,\"badRecords\":3,\"metrics\":{\"loss\":9}}\n");
        seconds(2);
        assertThat(signs().progress().step()).isEqualTo(OptionalLong.of(5));
        assertThat(signs().progress().metrics()).isEmpty();
        assertThat(signs().reported()).containsExactlyInAnyOrder(CHIEF, OTHER);
        assertThat(signs().badRecords()).isEqualTo(5);
        assertThat(points).isEmpty();
    }

    @Test
    void anAttemptBeginsItsProgressAnew() throws IOException {
        telemetry.follow(CHIEF, true);
        says(CHIEF, "::muster::{\"step\":100,\"badRecords\":1}\n");
        telemetry.finish(CHIEF);
        ProcessKey second = new ProcessKey(JOB, CHIEF.name(), 2);
        telemetry.follow(second, true);
        assertThat(signs().progress()).isEqualTo(Progress.NONE);
        says(second, "::muster::{\"step\":61,\"badRecords\":4}\n");
        step();
        assertThat(signs().progress().step()).isEqualTo(OptionalLong.of(61));
        assertThat(signs().badRecords()).isEqualTo(5);
        says(CHIEF, "::muster::{\"step\":999}\n");
        step();
        assertThat(signs().progress().step()).isEqualTo(OptionalLong.of(61));
    }

    @Test
    void finishReadsToTheEndAndTakesTheUnfinishedLine() throws IOException {
        telemetry.follow(CHIEF, true);
        says(CHIEF, "x".repeat(20_000_000) + "\n::muster::{\"step\":7,\"metrics\":{\"loss\":1}}");
        append(folders.reports(CHIEF), "{\"checkpoint\":\"last\"}");
        telemetry.finish(CHIEF);
        assertThat(signs().progress().step()).isEqualTo(OptionalLong.of(7));
        assertThat(signs().checkpoints()).containsExactly("last");
        assertThat(points).hasSize(1);
    }

    @Test
    void aFloodOfReportsIsBoundedAndTheNewestWins() throws IOException {
        telemetry.follow(CHIEF, true);
        for (int second = 0; second < 10; second++) {
            StringBuilder flood = new StringBuilder();
            for (int i = 0; i < 1000; i++) {
                int step = 1000 * second + i;
                flood.append("::muster::{\"step\":").append(step).append(",\"metrics\":{\"loss\":1}");
                flood.append(i == 3 ? ",\"checkpoint\":\"step-" + step + "\"" : "")
                        .append("}\n");
            }
            says(CHIEF, flood.toString());
            seconds(1);
            assertThat(signs().progress().step()).isEqualTo(OptionalLong.of(1000L * second + 999));
        }
        seconds(2);
        assertThat(points).hasSizeBetween(100, 600);
        assertThat(signs().checkpoints()).hasSize(10);
        assertThat(remarks).isNotEmpty().hasSizeLessThan(5);
        assertThat(remarks.getLast()).contains("more than 50 reports a second");
    }

    @Test
    void whatIsSaidOnceIsNotLostInAFlood() throws IOException {
        telemetry.follow(CHIEF, true);
        says(CHIEF, "::muster::{\"badRecords\":10}\n::muster::{\"step\":0,\"total\":1000}\n");
        StringBuilder flood = new StringBuilder();
        for (int i = 1; i <= 1000; i++) {
            flood.append("::muster::{\"step\":").append(i).append("}\n");
        }
        says(CHIEF, flood.toString());
        seconds(2);
        assertThat(signs().badRecords()).isEqualTo(10);
        assertThat(signs().progress().total()).isEqualTo(OptionalLong.of(1000));
    }

    @Test
    void aFloodWithoutAPauseIsBoundedAndTheNewestWins() throws IOException {
        telemetry.follow(CHIEF, true);
        for (int i = 0; i < 50; i++) {
            for (int j = 0; j < 30; j++) {
                says(CHIEF, "::muster::{\"step\":" + (30 * i + j) + ",\"metrics\":{\"loss\":1}}\n");
            }
            step();
            if (i % 5 == 0) { // progress is told once a second
                assertThat(signs().progress().step()).isEqualTo(OptionalLong.of(30L * i + 29));
            }
        }
        seconds(2);
        assertThat(signs().progress().step()).isEqualTo(OptionalLong.of(30L * 49 + 29));
        // 10 seconds of 50 each, and the 50 that were free at the start.
        assertThat(points).hasSizeBetween(450, 550);
    }

    @Test
    void howFarTheTrainingIsIsToldOnceASecondFirstReportsAndCheckpointsAtOnce() throws IOException {
        telemetry.follow(CHIEF, true);
        telemetry.follow(OTHER, false);
        int[] told = {0};
        telemetry.listen(job -> told[0]++);
        says(CHIEF, "::muster::{\"step\":0}\n");
        step();
        says(OTHER, "::muster::{\"step\":0}\n");
        step();
        assertThat(signs().reported()).containsExactlyInAnyOrder(CHIEF, OTHER);
        assertThat(told[0]).isEqualTo(2);
        for (int i = 1; i <= 50; i++) {
            says(CHIEF, "::muster::{\"step\":" + i + "}\n");
            step();
        }
        assertThat(told[0]).as("in 10 s").isBetween(11, 13);
        says(CHIEF, "::muster::{\"checkpoint\":\"step-50\"}\n");
        step();
        assertThat(signs().checkpoints()).containsExactly("step-50");
        says(CHIEF, "::muster::{\"checkpoint\":\"step-50\"}\n::muster::{\"step\":51}\n");
        step();
        assertThat(signs().progress().step()).isEqualTo(OptionalLong.of(51));
        int before = told[0];
        says(CHIEF, "::muster::{\"step\":52}\n");
        step();
        seconds(1);
        assertThat(signs().progress().step()).as("nothing is left untold").isEqualTo(OptionalLong.of(52));
        assertThat(told[0]).isEqualTo(before + 1);
    }

    @Test
    void aRankThatWasKilledBelowItsLauncherIsTold() throws IOException {
        telemetry.follow(OTHER, false);
        says(OTHER, "step 1\n::muster::{\"ranks\":\"rank 1 was killed by signal 9, 1 of at most 4 times\"}\nstep 2\n");
        seconds(1);
        says(OTHER, "::muster::{\"ranks\":\"rank 1 was killed by signal 9, 2 of at most 4 times\"}\n");
        seconds(1);
        says(OTHER, "::muster::{\"ranks\":9}\n");
        seconds(1);
        assertThat(signs().refusals().get(OTHER))
                .containsExactly(
                        "rank 1 was killed by signal 9, 1 of at most 4 times",
                        "rank 1 was killed by signal 9, 2 of at most 4 times",
                        "in a report, ranks is no sentence");
    }

    @Test
    void whatCannotBeReadIsCountedAndHarmsNothing() throws IOException {
        telemetry.follow(CHIEF, true);
        for (int i = 0; i < 20; i++) {
            says(CHIEF, "::muster::no json\n::muster::{\"step\":1,\"won\":true}\n");
        }
        seconds(1);
        says(CHIEF, "::muster::no json\n");
        seconds(20);
        assertThat(signs().progress().step()).isEqualTo(OptionalLong.of(1));
        assertThat(remarks)
                .hasSizeBetween(2, 4)
                .anyMatch(text -> text.contains("no JSON object") && text.contains("times"));
        assertThat(remarks).anyMatch(text -> text.contains("\"won\" is no field"));
        assertThat(signs().refusals().get(CHIEF))
                .as("told to the user, each kind once")
                .hasSize(2)
                .anyMatch(text -> text.contains("no JSON object"))
                .contains("in a report, \"won\" is no field of a report");
        for (int kind = 0; kind < 20; kind++) {
            says(CHIEF, "::muster::{\"field" + kind + "\":1}\n");
        }
        seconds(1);
        assertThat(signs().refusals().get(CHIEF)).hasSize(5);
    }

    @Test
    void aServiceThatStartsAnewGoesOnWhereItWas() throws IOException {
        telemetry.follow(CHIEF, true);
        says(CHIEF, "::muster::{\"step\":1,\"metrics\":{\"loss\":1},\"badRecords\":2,\"checkpoint\":\"c-1\"}\n");
        seconds(6);
        says(CHIEF, "::muster::{\"step\":2,\"metrics\":{\"loss\":2}}\n::muster::{\"st");
        seconds(6);
        killAndStart();
        says(CHIEF, "ep\":3,\"metrics\":{\"loss\":3}}\n");
        telemetry.follow(CHIEF, true);
        assertThat(signs().progress().step()).isEqualTo(OptionalLong.of(2));
        assertThat(signs().badRecords()).isEqualTo(2);
        assertThat(signs().checkpoints()).containsExactly("c-1");
        assertThat(signs().reported()).containsExactly(CHIEF);
        seconds(2);
        assertThat(signs().progress().step()).isEqualTo(OptionalLong.of(3));
        assertThat(points).extracting(Point::value).containsExactly(1.0, 2.0, 3.0);
    }

    @Test
    void badRecordsOfAttemptsBeforeARestartOfTheServiceStillCount() throws IOException {
        telemetry.follow(CHIEF, true);
        says(CHIEF, "::muster::{\"badRecords\":2}\n");
        telemetry.finish(CHIEF);
        killAndStart();
        ProcessKey second = new ProcessKey(JOB, CHIEF.name(), 2);
        telemetry.follow(second, true);
        assertThat(signs().badRecords()).isEqualTo(2);
        says(second, "::muster::{\"badRecords\":1}\n");
        step();
        assertThat(signs().badRecords()).isEqualTo(3);
    }

    @Test
    void pointsThatCannotBeStoredComeAgain() throws IOException {
        telemetry.follow(CHIEF, true);
        full = true;
        says(CHIEF, "::muster::{\"step\":1,\"metrics\":{\"loss\":1}}\n");
        seconds(10);
        assertThat(points).isEmpty();
        assertThat(signs().progress().step()).isEqualTo(OptionalLong.of(1));
        killAndStart();
        telemetry.follow(CHIEF, true);
        seconds(2);
        full = false;
        seconds(2);
        assertThat(points).extracting(Point::value).containsExactly(1.0);
    }

    @Test
    void eventFilesOfTheChiefAreRead() throws IOException {
        byte[] tensor = EventFileTest.written("tensor.tfevents");
        append(folders.checkpoints(JOB).resolve("logs/old.tfevents.1"), tensor);
        telemetry.follow(CHIEF, true);
        telemetry.follow(OTHER, false);
        step();
        append(folders.code(CHIEF).resolve("runs/train/events.out.tfevents.2"), tensor);
        append(folders.checkpoints(JOB).resolve("logs/validation/events.out.tfevents.3"), tensor);
        append(folders.code(OTHER).resolve("runs/events.out.tfevents.4"), tensor);
        seconds(6);
        assertThat(signs().progress().metrics().keySet())
                .containsExactlyInAnyOrder(
                        "epoch_loss", "epoch_accuracy", "validation/epoch_loss", "validation/epoch_accuracy");
        assertThat(signs().progress().step()).isEqualTo(OptionalLong.of(3));
        assertThat(signs().reported()).containsExactly(CHIEF);
        assertThat(points).hasSize(12);
        assertThat(points.getFirst().at()).isEqualTo(Instant.ofEpochSecond(1_772_366_401));
        seconds(10);
        killAndStart();
        telemetry.follow(CHIEF, true);
        seconds(10);
        assertThat(points).hasSize(12);
        says(CHIEF, "::muster::{\"step\":1}\n");
        step();
        append(folders.code(CHIEF).resolve("runs/late/events.out.tfevents.5"), tensor);
        seconds(31);
        assertThat(points).hasSize(18);
        assertThat(signs().progress().step()).isEqualTo(OptionalLong.of(1));
    }

    @Test
    void whatIsWrittenBeforeTheFirstLookIsRead() throws IOException {
        append(folders.checkpoints(JOB).resolve("old.tfevents.1"), EventFileTest.written("tensor.tfevents"));
        telemetry.follow(CHIEF, true);
        says(CHIEF, "::muster::{\"metrics\":{\"loss\":0.5}}\n");
        append(folders.reports(CHIEF), "{\"metrics\":{\"acc\":0.9}}\n");
        append(folders.model(CHIEF).resolve("new.tfevents"), EventFileTest.written("tensor.tfevents"));
        telemetry.finish(CHIEF);
        assertThat(signs().progress().metrics().keySet())
                .containsExactlyInAnyOrder("loss", "acc", "epoch_loss", "epoch_accuracy");
        assertThat(points).hasSize(8);
    }

    @Test
    void anEventFileThatComesLateIsFoundWithinHalfAMinute() throws IOException {
        telemetry.follow(CHIEF, true);
        seconds(55);
        for (int i = 0; i < 20; i++) {
            clock.advance(Duration.ofSeconds(30));
            telemetry.step();
        }
        append(folders.model(CHIEF).resolve("late.tfevents"), EventFileTest.written("tensor.tfevents"));
        seconds(31);
        assertThat(signs().progress().metrics()).hasSize(2);
    }

    @Test
    void eventsFromLongBeforeAreOfAnotherRun() throws IOException {
        clock.advance(Duration.ofHours(1));
        telemetry.follow(CHIEF, true);
        step();
        append(folders.code(CHIEF).resolve("shipped.tfevents"), EventFileTest.written("tensor.tfevents"));
        seconds(10);
        assertThat(signs().progress()).isEqualTo(Progress.NONE);
        assertThat(points).isEmpty();
    }

    @Test
    void listenersAreToldOfChangesOnly() throws IOException {
        List<JobId> told = new ArrayList<>();
        telemetry.listen(told::add);
        telemetry.follow(CHIEF, true);
        seconds(1);
        assertThat(told).isEmpty();
        says(CHIEF, "x\ny\nz\n");
        seconds(1);
        assertThat(told).containsExactly(JOB);
        telemetry.finish(CHIEF);
        assertThat(told).containsExactly(JOB, JOB);
    }

    @Test
    void aForgottenJobIsNotReadAnyMore() throws IOException {
        telemetry.follow(CHIEF, true);
        says(CHIEF, "::muster::{\"step\":1}\n");
        step();
        telemetry.forget(JOB);
        telemetry.forget(JOB);
        assertThat(signs()).isEqualTo(Signs.NONE);
        step();
        assertThat(signs()).isEqualTo(Signs.NONE);
    }

    @Test
    void aFileThatBecomesShorterIsReadAnew() throws IOException {
        telemetry.follow(CHIEF, true);
        says(CHIEF, "a line that is long enough\n");
        step();
        Files.writeString(folders.log(CHIEF), "::muster::{\"step\":4}\n");
        step();
        assertThat(signs().progress().step()).isEqualTo(OptionalLong.of(4));
    }

    @Test
    void a16_oneLogThatCannotBeReadHarmsNoOther() throws IOException {
        Files.createDirectories(folders.log(OTHER));
        Files.createDirectories(folders.log(OTHER).resolve("entry"));
        telemetry.follow(OTHER, false);
        telemetry.follow(CHIEF, true);
        says(CHIEF, "::muster::{\"step\":4}\n");
        seconds(5);
        assertThat(signs().progress().step()).isEqualTo(OptionalLong.of(4));
        telemetry.finish(OTHER);
        assertThat(remarks).hasSize(2).allMatch(text -> text.startsWith(OTHER.toString()));
    }

    @Test
    void itsThreadReadsWithinASecond() throws IOException {
        Set<JobId> told = ConcurrentHashMap.newKeySet();
        try (FileTelemetry running = FileTelemetry.start(folders, clock, new Outlet() {
            @Override
            public void points(JobId job, List<Point> some) {}

            @Override
            public void remark(ProcessKey key, String text) {}
        })) {
            running.listen(told::add);
            running.follow(CHIEF, true);
            says(CHIEF, "::muster::{\"step\":4}\n");
            Await.until(
                    "the report is read",
                    Duration.ofSeconds(5),
                    () -> running.signs(JOB).reported().contains(CHIEF));
            Await.until("the listener is told", Duration.ofSeconds(5), () -> told.contains(JOB));
        }
    }

    @Test
    void a49_thePaceOfEachRankIsKnown() throws IOException {
        telemetry.follow(CHIEF, true);
        telemetry.follow(OTHER, false);
        for (int step = 1; step <= 8; step++) {
            says(CHIEF, "::muster::{\"step\":" + step + ",\"total\":100}\n");
            if (step % 4 == 0) {
                says(OTHER, "::muster::{\"step\":" + step + "}\n");
            }
            seconds(2);
        }
        Telemetry.Pace chief = signs().paces().get(CHIEF);
        assertThat(chief.step()).isEqualTo(8);
        assertThat(chief.at()).isEqualTo(clock.now().minusMillis(1800));
        assertThat(chief.total()).hasValue(100);
        assertThat(chief.rhythm())
                .contains(new Telemetry.Rhythm(Duration.ofSeconds(2), Duration.ofSeconds(2), Duration.ofSeconds(2), 7));
        assertThat(signs().paces().get(OTHER).rhythm())
                .as("steps told four at a time")
                .contains(new Telemetry.Rhythm(Duration.ofSeconds(2), Duration.ofSeconds(8), Duration.ofSeconds(8), 1));
    }

    @Test
    void aPauseNowAndThenIsNoRhythmButIsRemembered() throws IOException {
        telemetry.follow(CHIEF, true);
        for (int step = 1; step <= 60; step++) {
            says(CHIEF, "::muster::{\"step\":" + step + "}\n");
            seconds(step == 10 ? 60 : 1);
        }
        assertThat(signs().paces().get(CHIEF).rhythm())
                .contains(
                        new Telemetry.Rhythm(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(60), 59));
    }

    @Test
    void aStepThatIsSaidAgainIsNoneAndANewServiceKnowsWhenItCame() throws IOException {
        telemetry.follow(CHIEF, true);
        says(CHIEF, "::muster::{\"step\":5}\n");
        step();
        Instant came = clock.now();
        seconds(7);
        says(CHIEF, "::muster::{\"step\":5}\n");
        seconds(7);
        assertThat(signs().paces().get(CHIEF).at()).isEqualTo(came);
        killAndStart();
        telemetry.follow(CHIEF, true);
        seconds(2);
        assertThat(signs().paces().get(CHIEF))
                .isEqualTo(new Telemetry.Pace(5, came, OptionalLong.empty(), Optional.empty()));
    }
}
