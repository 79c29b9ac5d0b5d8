package dev.muster.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.frameworks.Frameworks;
import dev.muster.model.BackendKind;
import dev.muster.model.Cause;
import dev.muster.model.FrameworkKind;
import dev.muster.model.JobId;
import dev.muster.model.Join;
import dev.muster.model.LaunchPlan;
import dev.muster.model.Member;
import dev.muster.model.Options;
import dev.muster.model.Placement;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessName;
import dev.muster.model.ProcessPlan;
import dev.muster.model.Resources;
import dev.muster.spi.Backend.StopHow;
import dev.muster.spi.BackendException;
import dev.muster.spi.Framework;
import dev.muster.spi.JobFolders;
import dev.muster.spi.Rendered;
import dev.muster.spi.Sighting.Seen;
import dev.muster.testkit.Ability;
import dev.muster.testkit.Await;
import dev.muster.testkit.BackendTck;
import dev.muster.testkit.TrialJob;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of every backend, and what local processes promise besides, however they are held together. */
abstract class LocalBackendContract extends BackendTck {
    @TempDir
    private Path folder;

    private LocalPlace place;

    /** How the processes of an attempt are held together. */
    abstract LocalConfig adapt(LocalConfig config);

    private LocalPlace place() {
        if (place == null) {
            place = new LocalPlace(folder, this::adapt);
        }
        return place;
    }

    @Override
    protected LocalBackend open() {
        return new LocalBackend(place().config());
    }

    @Override
    protected BackendKind kind() {
        return BackendKind.LOCAL;
    }

    @Override
    protected Framework framework(FrameworkKind kind) {
        return Frameworks.of(kind);
    }

    @Override
    protected JobFolders folders() {
        return place().folders();
    }

    @Override
    protected String snapshot(Map<String, String> files) {
        return place().snapshots().add(files);
    }

    @Override
    protected Set<Ability> declines() {
        Set<Ability> declined = EnumSet.of(Ability.NETWORK_BLOCK, Ability.REMOTE_DATA);
        if (!place().config().cgroups().limitsMemory()) {
            declined.add(Ability.MEMORY_LIMIT);
        }
        if (!place().config().cgroups().limitsCpu()) {
            declined.add(Ability.CPU_LIMIT);
        }
        return declined;
    }

    /** Files and signals of this machine cannot be lost contact with. */
    @Override
    protected Optional<Outage> outage() {
        return Optional.empty();
    }

    /** There is nothing to remove but the shim, and that only while it waits. */
    @Override
    protected void removeByForce(ProcessKey key) throws IOException {
        ProcessIdentity shim = shim(key);
        if (new Proc().isRunning(shim)) {
            ProcessHandle.of(shim.pid()).orElseThrow().destroyForcibly();
        }
    }

    private static Set<String> descriptors(long pid) throws IOException {
        try (var open = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            return open.map(path -> path.getFileName().toString()).collect(Collectors.toSet());
        }
    }

    @Test
    void a11_theEnvironmentIsExactlyWhatWasRendered() throws Exception {
        Map<String, String> env = new TreeMap<>();
        // Names that shells change, keep to themselves, refuse or stumble over.
        for (String name : List.of(
                "PWD",
                "OLDPWD",
                "SHLVL",
                "_",
                "IFS",
                "OPTIND",
                "UID",
                "PPID",
                "RANDOM",
                "LINENO",
                "BASH_ENV",
                "ENV",
                "PS1",
                "FOO.BAR",
                "with-dash",
                "-X",
                "1ST",
                "модель",
                "BASH_FUNC_f%%",
                "hold",
                "oom",
                "folder",
                "code",
                "LC_ALL")) {
            env.put(name, "value of\n" + name + " = 'x'");
        }
        env.put("EMPTY", "");
        TrialJob job = job("").withArgv("sleep", "600").withEnv(env).withSecrets(Map.of("TOKEN", "a'b\nc"));
        Placement placement = start(job);
        Rendered rendered = backend.render(job.launch(0, 1, placement, "/"));
        long pid = awaitRunning(job.key(0, 1)).pid().getAsLong();
        Await.until("the program runs", soon(), () -> program(pid).equals("sleep"));
        Set<String> expected = new TreeSet<>();
        rendered.env().forEach((name, value) -> expected.add(name + "=" + value));
        String environ = new String(Files.readAllBytes(Path.of("/proc/" + pid + "/environ")), StandardCharsets.UTF_8);
        assertThat(Arrays.asList(environ.split("\0", -1)))
                .endsWith("")
                .filteredOn(entry -> !entry.isEmpty())
                .containsExactlyInAnyOrderElementsOf(expected);
        // While it is being loaded it has its libraries open.
        Await.until("it has three descriptors", soon(), () -> descriptors(pid).equals(Set.of("0", "1", "2")));
        // Appended: what several processes write, and what a user's log rotation leaves, is never overwritten.
        String output = Files.readString(Path.of("/proc/" + pid + "/fdinfo/1"));
        assertThat(output).containsPattern("flags:\\s+0[0-7]*2[0-7]{3}\n");
        assertThat(signals(pid, "SigBlk")).as("blocked signals").isZero();
        assertThat(signals(pid, "SigIgn")).as("ignored signals").isZero();
    }

    /** A mask of the signals 1 to 31; those above are the C library's own. */
    private static long signals(long pid, String mask) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                .filter(line -> line.startsWith(mask + ":"))
                .mapToLong(line ->
                        Long.parseUnsignedLong(line.substring(mask.length() + 1).strip(), 16) & 0x7fff_ffff)
                .findFirst()
                .orElseThrow();
    }

    private static String program(long pid) throws IOException {
        return Path.of("/proc/" + pid + "/exe").toRealPath().getFileName().toString();
    }

    @Test
    void b58_aSecretIsInNoFileAndNoCommandLine() throws Exception {
        TrialJob job = job("sleep 600").withSecrets(Map.of("TOKEN", "s3cr3tXYZ"));
        start(job);
        awaitRunning(job.key(0, 1));
        // Events come and go, and are empty.
        List<Path> files = files(folder).stream()
                .filter(file -> !file.getParent().endsWith("events"))
                .toList();
        assertThat(files).isNotEmpty();
        for (Path file : files) {
            assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                    .as(file.toString())
                    .doesNotContain("s3cr3tXYZ");
        }
        Rendered rendered = new Rendered(List.of("sh"), Map.of("TOKEN", "s3cr3tXYZ"), Map.of());
        String text = new LaunchText(Path.of("/env"), Path.of("/setsid"))
                .of(rendered, Path.of("/"), List.of(), Optional.empty(), false, Optional.empty());
        assertThat(text.lines().filter(line -> line.startsWith("exec "))).noneMatch(line -> line.contains("s3cr3tXYZ"));
    }

    private static List<Path> files(Path folder) throws IOException {
        try (var all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    @Test
    void b47_aGrandchildWithoutEnvironmentInItsOwnSessionDiesWithItsJob() throws Exception {
        TrialJob job = job(
                "env -i setsid sh -c 'echo $$ >grandchild; sleep 600; :' & env -i setsid -f sh -c 'echo $$ >orphan;"
                        + " sleep 600; :'; while [ ! -s grandchild ] || [ ! -s orphan ]; do sleep 0.05; done; echo ready; wait");
        start(job);
        awaitLog(job.key(0, 1), "ready");
        List<Long> escaped = escaped(job.key(0, 1));
        backend.stop(job.key(0, 1), StopHow.KILL);
        assertThat(awaitEnd(job.key(0, 1)).code()).isEqualTo(137);
        assertThat(escaped).noneMatch(LocalBackendContract::runs);
    }

    @Test
    void b24_leftoversWithoutEnvironmentInTheirOwnSessionAreSweptByAnyService() throws Exception {
        TrialJob job =
                job("env -i setsid sh -c 'echo $$ >grandchild; sleep 600; :' & env -i setsid -f sh -c 'echo $$ >orphan;"
                        + " sleep 600; :'; while [ ! -s grandchild ] || [ ! -s orphan ]; do sleep 0.05; done; exit 0");
        start(job);
        assertThat(awaitEnd(job.key(0, 1)).code()).isZero();
        List<Long> escaped = escaped(job.key(0, 1));
        assertThat(escaped).allMatch(LocalBackendContract::runs);
        restarted().sweep(job.key(0, 1));
        assertThat(escaped).noneMatch(LocalBackendContract::runs);
    }

    private List<Long> escaped(ProcessKey key) throws IOException {
        Path work = folders().code(key);
        return List.of(
                Long.parseLong(Files.readString(work.resolve("grandchild")).strip()),
                Long.parseLong(Files.readString(work.resolve("orphan")).strip()));
    }

    private static boolean runs(long pid) {
        return new Proc().stat(pid).filter(Proc.Stat::isRunning).isPresent();
    }

    @Test
    void b78_aStrangerWithTheOldPidIsNeverTakenForTheProcess() throws Exception {
        Process stranger = new ProcessBuilder("sleep", "600").start();
        try {
            Proc.Stat stat = new Proc().stat(stranger.pid()).orElseThrow();
            TrialJob job = job("sleep 600");
            start(job);
            awaitRunning(job.key(0, 1));
            backend.stop(job.key(0, 1), StopHow.KILL);
            awaitEnd(job.key(0, 1));
            // As if shim and program had died without a word, and the stranger had got both their pids.
            Path attempt = folders().process(job.key(0, 1));
            Files.delete(attempt.resolve("exit"));
            String boot = new Proc().boot();
            Files.writeString(attempt.resolve("claim"), stat.pid() + " " + (stat.start() - 1) + " " + boot + "\n");
            Files.writeString(attempt.resolve("started"), stat.pid() + " " + (stat.start() - 1) + "\n");
            restarted();
            assertThat(seen(job.key(0, 1))).get().isInstanceOf(Seen.Vanished.class);
            backend.stop(job.key(0, 1), StopHow.ASK);
            backend.stop(job.key(0, 1), StopHow.KILL);
            backend.sweep(job.key(0, 1));
            assertThat(runs(stranger.pid())).isTrue();
        } finally {
            stranger.destroyForcibly();
        }
    }

    @Test
    void b78_aProcessOfAnEarlierBootHasVanished() throws Exception {
        Process stranger = new ProcessBuilder("sleep", "600").start();
        try {
            Proc.Stat stat = new Proc().stat(stranger.pid()).orElseThrow();
            TrialJob job = job("exit 0");
            start(job);
            awaitEnd(job.key(0, 1));
            Path attempt = folders().process(job.key(0, 1));
            Files.delete(attempt.resolve("exit"));
            Files.writeString(attempt.resolve("claim"), stat.pid() + " " + stat.start() + " of-an-earlier-boot\n");
            Files.writeString(attempt.resolve("started"), stat.pid() + " " + stat.start() + "\n");
            restarted();
            assertThat(seen(job.key(0, 1)))
                    .get()
                    .isInstanceOfSatisfying(
                            Seen.Vanished.class,
                            gone -> assertThat(gone.message()).contains("started anew"));
            backend.stop(job.key(0, 1), StopHow.ASK);
            backend.stop(job.key(0, 1), StopHow.KILL);
            backend.sweep(job.key(0, 1));
            assertThat(runs(stranger.pid())).isTrue();
        } finally {
            stranger.destroyForcibly();
        }
    }

    @Test
    void b79_aKilledShimIsToldAndItsTreeEnded() throws Exception {
        TrialJob job = job("sleep 600 & echo ready; wait");
        start(job);
        awaitLog(job.key(0, 1), "ready");
        awaitRunning(job.key(0, 1));
        ConcurrentLinkedQueue<JobId> told = new ConcurrentLinkedQueue<>();
        // A new service has no child whose end the system would tell it.
        restarted().listen(told::add);
        awaitRunning(job.key(0, 1));
        Await.until("quiet", soon(), () -> told.poll() == null);
        ProcessHandle.of(shim(job.key(0, 1)).pid()).orElseThrow().destroyForcibly();
        Await.until("it is told", soon(), () -> told.contains(job.id()));
        Await.until("it has vanished", soon(), () -> seen(job.key(0, 1)).get() instanceof Seen.Vanished);
        assertNothingRuns(job.id());
    }

    private ProcessIdentity shim(ProcessKey key) throws IOException {
        return new AttemptFolder(folders().process(key)).claim().orElseThrow();
    }

    @Test
    void a24_aStrangerOnThePortDoesNotCount() throws Exception {
        TrialJob job = job("echo ready; sleep 600").withPorts("a").withJoin(new Join.Listens("a"));
        Placement placement = backend.place(job.id(), 1, job.spec(), job.plan());
        try (ServerSocket stranger =
                new ServerSocket(placement.ports().get(FIRST).get("a"))) {
            backend.start(job.launch(0, 1, placement, "/"));
            awaitLog(job.key(0, 1), "ready");
            JoinProbe sockets = new JoinProbe(new Proc());
            assertThat(sockets.candidates(new JoinSign.Listens(stranger.getLocalPort())))
                    .isNotEmpty();
            LocalAttempt attempt = new Attempts(folders(), new Proc()).of(job.key(0, 1));
            attempt.observe();
            assertThat(attempt.isJoining()).isTrue();
            assertThat(attempt.probe(sockets)).isFalse();
            assertThat(awaitRunning(job.key(0, 1)).joined()).isFalse();
        }
    }

    @Test
    void b09_twoHomesOfAMachineShareItsPorts() throws Exception {
        TrialJob one = job("exit 0").withWorkers(4).withPorts("a");
        try (LocalBackend other = new LocalBackend(place().config("other home", ""))) {
            Placement here = backend.place(one.id(), 1, one.spec(), one.plan());
            // The same job id and attempt would get the same ports, were they free.
            Placement there = other.place(one.id(), 1, one.spec(), one.plan());
            assertThat(ports(here)).hasSize(4).doesNotContainAnyElementsOf(ports(there));
            other.remove(one.id());
        }
    }

    private static List<Integer> ports(Placement placement) {
        return placement.ports().values().stream()
                .flatMap(ports -> ports.values().stream())
                .toList();
    }

    @Test
    void a45_aGroupGrowsBesideWhatItHasAndGivesBackWhatLeaversHad() throws Exception {
        TrialJob two = job("exit 0").withWorkers(2).withPorts("a");
        TrialJob four = two.withWorkers(4).withPorts("a");
        Placement before = backend.place(two.id(), 1, two.spec(), two.plan());
        Placement more = backend.place(two.id(), 1, four.spec(), four.plan());
        assertThat(before.isPartOf(more)).isTrue();
        assertThat(ports(more)).hasSize(4).doesNotHaveDuplicates();
        assertThat(backend.place(two.id(), 1, four.spec(), four.plan())).isEqualTo(more);
        try (LocalBackend next = open()) {
            assertThat(next.place(two.id(), 1, two.spec(), two.plan())).isEqualTo(before);
        }
        assertThat(ports(backend.place(two.id(), 1, four.spec(), four.plan()))).hasSize(4);
    }

    @Test
    void b09_aPortThatSomebodyListensOnIsNotGiven() throws Exception {
        TrialJob job = job("exit 0").withPorts("a");
        int wanted = ports(backend.place(job.id(), 1, job.spec(), job.plan())).getFirst();
        backend.release(job.id());
        try (ServerSocket stranger = new ServerSocket(wanted)) {
            assertThat(stranger.getLocalPort()).isEqualTo(wanted);
            assertThat(ports(backend.place(job.id(), 1, job.spec(), job.plan())))
                    .doesNotContain(wanted);
        }
    }

    @Test
    void anAttemptsPortTakenMeanwhileIsLostAndTheNextAttemptGetsAnother() throws Exception {
        TrialJob job = job("exit 0").withPorts("a");
        int port = ports(backend.place(job.id(), 1, job.spec(), job.plan())).getFirst();
        // As if the service and every process of the group had died.
        try (var files = Files.newDirectoryStream(place().shared(), "*.hold")) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
        try (ServerSocket stranger = new ServerSocket(port)) {
            assertThat(stranger.getLocalPort()).isEqualTo(port);
            assertThatThrownBy(() -> backend.place(job.id(), 1, job.spec(), job.plan()))
                    .isInstanceOfSatisfying(BackendException.class, lost -> {
                        assertThat(lost.reasonCode()).isEqualTo(Cause.PORT_LOST);
                        assertThat(lost.kind()).isEqualTo(BackendException.Kind.FAILED);
                        assertThat(lost)
                                .hasMessageContaining(Integer.toString(port))
                                .hasMessageContaining("worker-0");
                    });
            assertThat(ports(backend.place(job.id(), 2, job.spec(), job.plan())))
                    .doesNotContain(port);
        }
    }

    @Test
    void gpusAreGivenExclusivelyAndSeenByNobodyElse() throws Exception {
        Resources oneGpu = new Resources(OptionalInt.empty(), OptionalLong.empty(), 1);
        TrialJob two = job("exit 0").withWorkers(2).withResources(oneGpu);
        TrialJob third = job("exit 0").withResources(oneGpu);
        TrialJob none = job("exit 0").withResources(new Resources(OptionalInt.empty(), OptionalLong.empty(), 0));
        TrialJob unlimited = job("exit 0");
        try (LocalBackend withGpus = new LocalBackend(place().config("home", "0,1"))) {
            assertThat(withGpus.capacity().gpus()).isEqualTo(2);
            Placement placement = withGpus.place(two.id(), 1, two.spec(), two.plan());
            assertThat(placement.gpus().values()).containsExactlyInAnyOrder("0", "1");
            assertThat(withGpus.render(two.launch(1, 1, placement, "/")).env())
                    .containsEntry("CUDA_VISIBLE_DEVICES", placement.gpus().get(new Member("worker", 1)));
            assertThatThrownBy(() -> withGpus.place(third.id(), 1, third.spec(), third.plan()))
                    .isInstanceOf(BackendException.class)
                    .hasMessageContaining("0 of 2 are free");
            Placement without = withGpus.place(none.id(), 1, none.spec(), none.plan());
            assertThat(withGpus.render(none.launch(0, 1, without, "/")).env())
                    .containsEntry("CUDA_VISIBLE_DEVICES", "");
            Placement free = withGpus.place(unlimited.id(), 1, unlimited.spec(), unlimited.plan());
            assertThat(withGpus.render(unlimited.launch(0, 1, free, "/")).env())
                    .as("who says nothing of GPUs is limited by nothing")
                    .doesNotContainKey("CUDA_VISIBLE_DEVICES");
            TrialJob ownWill = none.withEnv(Map.of("CUDA_VISIBLE_DEVICES", "1"));
            assertThat(withGpus.render(ownWill.launch(0, 1, without, "/")).env())
                    .containsEntry("CUDA_VISIBLE_DEVICES", "1");
            withGpus.release(two.id());
            assertThat(withGpus.place(third.id(), 1, third.spec(), third.plan())
                            .gpus()
                            .values())
                    .containsExactly("0");
        }
        Placement here = backend.place(none.id(), 2, none.spec(), none.plan());
        assertThat(backend.render(none.launch(0, 1, here, "/")).env()).containsEntry("CUDA_VISIBLE_DEVICES", "");
        Placement there = backend.place(unlimited.id(), 2, unlimited.spec(), unlimited.plan());
        assertThat(backend.render(unlimited.launch(0, 1, there, "/")).env()).doesNotContainKey("CUDA_VISIBLE_DEVICES");
    }

    @Test
    void ranksOfOneWorkerShareTheGpusOfThatWorker() throws Exception {
        TrialJob job = job("exit 0").withResources(new Resources(OptionalInt.empty(), OptionalLong.empty(), 2));
        ProcessPlan plan = job.plan().processes().getFirst();
        LaunchPlan twoRanks = new LaunchPlan(2, List.of(rank(plan, 0), rank(plan, 1)));
        try (LocalBackend withGpus = new LocalBackend(place().config("home", "0,1"))) {
            Placement placement = withGpus.place(job.id(), 1, job.spec(), twoRanks);
            assertThat(placement.gpus()).containsOnly(Map.entry(new Member("worker", 0), "0,1"));
        }
    }

    private static ProcessPlan rank(ProcessPlan plan, int local) {
        return new ProcessPlan(
                new ProcessName("worker", 0, OptionalInt.of(local)),
                OptionalInt.of(local),
                OptionalInt.of(local),
                local == 0,
                plan.argv(),
                plan.env(),
                plan.files(),
                plan.ports(),
                plan.join());
    }

    @Test
    void anIpv6AddressStandsInBracketsWithItsPort() throws Exception {
        Options ipv6 = new Options(false, false, false, "::1", Optional.empty(), Optional.empty(), Optional.empty());
        TrialJob job = job("exit 0").withPorts("a").withOptions(ipv6);
        Placement placement = backend.place(job.id(), 1, job.spec(), job.plan());
        int port = placement.ports().get(FIRST).get("a");
        assertThat(backend.render(job.launch(0, 1, placement, "/")).env())
                .containsEntry("ADDRESS_a", "[::1]:" + port)
                .containsEntry("PORT_a", Integer.toString(port));
    }

    @Test
    void a16_strangersFilesInItsFoldersDoNoHarm() throws Exception {
        Path home = folders().home();
        Files.createDirectories(home.resolve("jobs/Not A Job/processes"));
        Files.createDirectories(home.resolve("local/placements"));
        Files.createFile(home.resolve("local/placements/Not A Job"));
        Files.createFile(home.resolve("local/events/stranger"));
        Files.createFile(home.resolve("local/events/Not A Job.s"));
        ConcurrentLinkedQueue<JobId> told = new ConcurrentLinkedQueue<>();
        restarted().listen(told::add);
        TrialJob job = job("exit 0");
        Files.createDirectories(folders().job(job.id()).resolve("processes/worker/a1"));
        Files.createDirectories(folders().job(job.id()).resolve("processes/worker-0/b1"));
        start(job);
        awaitEnd(job.key(0, 1));
        Await.until("it is told", soon(), () -> told.contains(job.id()));
        assertThat(backend.jobs()).containsExactly(job.id());
    }
}
