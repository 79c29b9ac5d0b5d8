package dev.muster.server;

import dev.muster.server.access.OneToken;
import dev.muster.server.config.SettingException;
import dev.muster.server.home.HomeException;
import dev.muster.server.home.MusterHome;
import dev.muster.server.log.ServiceLog;
import dev.muster.server.service.Front;
import dev.muster.server.service.Service;
import dev.muster.server.system.Carriers;
import dev.muster.spi.JobStore.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Entry point of the embedded service. It ends by SIGTERM, by POST /v1/service/stop, or when nobody has used it for a while and nothing
 * runs; processes of jobs go on in any case. Exit codes: 0 stopped, 2 wrong arguments or settings, 6 refused, 28 no room on the disk of its home,
 * 70 a fault.
 */
public final class Main {
    private static final int DONE = 0;
    private static final int USAGE = 2;
    private static final int REFUSED = 6;
    /** As ENOSPC. Clients tell it from other faults. */
    private static final int DISK_FULL = 28;

    private static final int FAULT = 70;
    /** One that stops lets go of its home within this time. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

    private Main() {}

    /** Runs the service until it is told to stop. */
    public static void main(String[] arguments) {
        Carriers.set();
        System.exit(run(List.of(arguments)));
    }

    /** The same, and gives the exit code instead of ending the JVM. */
    static int run(List<String> words) {
        try {
            Arguments arguments = Arguments.read(words, System.getenv(), System.getProperty("user.home"));
            Optional<MusterHome> home = take(arguments.home());
            if (home.isEmpty()) {
                System.err.println("A service is running in " + arguments.home() + " already; one is enough.");
                return REFUSED;
            }
            serve(home.get(), arguments.idle());
            return DONE;
        } catch (Arguments.UsageException | SettingException wrong) {
            System.err.println(wrong.getMessage());
            return USAGE;
        } catch (HomeException refused) {
            System.err.println(refused.getMessage());
            return REFUSED;
        } catch (StoreException | IOException | UncheckedIOException unusable) {
            System.getLogger(Main.class.getName()).log(Level.ERROR, "the service could not start", unusable);
            System.err.println("The service could not start: " + StartFault.told(unusable));
            return StartFault.isDiskFull(unusable) ? DISK_FULL : FAULT;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return DONE;
        }
    }

    /** Waits a little for one that stops. */
    static Optional<MusterHome> take(Path folder) throws IOException, HomeException, InterruptedException {
        Optional<MusterHome> home = MusterHome.take(folder);
        for (Duration waited = Duration.ZERO;
                home.isEmpty() && waited.compareTo(PATIENCE) < 0;
                waited = waited.plus(LOOK_AGAIN)) {
            Thread.sleep(LOOK_AGAIN);
            home = MusterHome.take(folder);
        }
        return home;
    }

    private static void serve(MusterHome home, Duration idle)
            throws IOException, HomeException, SettingException, InterruptedException {
        String build = System.getProperty("muster.build", "unknown");
        try (home;
                ServiceLog _ = ServiceLog.install(home.paths().serviceLog());
                Service service = Service.start(
                        home,
                        Wiring.open(home.folder(), System.getenv()),
                        Front.ofOne(home, new OneToken(home.token(), System.getProperty("user.name"))),
                        build)) {
            if (closesAtSignal(service)) {
                service.announce();
                service.awaitStop(idle);
            }
        }
    }

    /** False when a signal has already come. */
    static boolean closesAtSignal(Service service) {
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(service::close, "muster-stop"));
            return true;
        } catch (IllegalStateException shutdownInProgress) {
            return false;
        }
    }
}
