package dev.muster.server.service;

import dev.muster.api.ProblemType;
import dev.muster.server.http.Exchange;
import dev.muster.server.http.Handler;
import dev.muster.server.http.PathVariables;
import dev.muster.server.http.ProblemException;
import dev.muster.spi.JobStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.LongSupplier;

/** Answers whether jobs are taken: not while the service stops, its database is not reached, or its disk is full. */
final class Readiness implements Handler {
    /** Once a disk was full, nothing new is stored until so much is free again. */
    private static final long ROOM = 16L << 20;

    private final Intake intake;
    private final JobStore store;
    private final LongSupplier free;

    Readiness(Intake intake, JobStore store, Path home) {
        this(intake, store, () -> free(home));
    }

    /** @param free bytes that are left on the disk of the home */
    Readiness(Intake intake, JobStore store, LongSupplier free) {
        this.intake = intake;
        this.store = store;
        this.free = free;
    }

    private static long free(Path home) {
        try {
            return Files.getFileStore(home).getUsableSpace();
        } catch (IOException notTold) {
            return Long.MAX_VALUE;
        }
    }

    @Override
    public void handle(Exchange exchange, PathVariables variables) {
        intake.require();
        store.latestTime(); // throws what is told, when the database is not reached
        long left = free.getAsLong();
        if (left < ROOM) {
            throw new ProblemException(
                    ProblemType.DISK_FULL,
                    "The disk of MUSTER_HOME has " + (left >> 10) + " KiB left, and jobs take " + (ROOM >> 20)
                            + " MiB: make room. Jobs that run go on, and can be looked at and ended.");
        }
        exchange.send(204, Map.of());
    }
}
