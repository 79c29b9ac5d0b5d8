package dev.muster.cli.embedded;

import dev.muster.api.ProblemDocument;
import dev.muster.api.ProblemType;
import dev.muster.api.ServiceFile;
import dev.muster.api.ServiceHome;
import dev.muster.cli.base.Failure;
import dev.muster.cli.base.Reasons;
import dev.muster.cli.client.BearerToken;
import dev.muster.cli.client.Endpoint;
import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonException;
import dev.muster.formats.json.JsonFields;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** What the files of MUSTER_HOME say about the service. */
final class HomeFiles {
    /** The system's start time of a process moves with the clock's corrections. */
    private static final Duration TOLERANCE = Duration.ofSeconds(2);

    private final ServiceHome home;

    HomeFiles(Path folder) {
        this.home = new ServiceHome(folder);
    }

    ServiceHome home() {
        return home;
    }

    /** Makes MUSTER_HOME, for its owner only, unless it is there. */
    void make() {
        Path folder = home.folder();
        try {
            makeHome(folder);
            Files.createDirectories(home.serviceLog().getParent());
        } catch (IOException | UnsupportedOperationException failed) {
            throw unusable("MUSTER_HOME " + folder + " cannot be made", failed);
        }
    }

    private static void makeHome(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return;
        }
        Files.createDirectories(folder.getParent() == null ? folder : folder.getParent());
        try {
            Files.createDirectory(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (FileAlreadyExistsException another) {
            // Another command made it just now; what belongs into it may still be missing.
            if (!Files.isDirectory(folder)) {
                throw Failure.badInput("MUSTER_HOME " + folder + " is no folder");
            }
        }
    }

    /** Says what the system says, without the names of Java's classes. */
    static Failure unusable(String what, Exception failed) {
        String why =
                failed instanceof IOException ofFile ? Reasons.of(ofFile) : "its file system has no owners of files";
        return why.contains("No space left on device")
                ? Failure.of(ProblemDocument.of(
                        ProblemType.DISK_FULL, what + ": its disk is full. Make room and try again."))
                : Failure.badInput(
                        what + ": " + why + "; set MUSTER_HOME to a folder on a local disk that you may write");
    }

    /**
     * The last service's file; empty when there is none or it cannot be read.
     *
     * @throws Failure when the home is not this user's alone
     */
    Optional<ServiceFile> serviceFile() {
        HomeOwner.check(home.folder(), System.getProperty("user.name"));
        try {
            return Json.parse(Files.readString(home.serviceFile())) instanceof JsonFields fields
                    ? Optional.of(ServiceFile.of(fields))
                    : Optional.empty();
        } catch (IOException | JsonException noneOrBroken) {
            return Optional.empty();
        }
    }

    /** The URL of the service for several people that holds this home; only believed while its lock is held. */
    Optional<String> sharedUrl() {
        HomeOwner.check(home.folder(), System.getProperty("user.name"));
        try {
            return Optional.of(Files.readString(home.sharedUrl()).strip()).filter(url -> !url.isEmpty());
        } catch (IOException none) {
            return Optional.empty();
        }
    }

    /** A home of a service for several people is not used from here. */
    Failure shared(String url) {
        return Failure.refused("MUSTER_HOME " + home.folder() + " is that of a service for several people at " + url
                + ": use it by --server " + url
                + " (or MUSTER_SERVER) and a token in MUSTER_TOKEN; for a service of your own set another MUSTER_HOME");
    }

    /** Where the service of this file listens, with its token. */
    Optional<Endpoint> endpoint(ServiceFile file) {
        try {
            String token = BearerToken.of(Files.readString(Path.of(file.tokenFile())), file.tokenFile());
            return Optional.of(new Endpoint(file.address(), Optional.of(token), OptionalLong.of(file.pid())));
        } catch (NoSuchFileException gone) {
            return Optional.empty();
        } catch (IOException unreadable) {
            throw Failure.refused("the token of the service in " + file.tokenFile() + " cannot be read: "
                    + Reasons.of(unreadable) + "; a service serves only the user who started it");
        }
    }

    /** Whether the very process that wrote the file is alive, as far as pid and start time tell. */
    static boolean lives(ServiceFile file) {
        Optional<Instant> started =
                ProcessHandle.of(file.pid()).flatMap(process -> process.info().startInstant());
        return started.isPresent()
                && !isZombie(file.pid())
                && Duration.between(started.get(), file.startedAt()).abs().compareTo(TOLERANCE) <= 0;
    }

    /** Over, and only not taken note of by who started it. */
    private static boolean isZombie(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            return stat.startsWith(") Z", stat.lastIndexOf(')'));
        } catch (IOException notTold) {
            return false;
        }
    }

    /** The process that holds the service's lock, where the system tells (Linux). */
    OptionalLong lockHolder() {
        try {
            String inode = ":" + Files.getAttribute(home.serviceLock(), "unix:ino");
            for (String line : Files.readAllLines(Path.of("/proc/locks"))) {
                String[] fields = line.split("\\s+");
                boolean ours = fields.length > 5 && fields[1].equals("POSIX") && fields[5].endsWith(inode);
                if (ours && !fields[4].equals("0")) {
                    return OptionalLong.of(Long.parseLong(fields[4]));
                }
            }
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException notTold) {
            // Then nobody tells.
        }
        return OptionalLong.empty();
    }

    /**
     * Whether a service holds its lock, as it does as long as it lives. Only to be asked under the start lock: a service that
     * starts at that moment might take the question for another service.
     */
    boolean isServiceLocked() {
        try (FileChannel channel = FileChannel.open(home.serviceLock(), StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            return lock == null;
        } catch (NoSuchFileException neverStarted) {
            return false;
        } catch (OverlappingFileLockException heldHere) {
            return true;
        } catch (IOException failed) {
            throw unusable("the lock " + home.serviceLock() + " cannot be asked", failed);
        }
    }
}
