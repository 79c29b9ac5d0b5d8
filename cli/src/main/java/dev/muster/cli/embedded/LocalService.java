package dev.muster.cli.embedded;

import dev.muster.api.JobDocument;
import dev.muster.api.JobPage;
import dev.muster.api.ServiceDocument;
import dev.muster.api.ServiceFile;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.base.Failure;
import dev.muster.cli.base.Surroundings;
import dev.muster.cli.client.Api;
import dev.muster.cli.client.Client;
import dev.muster.cli.client.Endpoint;
import dev.muster.cli.client.Query;
import dev.muster.cli.client.ServiceFinder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** The service of MUSTER_HOME as it is: looked at and stopped, never started. */
public final class LocalService {
    private static final long STEP_MILLISECONDS = 20;
    private static final String ON_A_BACKEND = "Admitted,Starting,Running,Restarting,Stopping";

    private final Surroundings surroundings;
    private final Duration patience;
    private final HomeFiles files;

    public LocalService(Surroundings surroundings) {
        this(surroundings, Settling.PATIENCE);
    }

    /**
     * @param patience how long the service may take to answer, and then to end
     */
    LocalService(Surroundings surroundings, Duration patience) {
        this.surroundings = surroundings;
        this.patience = patience;
        this.files = new HomeFiles(surroundings.home());
    }

    /** Whether one runs, and where. */
    public ServiceDocument status() {
        Optional<ServiceFile> file = files.serviceFile();
        if (!isLocked()) {
            return ServiceDocument.NONE;
        }
        return file.map(LocalService::document).orElseGet(this::untold);
    }

    /** The URL of the service for several people that runs here, where it is one. */
    public Optional<String> sharedUrl() {
        return files.sharedUrl().filter(url -> isLocked());
    }

    /** A service lives, as its lock tells, and somebody has removed the file in which it told where. */
    private ServiceDocument untold() {
        return new ServiceDocument(true, files.lockHolder(), files.sharedUrl(), Optional.empty());
    }

    private static ServiceDocument document(ServiceFile found) {
        return new ServiceDocument(
                true, OptionalLong.of(found.pid()), Optional.of(found.address()), Optional.of(found.build()));
    }

    /**
     * Stops it and waits until its process is gone. Workers go on.
     *
     * @param cancel cancel every live job first, and wait for that
     * @return what ran before
     * @throws Failure when it is one for several people
     */
    public ServiceDocument stop(boolean cancel) {
        if (!isLocked()) {
            return ServiceDocument.NONE;
        }
        Optional<String> shared = files.sharedUrl();
        if (shared.isPresent()) {
            throw Failure.refused("the service in " + files.home().folder() + " is one for several people, at "
                    + shared.get()
                    + ", and not stopped from here: whoever runs it stops it, or a token of scope admin by POST "
                    + shared.get() + "/v1/service/stop");
        }
        // A service whose file was removed writes it anew after some seconds.
        waitWhile(() -> files.serviceFile().isEmpty() && isLocked());
        Optional<ServiceFile> file = files.serviceFile();
        if (!isLocked()) {
            return ServiceDocument.NONE;
        }
        ServiceDocument before = file.map(LocalService::document).orElseGet(this::untold);
        file.ifPresentOrElse(told -> ask(told, cancel), () -> end(before, cancel));
        if (!waitWhile(() -> isLockedBy(before) || file.filter(HomeFiles::lives).isPresent())) {
            String pid = shown(before);
            throw Failure.notReached("the service (pid " + pid + ") was asked to stop, and still runs after "
                    + patience.toSeconds() + " s: kill -9 " + pid + " ends it, its workers go on");
        }
        return before;
    }

    /** Whoever follows a job has soon started another one. */
    private boolean isLockedBy(ServiceDocument service) {
        OptionalLong holder = files.lockHolder();
        boolean another = holder.isPresent() && service.pid().isPresent() && !holder.equals(service.pid());
        return isLocked() && !another;
    }

    /** Ends one that cannot be asked, by a signal. */
    private void end(ServiceDocument untold, boolean cancel) {
        Optional<ProcessHandle> process =
                untold.pid().isPresent() ? ProcessHandle.of(untold.pid().getAsLong()) : Optional.empty();
        if (cancel || process.isEmpty()) {
            throw Failure.notReached("the service (pid " + shown(untold) + ") holds "
                    + files.home().serviceLock() + " but does not tell where it listens, as "
                    + files.home().serviceFile() + " was removed; without --cancel it is ended by a signal");
        }
        process.get().destroy();
    }

    private static String shown(ServiceDocument service) {
        return service.pid().isPresent() ? Long.toString(service.pid().getAsLong()) : "unknown";
    }

    /** False when that is still so at the end of the patience. */
    private boolean waitWhile(BooleanSupplier condition) {
        long start = System.nanoTime();
        while (condition.getAsBoolean()) {
            if (System.nanoTime() - start > patience.toNanos()) {
                return false;
            }
            pause();
        }
        return true;
    }

    /** One that is about to end may have closed its door already; whether it ends is seen by its lock. */
    private void ask(ServiceFile file, boolean cancel) {
        try {
            new Api(new Client(only(file))).stopService(cancel, patience);
        } catch (Failure failure) {
            if (failure.exitCode() != ExitCode.NOT_REACHED || cancel) {
                throw failure;
            }
        }
    }

    /** Settings in this environment that the running service was started without or with others, a sentence each. */
    public List<String> differentSettings() {
        Optional<ServiceFile> file = living();
        List<String> differences = new ArrayList<>();
        if (file.isEmpty()) {
            return differences;
        }
        Optional<List<String>> environment = environment(file.get().pid());
        for (String name : environment.isPresent() ? ServiceEnvironment.SETTINGS : List.<String>of()) {
            Optional<String> here = surroundings.variable(name);
            Optional<String> there = environment.get().stream()
                    .filter(entry -> entry.startsWith(name + "="))
                    .map(entry -> entry.substring(name.length() + 1))
                    .filter(value -> !value.isEmpty())
                    .findFirst();
            if (!here.equals(there)) {
                differences.add(
                        name + " is " + here.orElse("not set") + " here and " + there.orElse("not set")
                                + " for the running service; to change it: muster local stop (workers go on), then any command");
            }
        }
        return differences;
    }

    /** Backends that live jobs wait to hear from, a sentence each with what the way there says; none where the service does not answer. */
    public List<String> silentBackends() {
        Optional<ServiceFile> file = living();
        if (file.isEmpty()) {
            return List.of();
        }
        try {
            Query live = new Query().put("state", Optional.of(ON_A_BACKEND));
            return JobPage.of(new Api(new Client(only(file.get()))).jobs(live)).items().stream()
                    .filter(job -> job.noContact().isPresent())
                    .collect(Collectors.toMap(JobDocument::backend, LocalService::silence, (newest, older) -> newest))
                    .values()
                    .stream()
                    .sorted()
                    .toList();
        } catch (Failure unanswered) {
            return List.of();
        }
    }

    private static String silence(JobDocument job) {
        return "backend " + job.backend() + ", job " + job.name() + ": "
                + job.reason().orElse("no contact since " + job.noContact().orElseThrow());
    }

    private Optional<ServiceFile> living() {
        return files.serviceFile().filter(file -> isLocked());
    }

    private boolean isLocked() {
        if (!Files.exists(files.home().serviceLock())) {
            return false;
        }
        try (StartLock _ = StartLock.take(files.home().startLock(), Settling.PATIENCE, line -> {})) {
            return files.isServiceLocked();
        }
    }

    private ServiceFinder only(ServiceFile file) {
        Endpoint endpoint = files.endpoint(file)
                .orElseThrow(
                        () -> Failure.notReached("the token file " + file.tokenFile() + " of the service is gone"));
        return new ServiceFinder() {
            @Override
            public Endpoint find() {
                return endpoint;
            }

            @Override
            public Endpoint findAgain(Endpoint failed, String why) {
                throw Failure.notReached("the service (pid " + file.pid() + ") does not answer: " + why);
            }
        };
    }

    /** What the process was started with, where the system tells. */
    private static Optional<List<String>> environment(long pid) {
        try {
            byte[] bytes = Files.readAllBytes(Path.of("/proc", Long.toString(pid), "environ"));
            return Optional.of(List.of(new String(bytes, StandardCharsets.UTF_8).split("\0")));
        } catch (IOException notTold) {
            return Optional.empty();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(STEP_MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw Failure.notReached("interrupted while waiting for the end of the service");
        }
    }
}
