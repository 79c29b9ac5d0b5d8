package dev.muster.cli.doctor;

import dev.muster.cli.base.Reasons;
import dev.muster.cli.base.Surroundings;
import dev.muster.cli.format.Sizes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Where Muster keeps its state, and the ports it gives out. */
final class PlaceChecks {
    private static final int FIRST_PORT = 20_000;
    private static final int LAST_PORT = 29_999;
    private static final int PORT_STEP = 500;
    private static final long LITTLE = 5L << 30;
    private static final long TOO_LITTLE = 1L << 30;

    private final Path home;

    PlaceChecks(Surroundings surroundings) {
        this.home = surroundings.home();
    }

    List<Finding> look() {
        return List.of(home(), disk(), locale(), portRange(), freePorts());
    }

    private Finding home() {
        if (!Files.exists(home)) {
            return Finding.ok("home", home + " will be made, for its owner only");
        }
        if (!Files.isDirectory(home) || !Files.isWritable(home)) {
            return Finding.missing(
                    "home", home + " is no folder that you may write", "set MUSTER_HOME to another folder");
        }
        try {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(home);
            String text = PosixFilePermissions.toString(permissions);
            return text.endsWith("------")
                    ? Finding.ok("home", home + ", " + text)
                    : Finding.limited(
                            "home", home + " is " + text + ": others may look into jobs and logs", "chmod 700 " + home);
        } catch (IOException | UnsupportedOperationException unknown) {
            return Finding.limited(
                    "home", home + " lies on a file system without owners", "set MUSTER_HOME to a local disk");
        }
    }

    private Finding disk() {
        Path place = home;
        while (place != null && !Files.exists(place)) {
            place = place.getParent();
        }
        try {
            long room = Files.getFileStore(place == null ? Path.of("/") : place).getUsableSpace();
            String detail = Sizes.show(room) + " free at " + home;
            if (room < TOO_LITTLE) {
                return Finding.missing(
                        "disk",
                        detail + ": environments, checkpoints and models will not fit",
                        "make room, or set MUSTER_HOME to another disk");
            }
            return room < LITTLE
                    ? Finding.limited(
                            "disk",
                            detail + ": an environment with TensorFlow takes 2 GiB, one with torch 5 GiB",
                            "make room, or set MUSTER_HOME to another disk")
                    : Finding.ok("disk", detail);
        } catch (IOException unknown) {
            return Finding.limited(
                    "disk",
                    "the room at " + home + " is not known: " + Reasons.of(unknown),
                    "set MUSTER_HOME to a local disk");
        }
    }

    private static Finding locale() {
        String encoding = System.getProperty("sun.jnu.encoding", "unknown");
        return encoding.equalsIgnoreCase("UTF-8")
                ? Finding.ok("locale", "UTF-8")
                : Finding.limited(
                        "locale",
                        encoding + ": file names beyond it cannot be given to a command",
                        "export LC_ALL=C.UTF-8");
    }

    private static Finding portRange() {
        Optional<String> text = Probe.text(Path.of("/proc/sys/net/ipv4/ip_local_port_range"));
        if (text.isEmpty()) {
            return Finding.ok("port range", FIRST_PORT + " to " + LAST_PORT + " for jobs");
        }
        String[] ends = text.get().strip().split("\\s+");
        boolean apart = Integer.parseInt(ends[0]) > LAST_PORT || Integer.parseInt(ends[1]) < FIRST_PORT;
        return apart
                ? Finding.ok(
                        "port range",
                        FIRST_PORT + " to " + LAST_PORT + " for jobs, apart from the system's " + ends[0] + " to "
                                + ends[1])
                : Finding.limited(
                        "port range",
                        "the system gives out " + ends[0] + " to " + ends[1] + " to any program, jobs use " + FIRST_PORT
                                + " to " + LAST_PORT
                                + ": a port may be taken before a job uses it; such a job is started again",
                        "sysctl net.ipv4.ip_local_port_range='32768 60999'");
    }

    private static Finding freePorts() {
        int free = 0;
        int asked = 0;
        for (int port = FIRST_PORT; port <= LAST_PORT; port += PORT_STEP) {
            asked++;
            free += isFree(port) ? 1 : 0;
        }
        String detail = free + " of " + asked + " ports tried are free";
        return free * 2 > asked
                ? Finding.ok("ports", detail)
                : Finding.limited("ports", detail + ": jobs may wait for ports", "see who listens: ss -ltnp");
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }
}
