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
import java.util.stream.Stream;

/**
 * Brings into a pod, before its program starts, what its annotations name: code, data, what is in the job's checkpoint folder. Done over from the
 * start when it was broken off.
 */
record Delivery(JobFolders folders, CodeStore code) {
    private static final String FOLDERS_ARE_THERE = "while [ ! -e /muster/reports.jsonl ]; do usleep 30000; done;"
            + " [ -e /muster/state/go ] && exit 9; rm -rf /muster/code/* /muster/code/.[!.]* /muster/data/* /muster/resume/*; exit 0";
    private static final int ALREADY = 9;

    void into(Exec exec, PodSeen pod) throws BackendException {
        if (exec.run("sh", "-c", FOLDERS_ARE_THERE) == ALREADY) {
            return;
        }
        if (pod.has(Labels.CODE)) {
            code(exec, pod);
        }
        for (String line :
                pod.annotation(Labels.DATA).stream().flatMap(String::lines).toList()) {
            int equals = line.indexOf('=');
            String folder = PodPaths.DATA + "/" + line.substring(0, equals);
            Path source = Path.of(line.substring(equals + 1));
            exec.run(PodPaths.BUSYBOX, "mkdir", "-p", folder);
            send(exec, List.of(source), folder);
        }
        Path checkpoints = folders.checkpoints(pod.job());
        if (!pod.has(Labels.CLAIM) && Files.isDirectory(checkpoints)) {
            send(exec, inside(checkpoints), PodPaths.CHECKPOINTS);
        }
        if (pod.has(Labels.RESUME)) {
            resume(exec, Path.of(pod.annotation(Labels.RESUME).orElseThrow()), checkpoints, pod.has(Labels.CLAIM));
        }
        exec.run(PodPaths.BUSYBOX, "chmod", "-R", "a+rwX", PodPaths.CODE);
    }

    /**
     * Lets the program start once names of members can be resolved, or could not be for a while.
     *
     * @param names what is waited for
     */
    void go(Exec exec, List<String> names) throws BackendException {
        List<String> command = new ArrayList<>(List.of("sh", PodPaths.LAUNCH + "/go"));
        command.addAll(names);
        exec.run(command.toArray(String[]::new));
    }

    private void code(Exec exec, PodSeen pod) throws BackendException {
        Path copy = folders.process(pod.key()).resolve("delivered");
        try {
            Folders.delete(copy);
            Files.createDirectories(copy);
            code.copyTo(pod.annotation(Labels.CODE).orElseThrow(), copy);
            send(exec, inside(copy), PodPaths.CODE);
            Folders.delete(copy);
        } catch (IOException failed) {
            throw Failures.failed("the code of " + pod.key() + " could not be delivered", failed);
        }
    }

    /** What another job left is delivered beside the checkpoint folder: a file or folder, or all files that begin with a prefix. */
    private void resume(Exec exec, Path from, Path checkpoints, boolean claimed) throws BackendException {
        if (from.startsWith(checkpoints)) {
            if (claimed) {
                restore(exec, checkpoints.relativize(from).getName(0).toString(), checkpoints);
            }
            return;
        }
        if (Files.exists(from)) {
            send(exec, List.of(from), PodPaths.RESUME);
            return;
        }
        List<Path> parts = inside(from.getParent()).stream()
                .filter(each -> each.getFileName().toString().startsWith(from.getFileName() + "."))
                .toList();
        send(exec, parts, PodPaths.RESUME);
    }

    /** What the chosen checkpoint needs and a claim has no more, as its program keeps only the newest ones. */
    private static void restore(Exec exec, String entry, Path checkpoints) throws BackendException {
        Listing there = Follower.listing(exec);
        Parcel parcel = new Parcel();
        try (Stream<Path> files = Files.walk(checkpoints)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String path = checkpoints.relativize(file).toString();
                boolean belongs =
                        Listing.entry(path).equals(entry) || Listing.entry(path).startsWith(entry + ".");
                if (belongs && !there.files().containsKey(path)) {
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

    private static void send(Exec exec, List<Path> paths, String folder) throws BackendException {
        Parcel parcel = new Parcel();
        try {
            for (Path each : paths) {
                parcel.add(
                        each,
                        each.getFileName() == null ? "root" : each.getFileName().toString());
            }
        } catch (IOException unreadable) {
            throw Failures.failed("what is to be delivered cannot be read", unreadable);
        }
        if (!parcel.isEmpty()) {
            exec.unpack(parcel, folder, "");
        }
    }
}
