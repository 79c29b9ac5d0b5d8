package dev.muster.backend.docker;

import dev.muster.backend.docker.DockerApi.Refusal;
import dev.muster.formats.files.Folders;
import dev.muster.model.BackendKind;
import dev.muster.model.Capacity;
import dev.muster.model.Cause;
import dev.muster.model.EnvironmentSpec;
import dev.muster.model.JobId;
import dev.muster.model.JobSpec;
import dev.muster.model.LaunchPlan;
import dev.muster.model.Member;
import dev.muster.model.Origin;
import dev.muster.model.Placement;
import dev.muster.model.Problem;
import dev.muster.model.ProcessKey;
import dev.muster.model.RoleSpec;
import dev.muster.spi.Backend;
import dev.muster.spi.BackendException;
import dev.muster.spi.BackendException.Kind;
import dev.muster.spi.Evidence;
import dev.muster.spi.Launch;
import dev.muster.spi.Rendered;
import dev.muster.spi.Sighting;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/**
 * Runs processes as containers of a dockerd. A container's name is the fence that lets an attempt start once; its labels tell a new service
 * whose it is. Nothing is asked of dockerd before there is a job for it.
 */
public final class DockerBackend implements Backend {
    private final DockerConfig config;
    private final DockerApi api;
    private final Dockerd dockerd;
    private final Installation installation;
    private final Images images;
    private final Requirements requirements;
    private final Networks networks;
    private final Records records;
    private final Deliveries deliveries;
    private final Attempts attempts;
    private final Watch watch;
    private final HandOver handOver;

    /** What was made ready for the roles of a job. */
    private final Map<JobId, Map<String, Prepared>> prepared = new ConcurrentHashMap<>();

    /**
     * What was made ready for a role.
     *
     * @param image  its image
     * @param python volume with its requirements
     */
    private record Prepared(ImageFacts image, Optional<String> python) {}

    /** Asks nothing of dockerd yet. */
    public DockerBackend(DockerConfig config) {
        this.config = config;
        api = new DockerApi(DockerAddress.of(config.dockerHost()));
        dockerd = new Dockerd(api, config.folders().home().resolve("docker").resolve("machine"));
        installation = new Installation(config.folders().home(), config.freshName());
        images = new Images(api, config.retryPause());
        requirements = new Requirements(api);
        networks = new Networks(api, new Gpus(api, config.gpus()));
        records = new Records(config.folders());
        deliveries = new Deliveries(config, api, installation);
        watch = new Watch(api);
        attempts = new Attempts(api, dockerd, records, deliveries, watch, new Look(api, config.freshName()));
        handOver = new HandOver(api, config.folders(), new Identities(dockerd, records), networks, deliveries);
    }

    @Override
    public BackendKind kind() {
        return BackendKind.DOCKER;
    }

    @Override
    public boolean hasOwnPython() {
        return true;
    }

    @Override
    public String moreSharedMemory() {
        return "docker.shmSize of the job is the size of /dev/shm, 64 MiB where it is not set";
    }

    @Override
    public List<Problem> check(JobSpec spec) {
        List<Problem> problems = new ArrayList<>();
        Set<String> runtimes = Set.of();
        try {
            runtimes = dockerd.runtimes();
        } catch (BackendException unreached) {
            problems.add(
                    Problem.of(
                            "backend",
                            unreached.getMessage(),
                            "start dockerd, let the service's user use its socket (group docker), or set DOCKER_HOST for the service:"
                                    + " export it, and where a service of this machine runs already without it, muster local stop (workers go on)"));
        }
        problems.addAll(new DockerChecks(config.mounts(), runtimes).check(spec));
        return problems;
    }

    /** As dockerd last told; where nothing was ever told nothing is too large, as {@link #check} asks and tells when there is no answer. */
    @Override
    public Capacity capacity() {
        return dockerd.capacity(config.gpus().size(), hadJobs())
                .map(config.capacity())
                .orElse(new Capacity(Integer.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Integer.MAX_VALUE));
    }

    private boolean hadJobs() {
        try {
            return installation.known().isPresent();
        } catch (IOException unreadable) {
            return false;
        }
    }

    @Override
    public void prepare(JobId job, JobSpec spec, Origin origin, Consumer<String> progress) throws BackendException {
        Map<String, Prepared> roles = new HashMap<>();
        for (Map.Entry<String, RoleSpec> role : spec.everyRole().entrySet()) {
            EnvironmentSpec environment = role.getValue().environment();
            String image = DockerChecks.image(environment);
            ImageFacts facts = images.have(image, progress);
            Optional<String> python = Optional.empty();
            if (Renderer.hasRequirements(environment)) {
                String content = environment
                        .python()
                        .flatMap(EnvironmentSpec.Python::requirements)
                        .map(origin.requirements()::get)
                        .orElse("");
                python = Optional.of(
                        requirements.have(image, facts, Renderer.interpreter(environment), content, progress));
            }
            roles.put(role.getKey(), new Prepared(facts, python));
        }
        prepared.put(job, roles);
    }

    @Override
    public Placement place(JobId job, int attempt, JobSpec spec, LaunchPlan plan) throws BackendException {
        return networks.place(begin(), job, spec, plan);
    }

    @Override
    public Placement sample(JobSpec spec, LaunchPlan plan) {
        Map<Member, String> devices = new HashMap<>();
        Gpus.wanted(spec, plan).forEach((member, count) -> devices.put(member, String.join(",", sampleGpus(count))));
        return Networks.sample(plan, devices);
    }

    private static List<String> sampleGpus(int count) {
        List<String> ids = new ArrayList<>();
        for (int id = 0; id < count; id++) {
            ids.add(Integer.toString(id));
        }
        return ids;
    }

    @Override
    public Rendered render(Launch launch) {
        return new Renderer(launch, facts(launch), config.folders()).render();
    }

    private ImageFacts facts(Launch launch) {
        Prepared ready = ready(launch);
        if (ready != null) {
            return ready.image();
        }
        try {
            return images.known(DockerChecks.image(launch.role().environment())).orElse(ImageFacts.UNKNOWN);
        } catch (BackendException unreached) {
            return ImageFacts.UNKNOWN;
        }
    }

    private Prepared ready(Launch launch) {
        return prepared.getOrDefault(launch.key().job(), Map.of())
                .get(launch.key().name().role());
    }

    @Override
    public void start(Launch launch) throws BackendException {
        String home = begin();
        Prepared ready = ready(launch);
        Optional<String> python = ready == null ? Optional.empty() : ready.python();
        try {
            new Starter(api, dockerd, records, new Containers(home), deliveries, handOver)
                    .start(launch, new Renderer(launch, facts(launch), config.folders()).render(), python);
        } catch (IOException failed) {
            throw Failures.of(launch.key().name() + " could not be started", failed);
        }
        watch.tell(launch.key().job());
    }

    @Override
    public void stop(ProcessKey key, StopHow how) throws BackendException {
        switch (how) {
            case ASK -> attempts.ask(key);
            case KILL -> attempts.kill(key);
        }
    }

    @Override
    public List<Sighting> observe(JobId job) throws BackendException {
        try {
            Optional<String> home = known();
            return home.isEmpty() ? List.of() : attempts.observe(home.get(), job);
        } catch (IOException failed) {
            throw Failures.unreadable(job, failed);
        }
    }

    @Override
    public Evidence evidence(ProcessKey key) throws BackendException {
        try {
            return attempts.evidence(key, config.folders().evidence(key));
        } catch (IOException failed) {
            throw Failures.of("it could not be seen why " + key.name() + " does not go on", failed);
        }
    }

    @Override
    public void sweep(ProcessKey key) throws BackendException {
        attempts.kill(key);
    }

    @Override
    public void collect(JobId job) throws BackendException {
        try {
            Optional<String> home = known();
            if (home.isPresent()) {
                deliveries.collect(job, attempts.containers(home.get(), job).values());
            }
        } catch (IOException failed) {
            throw Failures.of("what job " + job + " wrote could not be collected", failed);
        } catch (Refusal refusal) {
            throw refusal.as(Kind.FAILED, Cause.INTERNAL, "what job " + job + " wrote could not be collected");
        }
    }

    @Override
    public void release(JobId job) throws BackendException {
        try {
            if (known().isPresent()) {
                networks.release(job);
            }
        } catch (IOException failed) {
            throw Failures.of("the network of job " + job + " could not be given back", failed);
        }
    }

    @Override
    public void remove(JobId job) throws BackendException {
        try {
            Optional<String> home = known();
            if (home.isPresent()) {
                attempts.remove(home.get(), job);
                networks.release(job);
                deliveries.remove(job);
            }
            Folders.delete(config.folders().job(job).resolve("processes"));
            records.remove(job);
            prepared.remove(job);
        } catch (IOException failed) {
            throw Failures.of("what was made for job " + job + " could not be removed", failed);
        } catch (Refusal refusal) {
            throw refusal.as(Kind.FAILED, Cause.INTERNAL, "what was made for job " + job + " could not be removed");
        }
    }

    /** Asks dockerd only where there ever was a job. */
    @Override
    public Set<JobId> jobs() throws BackendException {
        try {
            Optional<String> home = known();
            if (home.isEmpty()) {
                return Set.of();
            }
            Set<JobId> jobs = new HashSet<>(records.jobs());
            for (JsonNode labels : dockerd.networks(home.get())) {
                Names.job(labels).ifPresent(jobs::add);
            }
            dockerd.containers(Names.is(Names.HOME, home.get())).keySet().forEach(key -> jobs.add(key.job()));
            return jobs;
        } catch (IOException failed) {
            throw Failures.of("the folders of jobs cannot be listed", failed);
        }
    }

    @Override
    public void listen(Consumer<JobId> changed) {
        watch.add(changed);
    }

    /** There is a job: what goes on at dockerd is listened to from now on. */
    private String begin() throws BackendException {
        try {
            String home = installation.name();
            watch.begin(home);
            return home;
        } catch (IOException failed) {
            throw Failures.of("this installation could not be given a name", failed);
        }
    }

    private Optional<String> known() throws IOException {
        Optional<String> home = installation.known();
        home.ifPresent(watch::begin);
        return home;
    }

    @Override
    public void close() {
        watch.close();
        deliveries.close();
    }
}
