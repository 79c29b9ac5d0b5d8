package dev.muster.backend.local;

import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.Member;
import dev.muster.model.Placement;
import dev.muster.spi.BackendException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Ports and GPUs, given exclusively among all jobs, users and homes of this machine.
 *
 * <p>Each group has one file in a folder that all share; it tells what the group holds and which processes hold it, by pid, start time
 * and boot. Whoever takes something does so under the folder's lock and takes nothing that a living hold names. The service and
 * every shim of the group are holders, so a hold outlives either, is never handed over, and ends by itself with the last of them.
 *
 * <p>What was given to whom is kept in the home as well, so that a new service gives the same again.
 */
final class Reservations {
    private final SharedFolder shared;
    private final Path placements;
    private final Settings settings;
    private final Proc proc;

    /**
     * What can be given.
     *
     * @param firstPort first port of the range
     * @param lastPort  last port of the range
     * @param gpus      devices of this machine
     */
    record Settings(int firstPort, int lastPort, List<String> gpus) {
        Settings {
            gpus = List.copyOf(gpus);
        }

        int count() {
            return lastPort - firstPort + 1;
        }
    }

    /** What a group asks for. */
    record Wish(String address, Set<Member> members, Map<Member, List<String>> ports, Map<Member, Integer> gpus) {
        /** What the others ask for. */
        Wish butFor(Set<Member> served) {
            Wish rest = new Wish(address, new TreeSet<>(members), new TreeMap<>(ports), new TreeMap<>(gpus));
            rest.members.removeAll(served);
            rest.ports.keySet().removeAll(served);
            rest.gpus.keySet().removeAll(served);
            return rest;
        }
    }

    Reservations(SharedFolder shared, Path placements, Settings settings, Proc proc) {
        this.shared = shared;
        this.placements = placements;
        this.settings = settings;
        this.proc = proc;
    }

    /** Becomes a holder of what groups of this home hold, so that it stays theirs when their last process ends. */
    void adopt() throws IOException {
        for (JobId job : jobs()) {
            Path hold = holdFile(job);
            if (Files.exists(hold) && Hold.parse(Files.readString(hold)).isAlive(proc)) {
                Files.writeString(hold, "holder " + proc.self() + "\n", StandardOpenOption.APPEND);
            }
        }
    }

    /** Jobs that something was given to. */
    Set<JobId> jobs() throws IOException {
        Set<JobId> jobs = new HashSet<>();
        if (Files.isDirectory(placements)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(placements)) {
                for (Path file : files) {
                    Own.job(file.getFileName().toString()).ifPresent(jobs::add);
                }
            }
        }
        return jobs;
    }

    /** The group's file in the shared folder. */
    Path holdFile(JobId job) {
        return shared.file(job.value());
    }

    /**
     * Gives the group what it asks for; the same again for the same attempt, but that members who are new get theirs beside it, and what those
     * held is free who are not of the group any more.
     */
    Placement place(JobId job, int attempt, Wish wish) throws BackendException {
        try (SharedFolder.Turn _ = shared.take()) {
            Map<Path, Hold> others = shared.holds();
            Optional<Hold> own = Optional.ofNullable(others.remove(holdFile(job)));
            forgetDead(others);
            Optional<PlacementText> before = read(job).filter(text -> text.attempt() == attempt);
            Placement placement = before.isPresent()
                    ? fitted(before.get().placement(), job, attempt, wish, own, others)
                    : choose(job, attempt, wish, others);
            write(job, new PlacementText(attempt, placement), before.isPresent() ? own : Optional.empty());
            return placement;
        } catch (IOException failed) {
            throw Failures.of("ports and GPUs of " + job + " could not be reserved", Cause.LAUNCH_FAILED, failed);
        }
    }

    /** A hold without a living holder holds nothing; its file goes where it is ours. */
    private void forgetDead(Map<Path, Hold> holds) {
        for (Path file : List.copyOf(holds.keySet())) {
            if (!holds.get(file).isAlive(proc)) {
                holds.remove(file);
                shared.tryToRemove(file);
            }
        }
    }

    private Placement fitted(
            Placement before, JobId job, int attempt, Wish wish, Optional<Hold> own, Map<Path, Hold> others)
            throws BackendException {
        Placement kept = before;
        for (Member member : before.hosts().keySet()) {
            kept = wish.members().contains(member) ? kept : kept.without(member);
        }
        kept = again(kept, own, others);
        Wish missing = wish.butFor(kept.hosts().keySet());
        return missing.members().isEmpty() ? kept : kept.and(choose(job, attempt, missing, with(others, job, kept)));
    }

    /** What others hold, and what the group holds already, as nothing is given twice. */
    private Map<Path, Hold> with(Map<Path, Hold> others, JobId job, Placement kept) {
        Map<Path, Hold> all = new HashMap<>(others);
        all.put(holdFile(job), new Hold(ports(kept), gpus(kept), List.of()));
        return all;
    }

    private Placement again(Placement placement, Optional<Hold> own, Map<Path, Hold> others) throws BackendException {
        boolean held = own.filter(hold -> hold.isAlive(proc)).isPresent();
        for (Map.Entry<Member, Map<String, Integer>> member : placement.ports().entrySet()) {
            for (int port : member.getValue().values()) {
                boolean taken =
                        others.values().stream().anyMatch(hold -> hold.ports().contains(port));
                if (taken || !held && !canBind(port)) {
                    throw Failures.failed(
                            Cause.PORT_LOST,
                            "port " + port + " of " + member.getKey()
                                    + " was taken by another program while nobody of the group ran; a new attempt gets other"
                                    + " ports");
                }
            }
        }
        for (Map.Entry<Member, String> member : placement.gpus().entrySet()) {
            for (String gpu : member.getValue().split(",")) {
                if (others.values().stream().anyMatch(hold -> hold.gpus().contains(gpu))) {
                    throw Failures.failed(
                            Cause.PREEMPTED,
                            "GPU " + gpu + " of " + member.getKey()
                                    + " was taken by another job while nobody of the group ran");
                }
            }
        }
        return placement;
    }

    private Placement choose(JobId job, int attempt, Wish wish, Map<Path, Hold> others) throws BackendException {
        Set<Integer> taken = new HashSet<>();
        Set<String> takenGpus = new HashSet<>();
        others.values().forEach(hold -> {
            taken.addAll(hold.ports());
            takenGpus.addAll(hold.gpus());
        });
        // An attempt's ports differ from those of the one before, whose sockets may linger.
        int next = Math.floorMod((job + "/" + attempt).hashCode(), settings.count());
        Map<Member, Map<String, Integer>> ports = new TreeMap<>();
        for (Map.Entry<Member, List<String>> member : wish.ports().entrySet()) {
            Map<String, Integer> numbers = new TreeMap<>();
            for (String name : member.getValue()) {
                int tried = 0;
                int port = settings.firstPort() + next;
                while (taken.contains(port) || !canBind(port)) {
                    if (++tried > settings.count()) {
                        throw Failures.failed(
                                Cause.UNSCHEDULABLE,
                                "no port is free from " + settings.firstPort() + " to " + settings.lastPort());
                    }
                    next = (next + 1) % settings.count();
                    port = settings.firstPort() + next;
                }
                taken.add(port);
                numbers.put(name, port);
            }
            if (!numbers.isEmpty()) {
                ports.put(member.getKey(), numbers);
            }
        }
        return new Placement(hosts(wish), ports, gpus(wish, takenGpus));
    }

    private Map<Member, String> gpus(Wish wish, Set<String> taken) throws BackendException {
        List<String> free = new ArrayList<>(settings.gpus());
        free.removeAll(taken);
        Map<Member, String> gpus = new TreeMap<>();
        for (Map.Entry<Member, Integer> member : wish.gpus().entrySet()) {
            int count = member.getValue();
            if (count > free.size()) {
                throw Failures.failed(
                        Cause.UNSCHEDULABLE,
                        member.getKey() + " asks for " + count + " GPUs and " + free.size() + " of "
                                + settings.gpus().size() + " are free on this machine");
            }
            if (count > 0) {
                List<String> given = free.subList(0, count);
                gpus.put(member.getKey(), String.join(",", given));
                given.clear();
            }
        }
        return gpus;
    }

    private static Map<Member, String> hosts(Wish wish) {
        Map<Member, String> hosts = new TreeMap<>();
        wish.members().forEach(member -> hosts.put(member, wish.address()));
        return hosts;
    }

    /** A placement of the same form that nothing is reserved for. */
    Placement sample(Wish wish) {
        Map<Member, Map<String, Integer>> ports = new TreeMap<>();
        int next = settings.firstPort();
        for (Map.Entry<Member, List<String>> member : wish.ports().entrySet()) {
            for (String name : member.getValue()) {
                ports.computeIfAbsent(member.getKey(), key -> new TreeMap<>()).put(name, next++);
            }
        }
        Map<Member, String> gpus = new TreeMap<>();
        int device = 0;
        for (Map.Entry<Member, Integer> member : wish.gpus().entrySet()) {
            List<String> given = new ArrayList<>();
            for (int i = 0; i < member.getValue(); i++, device++) {
                given.add(device < settings.gpus().size() ? settings.gpus().get(device) : Integer.toString(device));
            }
            if (!given.isEmpty()) {
                gpus.put(member.getKey(), String.join(",", given));
            }
        }
        return new Placement(hosts(wish), ports, gpus);
    }

    /** Gives everything of the job back. */
    void release(JobId job) throws IOException {
        Files.deleteIfExists(holdFile(job));
        Files.deleteIfExists(placements.resolve(job.value()));
    }

    private Optional<PlacementText> read(JobId job) throws IOException {
        try {
            return PlacementText.parse(Files.readString(placements.resolve(job.value())));
        } catch (NoSuchFileException never) {
            return Optional.empty();
        }
    }

    private void write(JobId job, PlacementText text, Optional<Hold> before) throws IOException {
        List<ProcessIdentity> holders =
                new ArrayList<>(before.map(Hold::holders).orElse(List.of()));
        if (!holders.contains(proc.self())) {
            holders.add(proc.self());
        }
        shared.write(holdFile(job), new Hold(ports(text.placement()), gpus(text.placement()), holders));
        Files.createDirectories(placements);
        Path fresh = placements.resolve(job + ".new");
        Files.writeString(fresh, text.text());
        Files.move(fresh, placements.resolve(job.value()), StandardCopyOption.ATOMIC_MOVE);
    }

    private static Set<Integer> ports(Placement placement) {
        Set<Integer> ports = new HashSet<>();
        placement.ports().values().forEach(numbers -> ports.addAll(numbers.values()));
        return ports;
    }

    private static Set<String> gpus(Placement placement) {
        Set<String> gpus = new HashSet<>();
        placement.gpus().values().forEach(devices -> gpus.addAll(List.of(devices.split(","))));
        return gpus;
    }

    /** Whether nobody listens on the port at any address. */
    private static boolean canBind(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }
}
