package dev.muster.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.JobId;
import dev.muster.model.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Control groups of version 2 on a stand-in for their file system, for machines that have only version 1. */
class UnifiedCgroupsTest {
    private static final Resources LIMITS = new Resources(OptionalInt.of(500), OptionalLong.of(64 << 20), 0);

    @TempDir
    private Path top;

    @BeforeEach
    void rootGroup() throws IOException {
        group(top, "cpu io memory pids");
    }

    private static void group(Path folder, String controllers) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("cgroup.procs"), "");
        Files.writeString(folder.resolve("cgroup.subtree_control"), controllers);
    }

    private Cgroups detect(String own) {
        String mount = "30 24 0:26 / " + top + " rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate";
        return new CgroupDetection(List.of("24 1 8:1 / / rw - ext4 /dev/sda1 rw", mount), List.of("0::" + own))
                .detect();
    }

    @Test
    void groupsAreMadeInTheNearestGroupThatHasTheControllers() throws IOException {
        group(top.resolve("user.slice"), "cpu memory");
        group(top.resolve("user.slice/app.slice"), "cpu memory pids");
        // Systemd turns nothing on below a scope, and the kernel refuses to while processes are in it.
        group(top.resolve("user.slice/app.slice/term.scope"), "");
        Files.delete(top.resolve("user.slice/app.slice/term.scope/cgroup.subtree_control"));
        Files.createDirectory(top.resolve("user.slice/app.slice/term.scope/cgroup.subtree_control"));
        Cgroups found = detect("/user.slice/app.slice/term.scope");
        assertThat(found).isEqualTo(new Cgroups.Version2(top.resolve("user.slice/app.slice/muster")));
        assertThat(Files.readString(top.resolve("user.slice/app.slice/muster/cgroup.subtree_control")))
                .isEqualTo("+cpu +memory");
    }

    @Test
    void limitsAreWrittenAsTheKernelReadsThem() throws IOException {
        group(top.resolve("muster"), "cpu memory");
        // The kernel makes this file where swap is accounted.
        Files.createDirectories(top.resolve("muster/j1-worker-0-a1"));
        Files.writeString(top.resolve("muster/j1-worker-0-a1/memory.swap.max"), "max");
        Cgroups groups = detect("/");
        assertThat(groups.limitsCpu()).isTrue();
        assertThat(groups.limitsMemory()).isTrue();
        List<CgroupFolder> made = groups.make("j1-worker-0-a1", LIMITS);
        Path group = top.resolve("muster/j1-worker-0-a1");
        assertThat(made).containsExactly(new CgroupFolder(CgroupFolder.Kind.UNIFIED, group));
        assertThat(Files.readString(group.resolve("cpu.max"))).isEqualTo("50000 100000");
        assertThat(Files.readString(group.resolve("memory.max"))).isEqualTo("67108864");
        assertThat(Files.readString(group.resolve("memory.swap.max"))).isEqualTo("0");
        List<CgroupFolder> unlimited = groups.make("j1-worker-1-a1", Resources.NONE);
        assertThat(Files.exists(unlimited.getFirst().path().resolve("cpu.max"))).isFalse();
    }

    @Test
    void aGroupIsKilledAsAWholeAndTellsItsMembersAndItsMemoryKills() throws IOException {
        group(top.resolve("muster"), "cpu memory");
        CgroupFolder made = detect("/").make("a", LIMITS).getFirst();
        assertThat(made.countsKills()).isFalse();
        Files.writeString(made.path().resolve("memory.events"), "low 0\noom 2\noom_kill 1\n");
        assertThat(made.countsKills()).isTrue();
        Files.writeString(made.path().resolve("cgroup.procs"), "12\n13\n");
        group(made.path().resolve("below"), "");
        Files.writeString(made.path().resolve("below/cgroup.procs"), "14\n");
        assertThat(made.processes()).containsExactlyInAnyOrder(12L, 13L, 14L);
        assertThat(made.kill()).as("an older kernel has no such file").isFalse();
        Files.writeString(made.path().resolve("cgroup.kill"), "");
        assertThat(made.kill()).isTrue();
        assertThat(Files.readString(made.path().resolve("cgroup.kill"))).isEqualTo("1");
        assertThat(CgroupFolder.parse(made.text())).isEqualTo(made);
    }

    @Test
    void groupsThatNoFileTellsOfAreRemovedUnlessSomethingRunsInThem() throws IOException {
        group(top.resolve("muster"), "cpu memory");
        Path muster = top.resolve("muster");
        for (String name : List.of("0-aa-job1-worker-0-a1", "0-aa-job2-worker-0-a1", "0-bb-job3-worker-0-a1")) {
            Files.createDirectory(muster.resolve(name));
        }
        Files.createDirectory(muster.resolve("0-aa-job4-worker-0-a1"));
        Files.writeString(muster.resolve("0-aa-job4-worker-0-a1/cgroup.procs"), "12\n");
        CgroupRemains remains = new CgroupRemains(detect("/"), "0-aa");
        remains.removeAllBut(List.of(new JobId("job2")));
        assertThat(groups(muster))
                .containsExactlyInAnyOrder("0-aa-job2-worker-0-a1", "0-bb-job3-worker-0-a1", "0-aa-job4-worker-0-a1");
        remains.remove(new JobId("job2"));
        assertThat(groups(muster)).containsExactlyInAnyOrder("0-bb-job3-worker-0-a1", "0-aa-job4-worker-0-a1");
    }

    private static List<String> groups(Path folder) throws IOException {
        try (Stream<Path> below = Files.list(folder)) {
            return below.filter(Files::isDirectory)
                    .map(group -> group.getFileName().toString())
                    .toList();
        }
    }

    @Test
    void withoutARightThereAreNoGroups() throws IOException {
        Files.delete(top.resolve("cgroup.procs"));
        assertThat(detect("/")).isEqualTo(new Cgroups.None());
        assertThat(new CgroupDetection(List.of(), List.of()).detect()).isEqualTo(new Cgroups.None());
    }

    @Test
    void theServicesOwnLimitCountsAsTheMachinesMemory() throws IOException {
        Files.createDirectories(top.resolve("a/b"));
        Files.writeString(top.resolve("a/memory.max"), "1000\n");
        Files.writeString(top.resolve("a/b/memory.max"), "5000\n");
        Files.createDirectories(top.resolve("a/b/c"));
        Files.writeString(top.resolve("a/b/c/memory.max"), "max\n");
        String mount = "30 24 0:26 / " + top + " rw - cgroup2 cgroup2 rw";
        assertThat(new CgroupDetection(List.of(mount), List.of("0::/a/b/c")).memoryLimit())
                .hasValue(1000);
        assertThat(new CgroupDetection(List.of(mount), List.of("0::/")).memoryLimit())
                .isEmpty();
    }

    @Test
    void version1IsFoundByItsHierarchies() throws IOException {
        Path freezer = Files.createDirectory(top.resolve("freezer"));
        Path both = Files.createDirectory(top.resolve("cpu,cpuacct"));
        List<String> mounts = List.of(
                "31 24 0:27 / " + freezer + " rw - cgroup cgroup rw,freezer",
                "32 24 0:28 / " + both + " rw - cgroup cgroup rw,cpu,cpuacct");
        assertThat(new CgroupDetection(mounts, List.of()).detect())
                .isEqualTo(new Cgroups.Version1(
                        Optional.of(freezer.resolve("muster")), Optional.empty(), Optional.of(both.resolve("muster"))));
    }
}
