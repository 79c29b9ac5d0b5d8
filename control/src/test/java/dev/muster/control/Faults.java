package dev.muster.control;

import dev.muster.control.Fault.Kind;
import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.ProcessKey;
import dev.muster.spi.Backend;
import dev.muster.spi.BackendException;
import dev.muster.spi.JobStore;
import dev.muster.spi.Launch;
import dev.muster.spi.Leases;
import dev.muster.spi.ModelRegistry;
import dev.muster.spi.Sighting;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * What can go wrong between one service and its ports: it dies before or after any call; a call fails, its answer is lost, it is carried
 * out twice, takes long, or tells what was so a little earlier; news come late, twice or never; nothing is reached for a while.
 */
final class Faults implements World.Wrapper {
    /** How old an answer may be that tells what was so before; never older than what this service last changed about the job. */
    private static final Duration STALEST = Duration.ofSeconds(10);

    /** After so long a replica finds by itself what it was not told of. */
    private static final Duration COMPARED = Duration.ofSeconds(5);

    private final FaultPlan plan;
    private final Surrounding surrounding;
    private final Map<JobId, List<Answer>> answers = new HashMap<>();
    private boolean dead;
    private Instant cutOffUntil = Instant.MIN;

    /** What faults have to do with. */
    interface Surrounding {
        /** Whether anything still goes wrong. */
        boolean faulty();

        /** Whether backends are reached. */
        boolean contact();

        Instant now();

        /** Time passes in the middle of a call. */
        void passes(Duration duration);

        void later(Duration pause, Runnable action);

        void note(Object what);

        /** A platform carries the start out after a while, whatever becomes of the service. */
        void startsLater(Duration pause, Launch launch);

        /** Something is done that takes the lease. */
        void acts(String what);

        /** Whether nothing stored about the job can be read or changed now; if so, whether changes come through all the same. */
        Optional<RowFault> row(JobId job);
    }

    /** What is wrong with everything stored about one job. */
    enum RowFault {
        NOTHING_IS_DONE,
        ANSWERS_ARE_LOST
    }

    private record Answer(Instant at, Object sightings) {}

    Faults(FaultPlan plan, Surrounding surrounding) {
        this.plan = plan;
        this.surrounding = surrounding;
    }

    /** The service is gone: nothing of it reaches a port any more, and no news reach it. */
    void die() {
        dead = true;
    }

    /** The database is not reached until then. */
    void cutOff(Instant until) {
        cutOffUntil = until;
    }

    private boolean isCutOff() {
        return surrounding.faulty() && surrounding.now().isBefore(cutOffUntil);
    }

    @Override
    public <T> T around(Class<T> port, T target) {
        return port.cast(Proxy.newProxyInstance(
                port.getClassLoader(),
                new Class<?>[] {port},
                (proxy, method, arguments) -> call(port, target, method, arguments)));
    }

    private Object call(Class<?> port, Object target, Method method, Object[] arguments) throws Throwable {
        String name = method.getName();
        if (dead) {
            throw new AdoptionTest.Killed();
        }
        if (name.equals("listen")) {
            return invoke(target, method, new Object[] {late(port, arguments[0])});
        }
        if (name.equals("leases")) {
            return around(Leases.class, (Leases) invoke(target, method, arguments));
        }
        if (FaultOdds.SAFE.contains(name)) {
            return invoke(target, method, arguments);
        }
        if (isCutOff() && isDatabase(port)) {
            throw new JobStore.StoreException("the database is not reached", JobStore.StoreException.Kind.OTHER, null);
        }
        if (FaultOdds.ACTS.contains(port.getSimpleName() + "." + name)) {
            surrounding.acts(name);
        }
        if (port == JobStore.class) {
            failRow((JobStore) target, method, arguments);
        }
        Optional<Fault> fault = surrounding.faulty()
                ? plan.next(port.getSimpleName() + "." + name, FaultOdds.of(port, name))
                : Optional.empty();
        if (fault.isEmpty()) {
            requireContact(port);
            return tried(port, target, method, arguments);
        }
        surrounding.note(fault.get());
        return wrong(fault.get(), port, target, method, arguments);
    }

    /** One row harms one job. */
    private void failRow(JobStore target, Method method, Object[] arguments) throws Throwable {
        boolean changes = method.getName().equals("compareAndSet");
        if (!surrounding.faulty() || !changes && !FaultOdds.ROW_READS.contains(method.getName())) {
            return;
        }
        Optional<RowFault> wrong =
                surrounding.row(arguments[0] instanceof JobRecord job ? job.id() : (JobId) arguments[0]);
        if (wrong.isPresent()) {
            if (changes && wrong.get() == RowFault.ANSWERS_ARE_LOST) {
                invoke(target, method, arguments);
            }
            throw new JobStore.StoreException("the row cannot be used", JobStore.StoreException.Kind.OTHER, null);
        }
    }

    private static boolean isDatabase(Class<?> port) {
        return port == JobStore.class || port == Leases.class;
    }

    private void requireContact(Class<?> port) throws BackendException {
        if (port == Backend.class && !surrounding.contact()) {
            throw new BackendException(BackendException.Kind.NO_CONTACT, Cause.INTERNAL, "nothing is reached");
        }
    }

    private Object wrong(Fault fault, Class<?> port, Object target, Method method, Object[] arguments)
            throws Throwable {
        if (fault.kind() == Kind.DIE_BEFORE) {
            throw new AdoptionTest.Killed();
        }
        requireContact(port);
        return switch (fault.kind()) {
            case DIE_BEFORE -> throw new IllegalStateException("dead already");
            case DIE_AFTER -> {
                tried(port, target, method, arguments);
                throw new AdoptionTest.Killed();
            }
            case FAIL_BEFORE -> throw failure(fault, port, method.getName());
            case FAIL_AFTER -> {
                tried(port, target, method, arguments);
                throw failure(fault, port, method.getName());
            }
            case TWICE -> {
                tried(port, target, method, arguments);
                yield tried(port, target, method, arguments);
            }
            case SLOW_BEFORE -> {
                surrounding.passes(Duration.ofMillis(fault.detail() % 6000));
                yield tried(port, target, method, arguments);
            }
            case SLOW_AFTER -> {
                Object answer = tried(port, target, method, arguments);
                surrounding.passes(Duration.ofMillis(fault.detail() % 6000));
                yield answer;
            }
            case STALE -> stale(port, target, method, arguments);
            case SHUFFLED -> shuffled(fault, tried(port, target, method, arguments));
            case TIMED_OUT -> {
                surrounding.startsLater(Duration.ofMillis(fault.detail() % 20_000), (Launch) arguments[0]);
                throw new BackendException(BackendException.Kind.NO_CONTACT, Cause.INTERNAL, "no answer");
            }
            case IN_FLIGHT -> {
                surrounding.startsLater(Duration.ofMillis(fault.detail() % 20_000), (Launch) arguments[0]);
                throw new AdoptionTest.Killed();
            }
            case LOST, LATE -> tried(port, target, method, arguments);
        };
    }

    /** Carries the call out, and remembers what was seen of a job until this service changes something about it. */
    private Object tried(Class<?> port, Object target, Method method, Object[] arguments) throws Throwable {
        boolean changes = port == Backend.class && !FaultOdds.BACKEND_READS.contains(method.getName());
        if (changes) {
            answers.remove(job(arguments[0]));
        }
        Object answer = invoke(target, method, arguments);
        if (method.getName().equals("observe")) {
            answers.computeIfAbsent((JobId) arguments[0], id -> new ArrayList<>())
                    .add(new Answer(surrounding.now(), answer));
        }
        return answer;
    }

    private static JobId job(Object argument) {
        return switch (argument) {
            case Launch launch -> launch.key().job();
            case ProcessKey key -> key.job();
            default -> (JobId) argument;
        };
    }

    private Object stale(Class<?> port, Object target, Method method, Object[] arguments) throws Throwable {
        Instant oldest = surrounding.now().minus(STALEST);
        Object fresh = tried(port, target, method, arguments);
        return answers.get((JobId) arguments[0]).stream()
                .filter(answer -> !answer.at().isBefore(oldest))
                .findFirst()
                .map(Answer::sightings)
                .orElse(fresh);
    }

    private static Object shuffled(Fault fault, Object answer) {
        List<Sighting> sightings = new ArrayList<>();
        ((List<?>) answer).forEach(sighting -> sightings.add((Sighting) sighting));
        SplittableRandom random = new SplittableRandom(fault.detail());
        for (int last = sightings.size() - 1; last > 0; last--) {
            sightings.set(last, sightings.set(random.nextInt(last + 1), sightings.get(last)));
        }
        return sightings;
    }

    private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    @SuppressWarnings("unchecked")
    private Consumer<JobId> late(Class<?> port, Object listener) {
        Consumer<JobId> hears = (Consumer<JobId>) listener;
        return id -> {
            if (dead) {
                return;
            }
            if (isDatabase(port) && isCutOff()) {
                surrounding.later(COMPARED, () -> hears(hears, id));
                return;
            }
            Optional<Fault> fault =
                    surrounding.faulty() ? plan.next(port.getSimpleName() + " news", FaultOdds.NEWS) : Optional.empty();
            switch (fault.map(Fault::kind).orElse(Kind.SHUFFLED)) {
                case LOST -> {
                    if (isDatabase(port)) { // what nobody tells of is found by comparing
                        surrounding.later(COMPARED, () -> hears(hears, id));
                    }
                }
                case LATE ->
                    surrounding.later(Duration.ofMillis(fault.get().detail() % 4000), () -> {
                        if (!dead) {
                            hears.accept(id);
                        }
                    });
                case TWICE -> {
                    hears.accept(id);
                    hears.accept(id);
                }
                case DIE_BEFORE,
                        DIE_AFTER,
                        FAIL_BEFORE,
                        FAIL_AFTER,
                        SLOW_BEFORE,
                        SLOW_AFTER,
                        STALE,
                        SHUFFLED,
                        TIMED_OUT,
                        IN_FLIGHT -> hears.accept(id);
            }
        };
    }

    /** Later, unless it is dead by then or cut off still. */
    private void hears(Consumer<JobId> hears, JobId id) {
        if (!dead && isCutOff()) {
            surrounding.later(COMPARED, () -> hears(hears, id));
        } else if (!dead) {
            hears.accept(id);
        }
    }

    private static Exception failure(Fault fault, Class<?> port, String name) {
        if (port == Backend.class) {
            boolean failed = fault.detail() % 2 == 0;
            Cause cause = name.equals("place") ? Cause.PORT_LOST : Cause.LAUNCH_FAILED;
            return new BackendException(
                    failed ? BackendException.Kind.FAILED : BackendException.Kind.NO_CONTACT, cause, "simulated");
        }
        if (isDatabase(port)) {
            return new JobStore.StoreException("simulated", JobStore.StoreException.Kind.DISK_FULL, null);
        }
        if (port == ModelRegistry.class && name.equals("publish")) {
            return new ModelRegistry.PublishException(Cause.DISK_FULL, "simulated");
        }
        if (port == JobFiles.class) {
            return new IOException("simulated");
        }
        return new SimulatedException();
    }

    /** A part of Muster fails in a way that it does not declare. */
    static final class SimulatedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        SimulatedException() {
            super("simulated");
        }
    }
}
