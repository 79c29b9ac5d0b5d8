package dev.muster.server.service;

import dev.muster.api.ServiceDocument;
import dev.muster.api.ServiceFile;
import dev.muster.control.ControlThreads;
import dev.muster.control.Jobs;
import dev.muster.server.access.Audit;
import dev.muster.server.artifacts.CodeRoutes;
import dev.muster.server.artifacts.ModelRoutes;
import dev.muster.server.home.MusterHome;
import dev.muster.server.http.Access;
import dev.muster.server.http.Audited;
import dev.muster.server.http.ErrorAnswers;
import dev.muster.server.http.Handler;
import dev.muster.server.http.Listener;
import dev.muster.server.http.Route;
import dev.muster.server.http.Routes;
import dev.muster.server.jobs.HostPaths;
import dev.muster.server.jobs.JobApi;
import dev.muster.server.jobs.JobEnds;
import dev.muster.server.jobs.LocalUse;
import dev.muster.server.measure.MeasureRoute;
import dev.muster.server.measure.Requests;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The running service. Its workers do not depend on it: when it ends, by whatever way, they go on, and the next one adopts them. */
public final class Service implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Service.class.getName());

    /** For a service that does not end because nobody uses it. */
    public static final Duration NEVER_IDLE = Duration.ofDays(365_000);

    private static final Duration LOOK_AT_HOME = Duration.ofSeconds(10);

    private final MusterHome home;
    private final Parts parts;
    private final Front front;
    private final String build;
    private final Audit audit;
    private final Requests requests;
    private final ControlThreads control;
    private final Activity activity;
    private final Listener listener;
    private final CountDownLatch stop = new CountDownLatch(1);
    private boolean closed;

    private Service(MusterHome home, Parts parts, Front front, String build) {
        this.home = home;
        this.parts = parts;
        this.front = front;
        this.build = build;
        this.audit = Audit.to(front.audit());
        this.control = new ControlThreads(parts.ports(), parts.surroundings());
        this.requests = new Requests(parts.surroundings().clock());
        Jobs jobs = new Jobs(parts.ports(), parts.surroundings(), control.reconciler());
        Routes routes = new Routes(routes(jobs));
        this.activity = new Activity(parts.surroundings().clock(), routes);
        Access access = new Access(front.callers(), routes::isOpen, activity);
        Handler audited = new Audited(audit, parts.surroundings().clock(), new ErrorAnswers(access));
        this.listener = Listener.open(front.listen(), front.tls(), requests.around(audited));
        access.serveAs(front.hosts(listener.port()), front.origins(listener.port()));
    }

    /**
     * Takes up all jobs and answers requests. Nobody knows where until {@link #announce}.
     *
     * @param parts all of them, open; closed with the service
     * @param front what it shows to the outside
     * @param build the build that clients compare with theirs
     */
    public static Service start(MusterHome home, Parts parts, Front front, String build) throws IOException {
        Service service = new Service(home, parts, front, build);
        service.control.start();
        return service;
    }

    /** Tells clients where it answers, unless it is closed already. What is to close it at a signal is in place before this is called. */
    public synchronized void announce() throws IOException {
        if (closed) {
            return;
        }
        ProcessHandle self = ProcessHandle.current();
        home.announce(new ServiceFile(
                self.pid(),
                self.info().startInstant().orElse(Instant.EPOCH),
                address(),
                home.paths().token().toString(),
                build));
        tell();
    }

    private List<Route> routes(Jobs jobs) {
        Intake intake = new Intake();
        JobEnds ends = new JobEnds(parts.ports().store(), parts.changes());
        List<Route> routes = new ArrayList<>();
        for (Route route : new JobApi(parts.jobApi(
                        jobs,
                        new LocalUse(front.callers()::users, front.runAs()),
                        new HostPaths(front.callers()::users, front.hostPaths())))
                .routes()) {
            boolean accepts = route.method().equals("POST") && route.pattern().equals("/v1/jobs");
            routes.add(
                    accepts
                            ? new Route(
                                    "POST",
                                    route.pattern(),
                                    route.scope(),
                                    intake.guard(route.handler()),
                                    route.parameters())
                            : route);
        }
        routes.add(new MeasureRoute(parts.ports(), requests, home.folder(), build).route());
        routes.add(new AuditRoute(audit).route());
        routes.add(new DescriptionRoute().route());
        routes.addAll(new CodeRoutes(parts.code()).routes());
        routes.addAll(new ModelRoutes(parts.ports().models()).routes());
        routes.addAll(
                new ServiceRoutes(jobs, parts.ports().store(), ends, intake, this::document, stop::countDown).routes());
        Readiness readiness = new Readiness(intake, parts.ports().store(), home.folder());
        routes.add(Route.open("/v1/health", (exchange, none) -> exchange.send(204, Map.of())));
        routes.add(Route.open("/v1/ready", readiness));
        return routes;
    }

    /** Base of its URLs. */
    public String address() {
        return front.address(listener.port());
    }

    private ServiceDocument document() {
        return new ServiceDocument(
                true, OptionalLong.of(ProcessHandle.current().pid()), Optional.of(address()), Optional.of(build));
    }

    /** Tells clients that they find it by its URL, and not by this home; unless it is closed already. */
    public synchronized void announceShared() {
        if (closed) {
            return;
        }
        quietly("telling where it is", () -> home.announceShared(front.publicAddress(listener.port())));
        tell();
    }

    private void tell() {
        LOG.log(
                Level.INFO,
                "build " + build + " answers at " + address() + ", process "
                        + ProcessHandle.current().pid());
    }

    /** Returns when the service was told to stop, was not used for so long and nothing runs, or has lost its home. */
    public void awaitStop(Duration idle) throws InterruptedException {
        awaitStop(idle, LOOK_AT_HOME);
    }

    /**
     * The same.
     *
     * @param look how often to see whether the home, and the file in it that tells where the service is, are still there
     */
    public void awaitStop(Duration idle, Duration look) throws InterruptedException {
        IdleStop idleStop = new IdleStop(
                idle, activity, parts.ports().store(), parts.surroundings().clock());
        Optional<Duration> wait = idleStop.check();
        while (wait.isPresent()) {
            Duration turn = wait.get().compareTo(look) < 0 ? wait.get() : look;
            if (stop.await(turn.toMillis() + 1, TimeUnit.MILLISECONDS)) {
                LOG.log(Level.INFO, "was told to stop");
                return;
            }
            if (!home.isThere()) {
                LOG.log(Level.WARNING, "stops, as " + home.folder() + " was removed");
                return;
            }
            quietly("telling anew where it is", home::announceAgain);
            Duration left = wait.get().minus(turn);
            wait = left.isPositive() ? Optional.of(left) : idleStop.check();
        }
        LOG.log(Level.INFO, "stops, as nobody uses it and nothing runs");
    }

    /** Stops cleanly; processes of jobs go on. Any thread, more than once. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        activity.close();
        quietly("taking back service.json", home::withdraw);
        parts.changes().close();
        quietly("closing the listener", listener::close);
        quietly("stopping the control plane", control::close);
        parts.close();
        quietly("closing the audit", audit::close);
        LOG.log(Level.INFO, "stopped");
        quietly("letting go of MUSTER_HOME", home::close);
    }

    private interface Step {
        void run() throws Exception;
    }

    private static void quietly(String what, Step step) {
        try {
            step.run();
        } catch (Exception failed) {
            LOG.log(Level.WARNING, what + " failed", failed);
        }
    }
}
