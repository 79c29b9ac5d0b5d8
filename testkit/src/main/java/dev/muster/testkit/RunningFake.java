package dev.muster.testkit;

import dev.muster.model.Cause;
import dev.muster.model.ProcessKey;
import dev.muster.spi.Sighting.Seen;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** One started attempt of {@link FakeBackend}: what is seen of it follows from the time alone. */
final class RunningFake {
    private final ProcessKey key;
    private final FakeProcess behaviour;
    private final int pid;
    private final Instant runsAt;
    private final Optional<Instant> joinsAt;
    private Optional<Ending> ending = Optional.empty();
    private Optional<String> trouble = Optional.empty();

    private record Ending(Instant at, Optional<Integer> code, boolean outOfMemory, Optional<Cause> cause) {}

    RunningFake(ProcessKey key, FakeProcess behaviour, Instant startedAt, int pid) {
        this.key = key;
        this.behaviour = behaviour;
        this.pid = pid;
        runsAt = startedAt.plus(behaviour.toRunning());
        joinsAt = behaviour.toJoined().map(runsAt::plus);
        behaviour.toExit().ifPresent(after -> end(runsAt.plus(after), behaviour.code(), behaviour.outOfMemory()));
    }

    ProcessKey key() {
        return key;
    }

    /** It ends then, unless it ends earlier. */
    void end(Instant at, int code, boolean outOfMemory) {
        end(new Ending(at, Optional.of(code), outOfMemory, Optional.empty()));
    }

    /** The platform ends it with a code, and says why. */
    void end(Instant at, int code, Cause cause) {
        end(new Ending(at, Optional.of(code), false, Optional.of(cause)));
    }

    void trouble(Optional<String> wrong) {
        trouble = wrong;
    }

    void vanish(Instant at, Cause cause) {
        end(new Ending(at, Optional.empty(), false, Optional.of(cause)));
    }

    private void end(Ending next) {
        if (ending.isEmpty() || next.at().isBefore(ending.get().at())) {
            ending = Optional.of(next);
        }
    }

    void ask(Instant at) {
        boolean childKilled = behaviour.outOfMemory() && behaviour.toExit().isEmpty();
        behaviour.afterTerm().ifPresent(after -> end(at.plus(after), behaviour.termCode(), childKilled));
    }

    void stopFile(Instant at) {
        behaviour.afterStopFile().ifPresent(after -> end(at.plus(after), 0, false));
    }

    boolean isOver(Instant now) {
        return ending.isPresent() && !ending.get().at().isAfter(now);
    }

    Optional<Integer> exitCode(Instant now) {
        return isOver(now) ? ending.get().code() : Optional.empty();
    }

    Seen seen(Instant now) {
        if (isOver(now)) {
            Ending end = ending.get();
            Optional<Instant> ran = end.at().isBefore(runsAt) ? Optional.empty() : Optional.of(runsAt);
            return end.code().isPresent()
                    ? new Seen.Ended(
                            end.code().get(),
                            end.outOfMemory(),
                            ran.isPresent() ? OptionalLong.of(pid) : OptionalLong.empty(),
                            ran,
                            end.at(),
                            end.cause(),
                            Optional.empty())
                    : new Seen.Vanished(ran, end.cause().orElse(Cause.LOST), "its supervisor is gone");
        }
        if (now.isBefore(runsAt)) {
            return new Seen.Starting(behaviour.hold());
        }
        boolean joined = joinsAt.isPresent() && !now.isBefore(joinsAt.get());
        return new Seen.Running(OptionalLong.of(pid), "127.0.0.1", runsAt, joined, trouble);
    }

    /** Every moment at which something else is seen. */
    List<Instant> changes() {
        List<Instant> changes = new ArrayList<>(List.of(runsAt));
        joinsAt.ifPresent(changes::add);
        ending.ifPresent(end -> changes.add(end.at()));
        return changes;
    }
}
