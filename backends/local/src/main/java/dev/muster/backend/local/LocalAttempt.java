package dev.muster.backend.local;

import dev.muster.backend.local.AttemptFolder.Exit;
import dev.muster.backend.local.AttemptFolder.Started;
import dev.muster.backend.local.Proc.Stat;
import dev.muster.model.ProcessKey;
import dev.muster.spi.Sighting;
import dev.muster.spi.Sighting.Seen;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * One attempt as this service knows it. What its files say is read again until it is over, and is then remembered. Threads take turns.
 */
final class LocalAttempt {
    private static final Duration NAMELESS = Duration.ofSeconds(5);
    private static final Duration SILENCE = Duration.ofMinutes(1);

    private final ProcessKey key;
    private final AttemptFolder folder;
    private final ProcessTree tree;
    private final Proc proc;

    private Optional<ProcessIdentity> shim = Optional.empty();
    private Optional<Started> started = Optional.empty();
    private Optional<Facts> facts = Optional.empty();
    private Optional<Seen> end = Optional.empty();
    private OptionalLong namelessSince = OptionalLong.empty();
    private OptionalLong joiningSince = OptionalLong.empty();
    private boolean joined;
    private boolean saving;
    private OptionalLong silentSince = OptionalLong.empty();

    LocalAttempt(ProcessKey key, AttemptFolder folder, String marker, Proc proc) {
        this.key = key;
        this.folder = folder;
        this.tree = new ProcessTree(folder, proc, marker);
        this.proc = proc;
    }

    ProcessKey key() {
        return key;
    }

    AttemptFolder folder() {
        return folder;
    }

    ProcessTree tree() {
        return tree;
    }

    /** It was held ready, and did not answer when it was needed. */
    synchronized void didNotAnswer() {
        silentSince = OptionalLong.of(System.nanoTime());
    }

    /** Whether it makes sense to ask it: it did not keep anybody waiting in the last minute. */
    synchronized boolean mayAnswer() {
        return silentSince.isEmpty() || System.nanoTime() - silentSince.getAsLong() > SILENCE.toNanos();
    }

    /** What is seen now; empty when it was never started. Ends what a killed shim left behind. */
    synchronized Optional<Sighting> observe() throws IOException {
        if (end.isEmpty()) {
            Optional<Seen> seen = look();
            if (seen.isEmpty()) {
                return Optional.empty();
            }
            switch (seen.get()) {
                case Seen.Starting starting -> {}
                case Seen.Running running -> {}
                case Seen.Ended ended -> end = seen;
                case Seen.Vanished vanished -> end = seen;
            }
            return seen.map(state -> new Sighting(key, state));
        }
        return end.map(state -> new Sighting(key, state));
    }

    private Optional<Seen> look() throws IOException {
        if (!folder.isClaimed()) {
            return Optional.empty();
        }
        Optional<Instant> taken = folder.taken();
        if (taken.isPresent()) {
            read();
            return Optional.of(new Seen.Ended(
                    0, false, started.map(Started::at), taken.get(), Optional.of("took the place of another process")));
        }
        // The end first: what was written before it is there then.
        Optional<Exit> exit = folder.exit();
        read();
        if (exit.isPresent()) {
            // A shell that was asked to end does so at once; the attempt is over when those it ran, asked as well, have
            // saved.
            saving = tree.askedAreRunning();
            return Optional.of(saving ? running() : ended(exit.get()));
        }
        boolean running = shim.isPresent() ? proc.isRunning(shim.get()) : !isStuck();
        if (running) {
            return Optional.of(started.isPresent() ? running() : new Seen.Starting());
        }
        return gone();
    }

    /** A claim may be taken back, and be another's then, until the program is started. */
    private void read() throws IOException {
        if (started.isEmpty()) {
            started = folder.started();
            shim = folder.claim();
            facts = folder.facts();
        }
    }

    /** Whether a claim has been without its shim's name for so long that the shim must have been killed in the middle. */
    private boolean isStuck() {
        if (namelessSince.isEmpty()) {
            namelessSince = OptionalLong.of(System.nanoTime());
        }
        return System.nanoTime() - namelessSince.getAsLong() > NAMELESS.toNanos();
    }

    /** The shim runs no more and had told no end when last looked. */
    private Optional<Seen> gone() throws IOException {
        Optional<Exit> exit = folder.exit();
        read();
        if (exit.isPresent()) {
            return Optional.of(ended(exit.get()));
        }
        if (!folder.isClaimed()) {
            return Optional.empty();
        }
        Optional<Stat> left = tree.kill();
        if (left.isPresent()) {
            return Optional.of(running());
        }
        boolean otherBoot = shim.isPresent() && !shim.get().boot().equals(proc.boot());
        String why = otherBoot
                ? "the machine was started anew while the process ran"
                : "the process that waits for its exit code was killed; what it had started was ended";
        return Optional.of(new Seen.Vanished(started.map(Started::at), why));
    }

    private Seen running() {
        return new Seen.Running(
                pid(),
                facts.map(Facts::address).orElse(""),
                started.map(Started::at).orElse(Instant.EPOCH),
                joined || sign() instanceof JoinSign.Started);
    }

    private OptionalLong pid() {
        return started.map(program -> OptionalLong.of(program.pid())).orElse(OptionalLong.empty());
    }

    private JoinSign sign() {
        return facts.map(Facts::join).orElse(new JoinSign.Started());
    }

    private Seen ended(Exit exit) {
        boolean outOfMemory = exit.code() != 0 && exit.kills() > 0;
        return new Seen.Ended(
                exit.code(),
                outOfMemory,
                pid(),
                started.map(Started::at),
                exit.at(),
                Optional.empty(),
                message(exit.code()));
    }

    private Optional<String> message(int code) {
        if (code != 126 && code != 127) {
            return Optional.empty();
        }
        return facts.flatMap(Facts::unrunnable)
                .or(() -> Optional.of("a program could not be " + (code == 127 ? "found" : "executed")));
    }

    /** Takes up an attempt that was just started. */
    synchronized void begin() throws IOException {
        read();
    }

    /** Whether it is known to have been started and not known to be over. */
    synchronized boolean isLive() {
        return end.isEmpty() && shim.isPresent();
    }

    /** Whether it lives and has not shown yet that it joined. */
    synchronized boolean isJoining() {
        return isLive() && !joined && !(sign() instanceof JoinSign.Started);
    }

    /** How long this service has known it to be joining; empty when it is not. */
    synchronized Optional<Duration> joiningFor() {
        if (!isJoining()) {
            return Optional.empty();
        }
        if (joiningSince.isEmpty()) {
            joiningSince = OptionalLong.of(System.nanoTime());
        }
        return Optional.of(Duration.ofNanos(System.nanoTime() - joiningSince.getAsLong()));
    }

    /** Looks for its sign of joining; true when it is there for the first time. */
    synchronized boolean probe(JoinProbe sockets) throws IOException {
        if (!isJoining()) {
            return false;
        }
        Set<String> inodes = sockets.candidates(sign());
        if (inodes.isEmpty()) {
            return false;
        }
        List<Long> processes = tree.members().stream().map(Stat::pid).toList();
        joined = sockets.holds(processes, inodes);
        return joined;
    }

    /** Whether its program has ended and those it ran, asked to end as well, still save. */
    synchronized boolean isSaving() {
        return isLive() && saving;
    }

    /** Whether it lives as far as is known, but its shim runs no more. */
    synchronized boolean isShimGone() {
        return isLive() && !proc.isRunning(shim.get());
    }
}
