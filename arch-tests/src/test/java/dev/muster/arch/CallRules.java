package dev.muster.arch;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaAccess;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Calls that only some packages may make: time, randomness, the environment, the console, the truth about jobs. */
final class CallRules {
    private static final String SYSTEM = "dev.muster.server.system..";
    private static final String SUBMISSION_KEYS = "dev.muster.cli.system..";

    private static final Calls WALL_CLOCK = new Calls(
            "the time of day is read",
            "java\\.lang\\.System\\.currentTimeMillis|java\\.time\\.Clock\\.system\\w*|java\\.time\\.Clock\\.tick\\w*"
                    + "|java\\.time\\.\\w+\\.now|java\\.util\\.Date\\.<init>",
            List.of(SYSTEM),
            "one package reads the clock, so that a test or a simulation can set it; all else takes spi.Clock",
            "Object a() { return java.time.Instant.now(); }",
            "long a() { return System.currentTimeMillis(); }",
            "Object a = new java.util.Date();",
            "java.util.function.Supplier<?> a = java.time.Instant::now;");

    private static final Calls RANDOM = new Calls(
            "ids and random numbers are made",
            "java\\.util\\.UUID\\.randomUUID|java\\.lang\\.Math\\.random|java\\.util\\.concurrent\\.ThreadLocalRandom\\.current"
                    + "|java\\.util\\.(Random|SplittableRandom)\\.<init>|java\\.util\\.random\\.RandomGenerator\\.\\w+",
            List.of(SYSTEM, SUBMISSION_KEYS),
            "one package makes ids, so that a failing seed can be replayed; all else takes spi.Ids. The command line makes the"
                    + " key of a submission, which has to be known before the service is asked",
            "Object a() { return java.util.UUID.randomUUID(); }",
            "Object a() { return new java.util.Random(); }",
            "double a() { return Math.random(); }");

    private static final Calls SECURE_RANDOM = new Calls(
            "unguessable numbers are made",
            "java\\.security\\.SecureRandom\\..*",
            List.of(SYSTEM, "dev.muster.server..", "dev.muster.store.."),
            "keys, nonces and tokens belong to the store and the server; what must be replayed takes spi.Ids",
            "Object a = new java.security.SecureRandom();");

    private static final Calls ELAPSED = new Calls(
            "time is measured or waited for",
            "java\\.lang\\.System\\.nanoTime|java\\.lang\\.Thread\\.sleep",
            Stream.of(
                            "backend.local",
                            "backend.docker",
                            "backend.kubernetes",
                            "store",
                            "artifacts",
                            "telemetry",
                            "server",
                            "cli",
                            "testkit")
                    .map(House::packages)
                    .toList(),
            "only code at the edge may wait; control is stepped by its clock",
            "long a() { return System.nanoTime(); }",
            "void a() throws Exception { Thread.sleep(1); }");

    private static final Calls ENVIRONMENT = new Calls(
            "the process's environment is read",
            "java\\.lang\\.System\\.(getenv|getProperty|getProperties|setProperty)|java\\.lang\\.(Integer|Long)\\.get\\w+"
                    + "|java\\.lang\\.Boolean\\.getBoolean|java\\.time\\.ZoneId\\.systemDefault|java\\.util\\.Locale\\.getDefault",
            List.of("dev.muster.server..", "dev.muster.cli..", "dev.muster.backend.local..", "dev.muster.testkit.."),
            "settings come in from outside, so that two services in one test do not share them",
            "Object a() { return System.getenv(\"HOME\"); }",
            "Object a() { return System.getProperty(\"user.home\"); }");

    private static final Calls CONSOLE = new Calls(
            "the console is written",
            "java\\.lang\\.System\\.(out|err|in)|java\\.lang\\.Throwable\\.printStackTrace|java\\.lang\\.Exception\\.printStackTrace",
            List.of("dev.muster.server..", "dev.muster.cli.."),
            "stdout and stderr belong to the program, not to its parts",
            "void a() { System.out.println(); }",
            "void a(Throwable t) { t.printStackTrace(); }");

    private static final Calls EXIT = new Calls(
            "the JVM is ended",
            "java\\.lang\\.System\\.exit|java\\.lang\\.Runtime\\.(exit|halt)",
            List.of("dev.muster.server..", "dev.muster.cli.."),
            "a part that ends the program takes every job with it",
            "void a() { System.exit(1); }");

    private static final Calls JOB_STATE = new Calls(
            "job state is written",
            "dev\\.muster\\.spi\\.JobStore\\.compareAndSet",
            List.of("dev.muster.control..", "dev.muster.store..", "dev.muster.testkit.."),
            "one place decides about jobs, and a transition is stored by compare-and-set before anything shows it",
            "void a(dev.muster.spi.JobStore s) { s.compareAndSet(null, null); }");

    private static final Calls JOB_STORE = new Calls(
            "the job store is asked",
            "dev\\.muster\\.spi\\.(JobStore|Leases)\\..*",
            List.of("dev.muster.control..", "dev.muster.store..", "dev.muster.server..", "dev.muster.testkit.."),
            "backends, frameworks and the other leaves report what they see; they know no stored state",
            "Object a(dev.muster.spi.JobStore s) { return s.live(); }");

    private static final Calls JOB_RECORD = new Calls(
            "a job record is made",
            "dev\\.muster\\.model\\.JobRecord(\\$Status)?\\.<init>",
            List.of(
                    "dev.muster.model..",
                    "dev.muster.control..",
                    "dev.muster.store..",
                    "dev.muster.server..",
                    "dev.muster.testkit.."),
            "a leaf that could make one could claim a state that the transition table never allowed",
            "Object a() { return new dev.muster.model.JobRecord.Status(null, null, null, null, null, null); }");

    private CallRules() {}

    static List<Rule> all() {
        return Stream.of(
                        WALL_CLOCK,
                        RANDOM,
                        SECURE_RANDOM,
                        ELAPSED,
                        ENVIRONMENT,
                        CONSOLE,
                        EXIT,
                        JOB_STATE,
                        JOB_STORE,
                        JOB_RECORD)
                .map(Calls::rule)
                .toList();
    }

    /** Members named by a pattern over {@code owner.member}, the packages that may touch them, why, and bodies that break it. */
    private record Calls(String what, Pattern members, List<String> homes, String reason, List<String> bodies) {
        Calls(String what, String members, List<String> homes, String reason, String... bodies) {
            this(what, Pattern.compile(members), homes, reason, List.of(bodies));
        }

        Rule rule() {
            String[] home = homes.toArray(String[]::new);
            Set<String> modules = House.MODULES.keySet();
            List<Planted> planted = modules.stream()
                    .filter(module -> homes.stream().noneMatch(House.packages(module)::equals))
                    .flatMap(module -> bodies.stream().map(body -> Planted.in("dev.muster." + module, body)))
                    .toList();
            return new Rule(
                    what + " only in " + Arrays.toString(home),
                    noClasses()
                            .that(not(resideInAnyPackage(home)))
                            .should()
                            .accessTargetWhere(describe(what, this::meant))
                            .because(reason),
                    planted);
        }

        private boolean meant(JavaAccess<?> access) {
            String member =
                    access.getTargetOwner().getName() + "." + access.getTarget().getName();
            return members.matcher(member).matches();
        }
    }
}
