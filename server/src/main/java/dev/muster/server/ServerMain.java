package dev.muster.server;

import dev.muster.api.Called;
import dev.muster.api.FieldProblem;
import dev.muster.api.ProblemDocument;
import dev.muster.api.ProblemType;
import dev.muster.model.BackendKind;
import dev.muster.model.Problem;
import dev.muster.server.access.Callers;
import dev.muster.server.access.FileTokens;
import dev.muster.server.access.OneToken;
import dev.muster.server.access.TokenFile;
import dev.muster.server.config.ConfigFiles;
import dev.muster.server.config.ConfigText;
import dev.muster.server.config.ListenCheck;
import dev.muster.server.config.PemIdentity;
import dev.muster.server.config.ServerConfig;
import dev.muster.server.config.SettingException;
import dev.muster.server.home.HomeException;
import dev.muster.server.home.MusterHome;
import dev.muster.server.jobs.LocalUse;
import dev.muster.server.log.ServiceLog;
import dev.muster.server.service.Front;
import dev.muster.server.service.Parts;
import dev.muster.server.service.Service;
import dev.muster.server.system.Carriers;
import dev.muster.server.system.WallTime;
import dev.muster.spi.Clock;
import dev.muster.spi.JobStore.StoreException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * Entry point of {@code muster server}: a service for several people, from a configuration file. It ends by SIGTERM or by POST
 * /v1/service/stop; processes of jobs go on in any case, and the next one takes them up. Exit codes: 0 done, 2 wrong arguments or
 * configuration, 4 the database is not reached, 6 refused, 70 a fault.
 */
public final class ServerMain {
    private static final int DONE = 0;
    private static final int WRONG = 2;
    private static final int NOT_REACHED = 4;
    private static final int REFUSED = 6;
    private static final int FAULT = 70;

    private final ServerArguments arguments;
    private final PrintStream out;
    private final PrintStream err;

    private ServerMain(ServerArguments arguments, PrintStream out, PrintStream err) {
        this.arguments = arguments;
        this.out = out;
        this.err = err;
    }

    public static void main(String[] arguments) {
        Carriers.set();
        System.exit(run(List.of(arguments), System.out, System.err));
    }

    /** The same, and gives the exit code instead of ending the JVM. */
    static int run(List<String> words, PrintStream out, PrintStream err) {
        if (words.contains("--help") || words.contains("-h")) {
            out.println(called().in(ServerArguments.USAGE));
            return DONE;
        }
        try {
            return new ServerMain(ServerArguments.read(words), out, err).run();
        } catch (ServerArguments.UsageException wrong) {
            err.println(called().in(wrong.getMessage()));
            return WRONG;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return DONE;
        }
    }

    /** How the shell calls the script that started this. */
    private static Called called() {
        return new Called(System.getProperty("muster.called", Called.MUSTER.words()));
    }

    private int run() throws InterruptedException {
        Path file = Path.of(arguments.value("--config").orElseThrow())
                .toAbsolutePath()
                .normalize();
        ConfigText.Read read;
        try {
            read = ConfigText.read(Files.readString(file), file.getParent());
        } catch (IOException unreadable) {
            return wrong(file, List.of(Problem.of("", "cannot be read: " + StartFault.told(unreadable))));
        }
        if (!read.problems().isEmpty() || read.config().isEmpty()) {
            return wrong(file, read.problems());
        }
        return switch (arguments.action()) {
            case SERVE -> serve(file, read.config().get());
            case TOKEN_CREATE, TOKEN_LIST, TOKEN_REVOKE -> {
                Optional<Path> tokens = read.config().get().tokens();
                yield tokens.isEmpty()
                        ? wrong(
                                file,
                                List.of(Problem.of(
                                        "tokens",
                                        "names no file; this service has one token, in its home",
                                        "tokens: tokens.json")))
                        : new TokenCommand(
                                        new TokenFile(tokens.get()),
                                        read.config().get(),
                                        arguments,
                                        out,
                                        err)
                                .run();
            }
        };
    }

    /** Every problem: a line each, or one document. */
    private int wrong(Path file, List<Problem> problems) {
        if (arguments.json()) {
            List<FieldProblem> fields = problems.stream()
                    .map(problem -> new FieldProblem(problem.field(), problem.message(), problem.suggestion()))
                    .toList();
            err.println(ProblemDocument.of(ProblemType.INVALID, "The configuration " + file + " is not valid.", fields)
                    .toJson());
        } else {
            err.println("The configuration " + file + " is not valid:");
            problems.forEach(problem -> err.println("  " + called().in(problem.toString())));
        }
        return WRONG;
    }

    private int serve(Path file, ServerConfig config) throws InterruptedException {
        List<Problem> problems = new ArrayList<>(ConfigFiles.check(config));
        Clock clock = WallTime::now;
        Optional<FileTokens> tokens = Optional.empty();
        if (problems.isEmpty() && config.tokens().isPresent()) {
            try {
                tokens = Optional.of(
                        FileTokens.open(new TokenFile(config.tokens().get()), clock));
                if (config.backends().contains(BackendKind.LOCAL)) {
                    LocalUse.refusal("backends.local", tokens.get().users(), config.runAs())
                            .ifPresent(problems::add);
                }
            } catch (IOException unusable) {
                problems.add(Problem.of("tokens", unusable.getMessage()));
            }
        }
        boolean checks = arguments.flags().contains("--check");
        if (checks) {
            problems.addAll(outside(config));
        }
        if (!problems.isEmpty()) {
            return wrong(file, problems);
        }
        if (checks) {
            out.println(file + " is right");
            return DONE;
        }
        return serve(config, tokens);
    }

    /** What a start would find wrong beyond the files; tried, and nothing is changed. */
    private static List<Problem> outside(ServerConfig config) {
        List<Problem> problems = new ArrayList<>();
        if (!MusterHome.isHeld(config.home())) {
            ListenCheck.address(config.listen()).ifPresent(problems::add);
        }
        if (ConfigFiles.check(config).isEmpty()) {
            problems.addAll(BackendChecks.look(config, System.getenv()));
        }
        try {
            Wiring.check(config.store());
        } catch (StoreException refused) {
            problems.add(Problem.of("store.postgresql", refused.getMessage()));
        } catch (IOException unreadable) {
            // The file of the password, which is told of as such.
        }
        return problems;
    }

    private int serve(ServerConfig config, Optional<FileTokens> tokens) throws InterruptedException {
        try {
            Optional<MusterHome> home = Main.take(config.home());
            if (home.isEmpty()) {
                err.println("A service is running in " + config.home() + " already; one is enough.");
                return REFUSED;
            }
            Optional<Problem> deaf = ListenCheck.address(config.listen());
            if (deaf.isPresent()) {
                home.get().close();
                err.println(
                        "The service could not start: " + called().in(deaf.get().toString()));
                return REFUSED;
            }
            Callers callers = tokens.isPresent()
                    ? tokens.get()
                    : new OneToken(home.get().token(), System.getProperty("user.name"));
            serve(home.get(), config, callers);
            return DONE;
        } catch (HomeException refused) {
            err.println(refused.getMessage());
            return REFUSED;
        } catch (SettingException wrong) {
            err.println(wrong.getMessage());
            return WRONG;
        } catch (PemIdentity.UnusableException unusable) {
            err.println("tls: " + unusable.getMessage());
            return WRONG;
        } catch (StoreException refused) {
            return refused(refused);
        } catch (IOException | UncheckedIOException unusable) {
            return fault(unusable);
        }
    }

    private int refused(StoreException store) {
        return switch (store.kind()) {
            case UNREACHABLE, REFUSED -> {
                err.println("The service could not start: " + store.getMessage());
                yield store.kind() == StoreException.Kind.UNREACHABLE ? NOT_REACHED : REFUSED;
            }
            case DISK_FULL, UNREADABLE, DAMAGED, OTHER -> fault(store);
        };
    }

    private int fault(Exception unusable) {
        System.getLogger(ServerMain.class.getName()).log(Level.ERROR, "the service could not start", unusable);
        err.println("The service could not start: " + StartFault.told(unusable));
        return FAULT;
    }

    private static void serve(MusterHome home, ServerConfig config, Callers callers)
            throws IOException, HomeException, SettingException, InterruptedException, PemIdentity.UnusableException {
        String build = System.getProperty("muster.build", "unknown");
        Optional<SSLContext> tls = Optional.empty();
        if (config.tls().isPresent()) {
            tls = Optional.of(PemIdentity.context(config.tls().get()));
        }
        Front front = new Front(
                config.listen(), tls, config.url(), callers, config.audit(), config.hostPaths(), config.runAs());
        try (home;
                ServiceLog _ = config.log().isPresent()
                        ? ServiceLog.install(config.log().get())
                        : ServiceLog.standardOutput()) {
            Map<String, String> environment = new HashMap<>(System.getenv());
            environment.putAll(config.settings());
            // A database that is slow to open keeps the home held for long.
            home.announceShared(front.publicAddress(config.listen().getPort()));
            Parts parts = Wiring.open(home.folder(), environment, config);
            try (Service service = Service.start(home, parts, front, build)) {
                if (Main.closesAtSignal(service)) {
                    service.announceShared();
                    service.awaitStop(Service.NEVER_IDLE);
                }
            }
        }
    }
}
