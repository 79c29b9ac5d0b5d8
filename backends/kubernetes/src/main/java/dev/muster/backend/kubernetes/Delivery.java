package dev.muster.backend.kubernetes;

import dev.muster.formats.files.Folders;
import dev.muster.spi.BackendException;
import dev.muster.spi.CodeStore;
import dev.muster.spi.JobFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Brings to a pod, before its program starts, what its annotations name: code, data, what is in the job's checkpoint folder. It is put together in a
 * folder of the pod that is this delivery's alone, and takes its place whole when the program may start: two services that deliver at once, as when
 * one has just taken over from the other, do not get in each other's way. Done over from the start when it was broken off.
 */
record Delivery(JobFolders folders, CodeStore code) {
    /** Says the name of a new folder, or nothing where the program was let start already. */
    private static final String NEW_FOLDER = "while [ ! -e /muster/reports.jsonl ]; do usleep 30000; done;"
            + " [ -e /muster/state/go ] || { umask 0; d=$(mktemp -d /muster/in.XXXXXX) && chmod 777 $d"
            + " && mkdir $d/code $d/data $d/resume $d/checkpoints && printf %s $d; }";

    /** The folder in which all is; empty where all is in its place already. */
    Optional<String> into(Exec exec, PodSeen pod) throws BackendException {
        Optional<String> parcels = newFolder(exec);
        if (parcels.isPresent()) {
            try {
                fill(exec, pod, parcels.get());
            } catch (BackendException brokenOff) {
                discard(exec, parcels.get());
                throw brokenOff;
            }
        }
        return parcels;
    }

    private static void discard(Exec exec, String parcels) {
        try {
            exec.run(PodPaths.BUSYBOX, "rm", "-rf", "--", parcels);
        } catch (BackendException away) {
            // Whoever lets the program start removes it too.
            return;
        }
    }

    private static Optional<String> newFolder(Exec exec) throws BackendException {
        return Optional.of(exec.text("sh", "-c", NEW_FOLDER)).filter(name -> !name.isEmpty());
    }

    private void fill(Exec exec, PodSeen pod, String parcels) throws BackendException {
        if (pod.has(Labels.CODE)) {
            code(exec, pod, parcels + "/code");
        }
        for (String line :
                pod.annotation(Labels.DATA).stream().flatMap(String::lines).toList()) {
            int equals = line.indexOf('=');
            String folder = parcels + "/data/" + line.substring(0, equals);
            Path source = Path.of(line.substring(equals + 1));
            exec.run(PodPaths.BUSYBOX, "mkdir", "-p", folder);
            send(exec, List.of(source), folder);
        }
        Path checkpoints = folders.checkpoints(pod.job());
        if (!pod.has(Labels.CLAIM) && Files.isDirectory(checkpoints)) {
            sendInside(exec, checkpoints, parcels + "/checkpoints");
        }
        if (pod.has(Labels.RESUME)) {
            Path from = Path.of(pod.annotation(Labels.RESUME).orElseThrow());
            resume(exec, from, checkpoints, pod.has(Labels.CLAIM), parcels + "/resume");
        }
        exec.run(PodPaths.BUSYBOX, "chmod", "-R", "a+rwX", parcels + "/code");
    }

    /**
     * Puts what was delivered in its place and lets the program start, once names of members can be resolved, or could not be for a while.
     *
     * @param parcels what {@link #into} gave
     * @param names   what is waited for
     */
    void go(Exec exec, Optional<String> parcels, List<String> names) throws BackendException {
        if (parcels.isEmpty()) {
            return;
        }
        List<String> command = new ArrayList<>(List.of("sh", PodPaths.LAUNCH + "/go", parcels.get()));
        command.addAll(names);
        int code = exec.run(command.toArray(String[]::new));
        if (code != 0) {
            throw Failures.failed(
                    "what was delivered to pod " + exec.pod() + " could not be put in its place",
                    new IOException("exit code " + code));
        }
    }

    private void code(Exec exec, PodSeen pod, String folder) throws BackendException {
        Path process = folders.process(pod.key());
        try {
            Files.createDirectories(process);
            Path copy = Files.createTempDirectory(process, "delivered-");
            try {
                code.copyTo(pod.annotation(Labels.CODE).orElseThrow(), copy);
                sendInside(exec, copy, folder);
            } finally {
                Folders.delete(copy);
            }
        } catch (IOException failed) {
            throw Failures.failed("the code of " + pod.key() + " could not be delivered", failed);
        }
    }

    /** What another job left is delivered beside the checkpoint folder: a file or folder, or all files that begin with a prefix. */
    private void resume(Exec exec, Path from, Path checkpoints, boolean claimed, String folder)
            throws BackendException {
        if (from.startsWith(checkpoints)) {
            if (claimed) {
                restore(exec, checkpoints.relativize(from).getName(0).toString(), checkpoints);
            }
            return;
        }
        if (Files.exists(from)) {
            send(exec, List.of(from), folder);
            return;
        }
        List<Path> parts = inside(from.getParent()).stream()
                .filter(each -> each.getFileName().toString().startsWith(from.getFileName() + "."))
                .toList();
        send(exec, parts, folder);
    }

    /** What the chosen checkpoint needs and a claim has no more, as its program keeps only the newest ones. */
    static void restore(Exec exec, String entry, Path checkpoints) throws BackendException {
        Listing there = new PodCheckpointFolder(exec).look();
        Parcel parcel = new Parcel();
        try (Stream<Path> files = Files.walk(checkpoints)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String path = checkpoints.relativize(file).toString();
                if (Listing.isPartOf(Listing.entry(path), entry)
                        && !there.files().containsKey(path)) {
                    parcel.add(file, path);
                }
            }
        } catch (IOException unreadable) {
            throw Failures.failed(checkpoints + " cannot be read", unreadable);
        }
        if (!parcel.isEmpty()) {
            exec.unpack(parcel, PodPaths.CHECKPOINTS, "");
        }
    }

    private static List<Path> inside(Path folder) throws BackendException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.sorted().toList();
        } catch (IOException unreadable) {
            throw Failures.failed(folder + " cannot be read", unreadable);
        }
    }

    private static void sendInside(Exec exec, Path from, String folder) throws BackendException {
        send(exec, parcel -> parcel.addInside(from), folder);
    }

    /** Links that are named themselves are followed. */
    private static void send(Exec exec, List<Path> paths, String folder) throws BackendException {
        Packing each = parcel -> {
            for (Path path : paths) {
                Path name = path.getFileName();
                parcel.add(path, name == null ? "root" : name.toString());
            }
        };
        send(exec, each, folder);
    }

    /** Puts into a parcel what it is to hold. */
    private interface Packing {
        void into(Parcel parcel) throws IOException;
    }

    private static void send(Exec exec, Packing packing, String folder) throws BackendException {
        Parcel parcel = new Parcel();
        try {
            packing.into(parcel);
        } catch (IOException unreadable) {
            throw Failures.failed("what is to be delivered cannot be read", unreadable);
        }
        if (!parcel.isEmpty()) {
            exec.unpack(parcel, folder, "");
        }
    }
}
