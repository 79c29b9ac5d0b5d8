package dev.muster.server;

import dev.muster.artifacts.checkpoints.FolderCheckpointCatalogue;
import dev.muster.artifacts.code.FolderCodeStore;
import dev.muster.artifacts.models.FolderModelRegistry;
import dev.muster.artifacts.python.VirtualEnvironments;
import dev.muster.backend.docker.DockerBackend;
import dev.muster.backend.docker.DockerConfig;
import dev.muster.backend.kubernetes.KubernetesConfig;
import dev.muster.backend.kubernetes.Manifests;
import dev.muster.backend.local.CapacityText;
import dev.muster.backend.local.LocalBackend;
import dev.muster.backend.local.LocalConfig;
import dev.muster.control.FolderJobFiles;
import dev.muster.control.LogMonitor;
import dev.muster.control.Ports;
import dev.muster.control.Surroundings;
import dev.muster.control.ThisReplica;
import dev.muster.frameworks.Frameworks;
import dev.muster.model.BackendKind;
import dev.muster.model.Capacity;
import dev.muster.model.JobId;
import dev.muster.model.Problem;
import dev.muster.model.ProcessKey;
import dev.muster.model.Queues;
import dev.muster.server.config.ServerConfig;
import dev.muster.server.config.ServerConfig.Store;
import dev.muster.server.config.SettingException;
import dev.muster.server.failpoint.Failpoints;
import dev.muster.server.home.ReplicaName;
import dev.muster.server.jobs.AbsentBackends;
import dev.muster.server.jobs.JobChanges;
import dev.muster.server.service.Parts;
import dev.muster.server.system.MonotoneClock;
import dev.muster.server.system.RandomIds;
import dev.muster.spec.SpecWriter;
import dev.muster.spi.Backend;
import dev.muster.spi.Clock;
import dev.muster.spi.CodeStore;
import dev.muster.spi.Framework;
import dev.muster.spi.Ids;
import dev.muster.spi.JobFolders;
import dev.muster.spi.JobStore;
import dev.muster.spi.JobStore.Point;
import dev.muster.spi.JobStore.StoreException;
import dev.muster.store.CommitHook;
import dev.muster.store.PostgresJobStore;
import dev.muster.store.PostgresSettings;
import dev.muster.store.SqliteJobStore;
import dev.muster.store.SqliteLibrary;
import dev.muster.store.TellingJobStore;
import dev.muster.telemetry.EvidenceReader;
import dev.muster.telemetry.FileTelemetry;
import dev.muster.telemetry.LogReader;
import dev.muster.telemetry.Outlet;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Puts a service together: the one place that knows which part stands behind each port. */
final class Wiring {
    private static final Logger LOG = System.getLogger(Wiring.class.getName());
    private static final String CAPACITY = "MUSTER_CAPACITY";
    private static final String DOCKER_CAPACITY = "MUSTER_DOCKER_CAPACITY";
    private static final String DOCKER_GPUS = "MUSTER_DOCKER_GPUS";
    private static final String GPU_RESOURCE = "MUSTER_KUBERNETES_GPU";
    private static final List<BackendKind> ON_A_CLUSTER = List.of(BackendKind.KUBERNETES, BackendKind.KUBEFLOW);
    private static final Duration LEASE = Duration.ofSeconds(15);

    private final JobFolders folders;
    private final Map<String, String> environment;
    private final Optional<ServerConfig> config;
    private final JobChanges changes = new JobChanges();
    private final SpecWriter codec = new SpecWriter();

    private Wiring(Path home, Map<String, String> environment, Optional<ServerConfig> config) {
        this.folders = new JobFolders(home);
        this.environment = environment;
        this.config = config;
    }

    /**
     * Opens everything of an embedded service, below a home that is held.
     *
     * @param environment of the service
     * @throws SettingException when a setting in the environment is wrong
     */
    static Parts open(Path home, Map<String, String> environment) throws IOException, SettingException {
        return new Wiring(home, environment, Optional.empty()).open();
    }

    /**
     * Opens everything of a service that is configured.
     *
     * @param home its home, held
     */
    static Parts open(Path home, Map<String, String> environment, ServerConfig config)
            throws IOException, SettingException {
        return new Wiring(home, environment, Optional.of(config)).open();
    }

    private Parts open() throws IOException, SettingException {
        Failpoints failpoints = Failpoints.of(environment);
        JobStore store = new TellingJobStore(store(failpoints.commits()), changes::changed);
        Clock clock = MonotoneClock.startingAfter(store.latestTime());
        CodeStore code = new FolderCodeStore(folders.home());
        Executor slow = Executors.newVirtualThreadPerTaskExecutor();
        // Whole checkpoints are read for their digests: one after the other, to leave the disk to the training.
        Executor oneAtATime =
                Executors.newSingleThreadExecutor(Thread.ofVirtual().factory());
        Ports ports = failpoints.around(new Ports(
                store,
                backends(code, clock, store),
                Frameworks.all().stream().collect(Collectors.toMap(Framework::kind, Function.identity())),
                new VirtualEnvironments(folders.home(), clock, environment, slow),
                new FolderCheckpointCatalogue(folders, clock, oneAtATime),
                new FolderModelRegistry(folders.home(), clock),
                FileTelemetry.start(folders, clock, outlet(store))));
        Surroundings surroundings = new Surroundings(
                clock,
                RandomIds.notAmong(id -> store.find(id).isPresent()),
                failpoints.around(new FolderJobFiles(folders)),
                slow,
                new LogMonitor(clock),
                replica(),
                config.map(ServerConfig::longest).orElse(Surroundings.FOREVER),
                config.map(ServerConfig::queues).orElse(Queues.STANDARD));
        return new Parts(
                ports,
                absent(ports.backends().keySet()),
                surroundings,
                new LogReader(folders, clock),
                new EvidenceReader(folders),
                code,
                codec,
                changes,
                manifests());
    }

    private Manifests manifests() {
        return new Manifests(environment.getOrDefault(GPU_RESOURCE, KubernetesConfig.GPU_RESOURCE));
    }

    private JobStore store(CommitHook commits) throws IOException {
        Store place = config.map(ServerConfig::store)
                .orElse(new Store.Sqlite(folders.home().resolve("store")));
        return switch (place) {
            case Store.Sqlite(Path folder) -> {
                SqliteLibrary.unpacked(folders.home().resolve("native")).forEach(System::setProperty);
                yield SqliteJobStore.open(folder, codec, Wiring::unreadable, commits);
            }
            case Store.Postgresql postgresql ->
                PostgresJobStore.open(settings(postgresql), codec, Wiring::unreadable, commits);
        };
    }

    private static PostgresSettings settings(Store.Postgresql place) throws IOException {
        Optional<String> password = Optional.empty();
        if (place.passwordFile().isPresent()) {
            password = Optional.of(Files.readString(place.passwordFile().get()).strip());
        }
        return new PostgresSettings(place.url(), place.user(), password, place.keyFile());
    }

    /**
     * Looks whether the store could be opened, where that can be told without changing anything.
     *
     * @throws StoreException when it could not
     */
    static void check(Store place) throws IOException {
        if (place instanceof Store.Postgresql postgresql) {
            PostgresJobStore.check(settings(postgresql));
        }
    }

    private boolean isShared() {
        return config.isPresent() && config.get().store() instanceof Store.Postgresql;
    }

    /** Alone over a store of its own; one of several, perhaps, over one that can be shared. */
    private ThisReplica replica() throws IOException {
        if (!isShared()) {
            return ThisReplica.ALONE;
        }
        String host = config.get().host();
        return new ThisReplica(ReplicaName.of(folders.home(), host), Optional.of(host), LEASE);
    }

    private Set<BackendKind> offered() {
        return config.map(ServerConfig::backends).orElse(EnumSet.allOf(BackendKind.class));
    }

    /** Those that are offered and not there. */
    private AbsentBackends absent(Set<BackendKind> there) {
        Map<BackendKind, Problem> absent = new EnumMap<>(BackendKind.class);
        ON_A_CLUSTER.stream()
                .filter(kind -> offered().contains(kind) && !there.contains(kind))
                .forEach(kind ->
                        absent.put(kind, new ClusterSettings(folders, environment, kind).absence(config.isEmpty())));
        return new AbsentBackends(absent);
    }

    /** Only those that are offered are made at all. */
    private Map<BackendKind, Backend> backends(CodeStore code, Clock clock, JobStore store)
            throws SettingException, IOException {
        Set<BackendKind> offered = offered();
        Map<BackendKind, Backend> backends = new EnumMap<>(BackendKind.class);
        if (offered.contains(BackendKind.LOCAL)) {
            backends.put(BackendKind.LOCAL, local(code));
        }
        if (offered.contains(BackendKind.DOCKER)) {
            backends.put(BackendKind.DOCKER, docker(code, store));
        }
        for (BackendKind kind : ON_A_CLUSTER) {
            if (offered.contains(kind)) {
                new ClusterSettings(folders, environment, kind)
                        .backend(code, clock, freshNames(store), isShared())
                        .ifPresent(cluster -> backends.put(kind, cluster));
            }
        }
        return backends;
    }

    private LocalBackend local(CodeStore code) throws SettingException {
        LocalConfig machine = LocalConfig.ofThisMachine(folders, code, environment);
        if (config.isPresent()) {
            return new LocalBackend(machine.withCapacity(config.get().capacity().orElse(machine.capacity()))
                    .withRunAs(config.get().runAs()));
        }
        String text = environment.getOrDefault(CAPACITY, "");
        if (text.isBlank()) {
            return new LocalBackend(machine);
        }
        CapacityText read = CapacityText.read(text, machine.capacity());
        SettingException.unlessEmpty(read.problems());
        return new LocalBackend(machine.withCapacity(read.capacity()));
    }

    private static Supplier<String> freshNames(JobStore store) {
        Ids names = RandomIds.notAmong(id -> store.find(id).isPresent());
        return () -> names.next().value();
    }

    /** Asks nothing of a dockerd before there is a job for it. */
    private DockerBackend docker(CodeStore code, JobStore store) throws SettingException {
        SettingException.unlessEmpty(DockerConfig.check(environment));
        String text = environment.getOrDefault(DOCKER_CAPACITY, "");
        List<String> gpus = Stream.of(environment.getOrDefault(DOCKER_GPUS, "").split(","))
                .map(String::strip)
                .filter(id -> !id.isEmpty())
                .toList();
        DockerConfig docker =
                DockerConfig.of(folders, code, environment, freshNames(store)).withGpus(gpus);
        if (text.isBlank()) {
            return new DockerBackend(docker);
        }
        CapacityText read = CapacityText.read(text, Capacity.ZERO);
        SettingException.unlessEmpty(read.problems().stream()
                .map(problem -> new Problem(DOCKER_CAPACITY, problem.message(), problem.suggestion()))
                .toList());
        return new DockerBackend(
                docker.withCapacity(whole -> CapacityText.read(text, whole).capacity()));
    }

    private static Outlet outlet(JobStore store) {
        return new Outlet() {
            @Override
            public void points(JobId job, List<Point> points) {
                store.metrics(job, points);
            }

            @Override
            public void remark(ProcessKey key, String text) {
                LOG.log(Level.WARNING, key + ": " + text);
            }
        };
    }

    private static void unreadable(String job, String why) {
        LOG.log(Level.ERROR, "job " + job + " cannot be read and is passed over: " + why);
    }
}
