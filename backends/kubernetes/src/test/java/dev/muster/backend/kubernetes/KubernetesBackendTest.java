package dev.muster.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.frameworks.Frameworks;
import dev.muster.model.BackendKind;
import dev.muster.model.FrameworkKind;
import dev.muster.model.Placement;
import dev.muster.model.ProcessKey;
import dev.muster.spi.Backend;
import dev.muster.spi.Backend.StopHow;
import dev.muster.spi.BackendException;
import dev.muster.spi.Evidence;
import dev.muster.spi.Evidence.Doing;
import dev.muster.spi.Framework;
import dev.muster.spi.JobFolders;
import dev.muster.spi.Launch;
import dev.muster.spi.Sighting;
import dev.muster.spi.Sighting.Seen;
import dev.muster.testkit.Ability;
import dev.muster.testkit.Await;
import dev.muster.testkit.BackendTck;
import dev.muster.testkit.Snapshots;
import dev.muster.testkit.TrialJob;
import dev.muster.testkit.WaitingProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of every backend on a real cluster, with the rights of deploy/kubernetes/rbac.yaml and no more. */
@Tag("cluster")
class KubernetesBackendTest extends BackendTck {
    private final TestCluster cluster = TestCluster.get();
    private final Snapshots snapshots = new Snapshots();

    @TempDir
    Path home;

    @Override
    protected Backend open() {
        return new KubernetesBackend(cluster.config(folders(), snapshots, instance()));
    }

    private String instance() {
        return "t" + Names.digest(home.toString()).substring(0, 10);
    }

    @Override
    protected BackendKind kind() {
        return BackendKind.KUBERNETES;
    }

    @Override
    protected Framework framework(FrameworkKind kind) {
        return Frameworks.of(kind);
    }

    @Override
    protected JobFolders folders() {
        return new JobFolders(home);
    }

    @Override
    protected Optional<String> image() {
        return Optional.of(TestCluster.BASE);
    }

    @Override
    protected Duration soon() {
        return Duration.ofSeconds(200);
    }

    @Override
    protected String snapshot(Map<String, String> files) {
        return snapshots.add(files);
    }

    @Override
    protected Set<Ability> declines() {
        return Set.of(Ability.REMOTE_DATA);
    }

    @Override
    protected Optional<Outage> outage() {
        return Optional.of(cluster.outage());
    }

    @Override
    protected void removeByForce(ProcessKey key) throws Exception {
        try (Cluster admin = new Cluster(TestCluster.config(cluster.admin(), folders(), snapshots, instance()))) {
            admin.deletePod(Names.pod(key));
        }
    }

    @Test
    void a12_twoServicesThatDeliverAtOnceDoNotGetInEachOthersWay() throws Exception {
        int files = 40;
        Map<String, String> code = new TreeMap<>();
        StringBuilder whole = new StringBuilder();
        for (int number = 0; number < files; number++) {
            code.put("part-" + number, "part " + number + "\n");
            whole.append("part ").append(number).append('\n');
        }
        Path data = Files.createDirectories(home.resolve("images"));
        Files.write(data.resolve("blob"), new byte[16 << 20]);
        TrialJob job = job("i=0; while [ $i -lt " + files + " ]; do cat part-$i || exit 3; i=$((i + 1)); done;"
                        + " wc -c <\"$MUSTER_DATA_IMAGES/blob\"")
                .withCode(snapshot(code))
                .withData(Map.of("images", data.toString()))
                .withWorkers(2);
        Placement placement = start(job);
        // The one before goes on with what it does, as a service that does not know yet that another took over.
        Backend other = restarted();
        for (int index = 0; index < job.workers(); index++) {
            other.start(job.launch(index, 1, placement, "/"));
        }
        for (int index = 0; index < job.workers(); index++) {
            assertThat(awaitEnd(job.key(index, 1)).code()).isZero();
            assertThat(log(job.key(index, 1))).isEqualTo(whole.toString() + (16 << 20) + "\n");
        }
    }

    @Test
    void b79_aPodWhoseLabelsSomebodyTookAwayIsGivenThemAgain() throws Exception {
        TrialJob job = job("trap 'echo asked; exit 3' TERM; echo ready; while true; do sleep 0.1; done");
        start(job);
        awaitLog(job.key(0, 1), "ready");
        for (String label : List.of(Labels.JOB, Labels.INSTANCE)) {
            unlabel(Names.pod(job.key(0, 1)), label);
        }
        restarted().stop(job.key(0, 1), StopHow.ASK);
        assertThat(awaitEnd(job.key(0, 1)).code()).isEqualTo(3);
    }

    @Test
    void b79_aPodThatLostItsLabelsWhileNoServiceLivedIsTakenUp() throws Exception {
        for (String label : List.of(Labels.JOB, Labels.INSTANCE)) {
            TrialJob job = job("echo ready; while [ ! -e \"$MUSTER_CONTROL_DIR/stop\" ]; do sleep 0.1; done; exit 5");
            start(job);
            awaitLog(job.key(0, 1), "ready");
            awaitRunning(job.key(0, 1));
            backend.close();
            assertThat(kubectl("label", "pod", Names.pod(job.key(0, 1)), label + "-"))
                    .contains("unlabeled");
            restarted();
            assertThat(seen(job.key(0, 1)).orElseThrow()).as(label).isInstanceOf(Seen.Running.class);
            letGo(job);
            assertThat(awaitEnd(job.key(0, 1)).code()).isEqualTo(5);
        }
    }

    @Test
    void aServiceThatSomebodyRemovedIsMadeAnewAndThatIsTold() throws Exception {
        TrialJob job = job("echo ready; sleep 600");
        start(job);
        awaitLog(job.key(0, 1), "ready");
        awaitRunning(job.key(0, 1));
        String service = Names.service(job.id());
        assertThat(kubectl("delete", "service", service)).contains("deleted");
        Await.until(
                "it is told",
                soon(),
                () -> trouble(job).contains("the Service " + service)
                        && trouble(job).contains("is made anew"));
        assertThat(kubectl("get", "service", service, "-o", "name")).contains(service);
        Await.until("it is not told any more", soon(), () -> trouble(job).isEmpty());
        backend.stop(job.key(0, 1), StopHow.KILL);
        awaitEnd(job.key(0, 1));
    }

    private String trouble(TrialJob job) throws Exception {
        return seen(job.key(0, 1)).flatMap(Seen::trouble).orElse("");
    }

    private void unlabel(String pod, String label) throws Exception {
        assertThat(kubectl("label", "pod", pod, label + "-")).contains("unlabeled");
        Await.until(
                "label " + label,
                soon(),
                () -> kubectl("get", "pod", pod, "--show-labels").contains(label + "="));
    }

    /** What a script says that a shell runs beside the program of the attempt. */
    private String inside(ProcessKey key, String script) {
        return kubectl("exec", Names.pod(key), "-c", "muster", "--", "sh", "-c", script);
    }

    private String kubectl(String... words) {
        try {
            Process process = new ProcessBuilder(
                            Stream.concat(Stream.of(cluster.testbed().toString(), "kubectl"), Stream.of(words))
                                    .toList())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Test
    void b24_nothingOfARemovedJobStaysOnANodeAlsoWhereOthersHoldItsPods() throws Exception {
        TrialJob job = job("echo ready; sleep 3");
        start(job);
        awaitLog(job.key(0, 1), "ready");
        // No courier of the next service goes to the pods of a job that is not asked about.
        backend.close();
        Backend next = restarted();
        try (Cluster admin = new Cluster(TestCluster.config(cluster.admin(), folders(), snapshots, instance()))) {
            String pod = Names.pod(job.key(0, 1));
            // As Kueue does: the pod stays to be seen when Muster has let go of it.
            var others = admin.client().pods().inNamespace(admin.namespace()).withName(pod);
            others.edit(each -> {
                each.getMetadata().getFinalizers().add("example.com/held");
                return each;
            });
            try {
                Await.until(
                        "it ends, and its kubelet begins to end Muster's container",
                        soon(),
                        () -> admin.pod(pod).filter(PodSeen::programIsOver).isPresent());
                next.remove(job.id());
                Await.until(
                        "Muster's container ends too",
                        soon(),
                        () -> admin.pod(pod)
                                .filter(each -> each.isOver() && !each.sidecarRuns())
                                .isPresent());
            } finally {
                others.edit(each -> {
                    each.getMetadata().getFinalizers().remove("example.com/held");
                    return each;
                });
            }
        }
    }

    @Test
    void a25_whatProcessesOfAPodDoIsSeenAndTheyGoOn() throws Exception {
        TrialJob job =
                job("").withArgv("python3", "-c", WaitingProgram.PYTHON).withEnv(Map.of("TOKEN", "no-secret-leaves"));
        start(job);
        awaitLog(job.key(0, 1), "ready");
        Evidence evidence = backend.evidence(job.key(0, 1));
        assertThat(evidence.processes())
                .hasSize(2)
                .allMatch(process -> process.program().startsWith("python3"));
        Doing main = evidence.processes().getFirst();
        assertThat(main.stack()).anyMatch(call -> call.startsWith("waits_here (<string>:"));
        assertThat(main.state()).isEqualTo('S');
        assertThat(main.cores()).isLessThan(evidence.processes().get(1).cores());
        try (Stream<Path> kept = Files.list(folders().evidence(job.key(0, 1)))) {
            List<Path> files = kept.toList();
            assertThat(files).hasSize(4);
            for (Path file : files) {
                assertThat(Files.readString(file)).doesNotContain("no-secret-leaves");
            }
        }
        awaitRunning(job.key(0, 1));
        backend.stop(job.key(0, 1), StopHow.KILL);
        assertThat(awaitEnd(job.key(0, 1)).code()).isEqualTo(137);
        assertThat(backend.evidence(job.key(0, 1))).isEqualTo(Evidence.NONE);
    }

    /** Does of a start, as its service did before it died, what comes before the pod is known as the attempt. */
    private void startIsBrokenOff(TrialJob job, Launch launch, ProcessKey held, boolean ordered) throws Exception {
        KubernetesConfig config = cluster.config(folders(), snapshots, instance());
        try (Cluster before = new Cluster(config)) {
            before.createSecret(new Objects(config).fence(launch.key(), Names.pod(held)));
            if (ordered) {
                PodSeen pod = before.pod(Names.pod(held)).orElseThrow();
                ReadyProcess process = new ReadyProcess(config, before);
                process.furnish(pod, launch);
                assertThat(process.order(pod, launch, new Renderer(folders()).render(launch)))
                        .isPresent();
            }
        }
        restarted();
        backend.prepare(launch.key().job(), launch.spec(), job.origin(), line -> {});
    }

    @Test
    void a12_aHandOverThatBrokeOffIsGoneOnWithWhereItWas() throws Exception {
        TrialJob job = twoWorkers();
        Placement placement = placeAll(job);
        holdReady(job, 1, placement);
        startIsBrokenOff(job, job.launch(0, 2, placement, "/"), held(job, 1), false);
        assertThat(seen(job.key(0, 2))).isEmpty();
        awaitRunning(held(job, 1));
        backend.start(job.launch(0, 2, placement, "/"));
        awaitLog(job.key(0, 2), "was told by worker 0 of attempt 2");
        assertThat(awaitEnd(held(job, 1)).code()).isZero();

        holdReady(job, 2, placement);
        startIsBrokenOff(job, job.launch(1, 2, placement, "/"), held(job, 2), true);
        assertThat(seen(job.key(1, 2))).isEmpty();
        backend.start(job.launch(1, 2, placement, "/"));
        backend.start(job.launch(1, 2, placement, "/"));
        awaitLog(job.key(1, 2), "was told by worker 0 of attempt 2");
        assertThat(awaitEnd(held(job, 2)).code()).isZero();
        for (int index = 0; index < 2; index++) {
            assertThat(log(job.key(index, 2)))
                    .startsWith("ready worker " + index + " 2 ")
                    .containsOnlyOnce("ready");
            ProcessKey key = job.key(index, 2);
            Await.until("it has joined", soon(), () -> awaitRunning(key).joined());
        }
    }

    @Test
    void a12_whoWasToBeHandedOverAndEndedIsStartedAnewAndWhoIsStoppedMeanwhileEnds() throws Exception {
        TrialJob job = twoWorkers();
        Placement placement = placeAll(job);
        holdReady(job, 1, placement);
        startIsBrokenOff(job, job.launch(0, 2, placement, "/"), held(job, 1), false);
        backend.stop(held(job, 1), StopHow.KILL);
        assertThat(awaitEnd(held(job, 1)).code()).isEqualTo(137);
        startWhenItCan(job, placement);
        awaitLog(job.key(0, 2), "was told by worker 0 of attempt 2");
        assertThat(log(job.key(0, 2))).startsWith("anew ");

        holdReady(job, 2, placement);
        startIsBrokenOff(job, job.launch(1, 2, placement, "/"), held(job, 2), true);
        backend.stop(job.key(1, 2), StopHow.KILL);
        // It runs no more, whichever it is known as.
        assertThat(awaitEnd(held(job, 2)).code()).isEqualTo(137);
    }

    @Test
    void a12_anAttemptIsThePodThatItsFenceNamesWhicheverElseIsReady() throws Exception {
        TrialJob job = twoWorkers();
        Placement placement = placeAll(job);
        holdReady(job, 1, placement);
        holdReady(job, 2, placement);
        startIsBrokenOff(job, job.launch(0, 2, placement, "/"), held(job, 2), false);
        backend.start(job.launch(0, 2, placement, "/"));
        assertThat(awaitEnd(held(job, 2)).code()).isZero();
        awaitLog(job.key(0, 2), "was told by worker 0 of attempt 2");
        assertThat(log(job.key(0, 2))).startsWith("ready ");
        awaitRunning(held(job, 1));
    }

    @Test
    void a12_twoServicesThatStartAtOnceStartEachAttemptOnce() throws Exception {
        TrialJob job = twoWorkers();
        Placement placement = placeAll(job);
        holdReady(job, 1, placement);
        KubernetesConfig config = cluster.config(folders(), snapshots, instance());
        try (KubernetesBackend other = new KubernetesBackend(config);
                ExecutorService both = Executors.newVirtualThreadPerTaskExecutor()) {
            other.prepare(job.id(), job.spec(), job.origin(), line -> {});
            other.observe(job.id());
            List<Future<?>> starts = new ArrayList<>();
            for (Backend each : List.of(backend, other)) {
                starts.add(both.submit(() -> {
                    each.start(job.launch(0, 2, placement, "/"));
                    each.start(job.launch(1, 2, placement, "/"));
                    return each;
                }));
            }
            for (Future<?> start : starts) {
                start.get();
            }
            for (int index = 0; index < 2; index++) {
                awaitLog(job.key(index, 2), "was told by worker 0 of attempt 2");
                assertThat(log(job.key(index, 2)))
                        .containsOnlyOnce("was told")
                        .containsOnlyOnce(" worker " + index + " 2 ");
            }
            assertThat(awaitEnd(held(job, 1)).code()).isZero();
            assertThat(other.observe(job.id()).stream().map(Sighting::key))
                    .containsExactlyInAnyOrder(job.key(0, 2), job.key(1, 2), held(job, 1));
        }
        try (Cluster each = new Cluster(config)) {
            assertThat(each.pods(Map.of(Labels.JOB, job.id().value()))).hasSize(2);
        }
    }

    /** As who starts it does: again until it is known what became of the pod that it was to be. */
    private void startWhenItCan(TrialJob job, Placement placement) throws Exception {
        Await.until("it is started", soon(), () -> {
            try {
                backend.start(job.launch(0, 2, placement, "/"));
                return true;
            } catch (BackendException notYet) {
                assertThat(notYet.kind()).isEqualTo(BackendException.Kind.NO_CONTACT);
                return false;
            }
        });
    }

    @Test
    void aPodThatCannotSayWhatItBecameIsEndedAndTheAttemptHasItsOwn() throws Exception {
        TrialJob job = twoWorkers();
        Placement placement = placeAll(job);
        holdReady(job, 1, placement);
        // As whoever claimed it was killed before he could say who he is.
        inside(held(job, 1), ": >/muster/state/is." + Names.pod(job.key(0, 2)));
        startWhenItCan(job, placement);
        awaitLog(job.key(0, 2), "was told by worker 0 of attempt 2");
        assertThat(log(job.key(0, 2))).startsWith("anew ");
        assertThat(awaitEnd(held(job, 1)).code()).isNotZero();
    }

    /** The pod has what the job's folders hold when it becomes the attempt, not when it was made. */
    @Test
    void whoTakesAPlaceFindsTheCheckpointsAsTheyAreThen() throws Exception {
        TrialJob job = twoWorkers();
        Path folder = Files.createDirectories(folders().checkpoints(job.id()));
        Files.writeString(folder.resolve("last"), "old");
        Files.writeString(folder.resolve("gone"), "old");
        Placement placement = placeAll(job);
        holdReady(job, 1, placement);
        Files.writeString(folder.resolve("last"), "newer");
        Files.writeString(folder.resolve("later"), "new");
        Files.delete(folder.resolve("gone"));
        backend.start(job.launch(0, 2, placement, "/"));
        awaitLog(job.key(0, 2), "was told by worker 0 of attempt 2");
        assertThat(log(job.key(0, 2))).startsWith("ready ");
        String there = inside(held(job, 1), "cd /muster/checkpoints && tail -n 1 last later; ls");
        assertThat(there).contains("newer", "new", "of-0").doesNotContain("gone", "old");
        assertThat(folder.resolve("gone")).doesNotExist();
    }

    @Test
    void b79_whoTookAPlaceIsFoundWithoutItsLabelsAndItsMembersServiceIsMadeAnew() throws Exception {
        TrialJob job = twoWorkers();
        Placement placement = placeAll(job);
        holdReady(job, 1, placement);
        backend.start(job.launch(0, 2, placement, "/"));
        awaitLog(job.key(0, 2), "was told by worker 0 of attempt 2");
        assertThat(log(job.key(0, 2))).startsWith("ready ");
        String service = Names.service(job.id(), job.key(0, 2).name().member());
        assertThat(kubectl("delete", "service", service)).contains("deleted");
        Await.until(
                "it is made anew",
                soon(),
                () -> kubectl("get", "service", service, "-o", "name", "--ignore-not-found")
                        .contains(service));
        backend.close();
        String pod = Names.pod(held(job, 1));
        assertThat(kubectl("label", "pod", pod, Labels.JOB + "-", Labels.MEMBER + "-"))
                .contains("unlabeled");
        restarted();
        assertThat(seen(job.key(0, 2)).orElseThrow()).isInstanceOf(Seen.Running.class);
        assertThat(kubectl("get", "pod", pod, "--show-labels")).contains(Labels.MEMBER + "=worker-0");
        backend.stop(job.key(0, 2), StopHow.KILL);
        assertThat(awaitEnd(job.key(0, 2)).code()).isEqualTo(137);
        assertThat(awaitEnd(held(job, 1)).code()).isZero();
    }
}
