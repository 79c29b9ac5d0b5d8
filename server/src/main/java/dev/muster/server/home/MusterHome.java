package dev.muster.server.home;

import dev.muster.api.ServiceFile;
import dev.muster.api.ServiceHome;
import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonException;
import dev.muster.formats.json.JsonFields;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** MUSTER_HOME as the one service that holds it sees it. Held until closed or until the process dies, however it dies. */
public final class MusterHome implements AutoCloseable {
    private static final int TOKEN_BYTES = 32;

    private final ServiceHome paths;
    private final FileChannel lock;
    private final Optional<Object> lockFile;
    private Optional<ServiceFile> told = Optional.empty();

    private MusterHome(ServiceHome paths, FileChannel lock) throws IOException {
        this.paths = paths;
        this.lock = lock;
        this.lockFile = identity(paths.serviceLock());
    }

    /**
     * Makes the folder where it is missing and takes hold of it.
     *
     * @return empty when another service holds it
     * @throws HomeException when the folder cannot be trusted
     */
    public static Optional<MusterHome> take(Path folder) throws IOException, HomeException {
        OwnerOnly.folder(folder);
        // Processes get paths below it, and a link could be bent later.
        ServiceHome paths = new ServiceHome(folder.toRealPath());
        OwnerOnly.files(List.of(
                paths.serviceLock(), paths.token(), paths.serviceFile(), paths.sharedUrl(), paths.serviceLog()));
        FileChannel channel = FileChannel.open(
                paths.serviceLock(),
                java.util.Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                OwnerOnly.file());
        if (!tryLock(channel)) {
            channel.close();
            return Optional.empty();
        }
        // Of an earlier service, which may have been of another kind.
        new Announcement(paths.sharedUrl()).takeBack();
        return Optional.of(new MusterHome(paths, channel));
    }

    /** Whether a service lives in the folder, which need not be there. */
    public static boolean isHeld(Path folder) {
        try (FileChannel channel = FileChannel.open(new ServiceHome(folder).serviceLock(), StandardOpenOption.WRITE)) {
            return !tryLock(channel);
        } catch (IOException neverTaken) {
            return false;
        }
    }

    private static boolean tryLock(FileChannel channel) throws IOException {
        try {
            FileLock taken = channel.tryLock();
            return taken != null;
        } catch (OverlappingFileLockException heldInThisJvm) {
            return false;
        }
    }

    /** What clients have to send; made at the first call, and the same over restarts. */
    public synchronized String token() throws IOException {
        if (Files.exists(paths.token())) {
            String token = Files.readString(paths.token()).strip();
            if (!token.isEmpty()) {
                return token;
            }
        }
        byte[] bytes = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(bytes);
        String token = HexFormat.of().formatHex(bytes);
        OwnerOnly.write(paths.token(), token + "\n");
        return token;
    }

    public ServiceHome paths() {
        return paths;
    }

    public Path folder() {
        return paths.folder();
    }

    /** Tells clients where the service is; on a full disk too, once there was a service before. */
    public synchronized void announce(ServiceFile service) throws IOException {
        told = Optional.of(service);
        new Announcement(paths.serviceFile()).make(service.toJson() + "\n");
    }

    /** Tells it anew when somebody has removed what was told. */
    public synchronized void announceAgain() throws IOException {
        if (told.isPresent() && isThere() && !Files.exists(paths.serviceFile())) {
            announce(told.get());
        }
    }

    /**
     * Tells clients that the service is one for several people, which they neither use through this home nor stop or replace.
     *
     * @param url how they reach it
     */
    public synchronized void announceShared(String url) throws IOException {
        new Announcement(paths.sharedUrl()).make(url + "\n");
    }

    /** Takes the announcement back, unless the home is gone: then the one that is there now is another service's. */
    public synchronized void withdraw() throws IOException {
        told = Optional.empty();
        if (isThere()) {
            new Announcement(paths.serviceFile()).takeBack();
            new Announcement(paths.sharedUrl()).takeBack();
        }
    }

    /** Whether the home that was taken is still in its place: false once somebody has removed it, even when there is a new one. */
    public boolean isThere() {
        try {
            return identity(paths.serviceLock()).equals(lockFile);
        } catch (IOException notTold) {
            return !(notTold instanceof NoSuchFileException);
        }
    }

    private static Optional<Object> identity(Path file) throws IOException {
        return Optional.ofNullable(
                Files.readAttributes(file, BasicFileAttributes.class).fileKey());
    }

    /** The service that was last announced and did not take it back. */
    public static Optional<ServiceFile> announced(ServiceHome paths) {
        try {
            return Json.parse(Files.readString(paths.serviceFile())) instanceof JsonFields fields
                    ? Optional.of(ServiceFile.of(fields))
                    : Optional.empty();
        } catch (IOException | JsonException none) {
            return Optional.empty();
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
