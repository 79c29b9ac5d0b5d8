package dev.muster.cli.embedded;

import dev.muster.api.ProblemDocument;
import dev.muster.api.ProblemType;
import dev.muster.api.ServiceFile;
import dev.muster.api.ServiceHome;
import dev.muster.api.StopRequest;
import dev.muster.cli.base.Failure;
import dev.muster.cli.base.Notes;
import dev.muster.cli.client.Client;
import dev.muster.cli.client.Endpoint;
import dev.muster.cli.client.Request;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Under the start lock: waits until a service answers, starts one when none lives, and has one of another build replaced. */
final class Settling {
    static final Duration PATIENCE = Duration.ofSeconds(20);
    /** One that hangs shall not be waited for without end. */
    private static final Duration ANSWER = Duration.ofSeconds(10);

    private static final long STEP_MILLISECONDS = 15;
    /** Exit codes of the service: a setting is wrong; it refuses its home; there is no room on the disk of its home. */
    private static final int WRONG = 2;

    private static final int REFUSED = 6;

    private static final int DISK_FULL = 28;

    private final HomeFiles files;
    private final ServiceLauncher launcher;
    private final Optional<String> build;
    private final Notes notes;
    private long start = System.nanoTime();
    private long outputFrom;
    private Optional<Process> started = Optional.empty();
    private boolean replacing;
    private boolean stopAsked;
    private boolean signalled;

    /**
     * @param build the only build to accept; any when empty
     */
    Settling(HomeFiles files, ServiceLauncher launcher, Optional<String> build, Notes notes) {
        this.files = files;
        this.launcher = launcher;
        this.build = build;
        this.notes = notes;
    }

    Endpoint settle() {
        while (true) {
            // Before a service has taken its lock, the lock may not be asked for.
            boolean alive = started.isPresent() ? started.get().isAlive() : files.isServiceLocked();
            if (alive && started.isEmpty()) {
                files.sharedUrl().map(files::shared).ifPresent(Settling::refuse);
            }
            Optional<Endpoint> endpoint = alive ? answering() : Optional.empty();
            if (endpoint.isPresent()) {
                return endpoint.get();
            }
            if (!alive) {
                start();
            } else if (waited().compareTo(PATIENCE) > 0) {
                giveUp();
            }
            pause();
        }
    }

    private static void refuse(Failure failure) {
        throw failure;
    }

    /** The service, when it answers and is of the right build; one of another build is asked to stop. */
    private Optional<Endpoint> answering() {
        Optional<ServiceFile> file = files.serviceFile().filter(this::isOfTheLivingService);
        Optional<Endpoint> endpoint = file.flatMap(files::endpoint);
        if (endpoint.isEmpty() || stopAsked) {
            return Optional.empty();
        }
        if (build.isPresent() && !file.get().build().equals(build.get())) {
            if (!replacing) {
                replacing = true;
                notes.say("replacing the Muster service of another build; its workers go on");
            }
            stopAsked = Client.answers(
                    endpoint.get(),
                    Request.post("/service/stop", new StopRequest(false)).within(ANSWER));
            return Optional.empty();
        }
        return endpoint.filter(
                there -> Client.answers(there, Request.get("/ready").within(ANSWER)));
    }

    /** A file left behind by a dead service may name a port that is now someone else's. */
    private boolean isOfTheLivingService(ServiceFile file) {
        return started.isEmpty() || file.pid() == started.get().pid();
    }

    private void start() {
        if (started.isPresent()) {
            throw ended(started.get().exitValue());
        }
        start = System.nanoTime();
        stopAsked = false;
        ServiceLauncher.Started now = launcher.start(files.home());
        outputFrom = now.outputFrom();
        started = Optional.of(now.process());
        notes.say("starting the Muster service (state in " + files.home().folder() + "; `muster local stop` ends it)");
    }

    /** One that refuses its settings or its home says why in words for the user, and asking again does not help. */
    private Failure ended(int exitCode) {
        List<String> said = LastLines.ofOne(files.home(), outputFrom);
        String words = said.isEmpty() ? "it said nothing" : String.join("\n", said);
        return switch (exitCode) {
            // On a full disk what it said is often lost.
            case DISK_FULL ->
                Failure.of(ProblemDocument.of(
                        ProblemType.DISK_FULL,
                        said.isEmpty()
                                ? "The service could not start: the disk of "
                                        + files.home().folder() + " is full. Make room and try again."
                                : words));
            case WRONG -> Failure.badInput(words);
            case REFUSED -> Failure.refused(words);
            default ->
                Failure.notReached("the service ended at its start with exit code " + exitCode + "\nlast lines of "
                        + ServiceLauncher.output(files.home()) + ":\n  " + words.replace("\n", "\n  "));
        };
    }

    private void giveUp() {
        ServiceHome home = files.home();
        if (started.isPresent()) {
            started.get().destroy();
            throw Failure.notReached("the service did not answer within " + PATIENCE.toSeconds() + " s of its start"
                    + LastLines.of(home));
        }
        Optional<ProcessHandle> process = files.serviceFile().flatMap(file -> ProcessHandle.of(file.pid()));
        if (replacing && !signalled && process.isPresent()) {
            signalled = true;
            start = System.nanoTime();
            process.get().destroy();
            return;
        }
        String pid = process.isPresent() ? " (pid " + process.get().pid() + ")" : "";
        throw Failure.notReached("a service" + pid + " holds " + home.serviceLock() + " but does not answer for "
                + PATIENCE.toSeconds() + " s: end it with kill -9, its workers go on" + LastLines.of(home));
    }

    private Duration waited() {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private static void pause() {
        try {
            Thread.sleep(STEP_MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw Failure.notReached("interrupted while waiting for the service");
        }
    }
}
