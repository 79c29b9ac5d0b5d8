package dev.muster.server;

import dev.muster.spi.JobStore.StoreException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;

/** Why a service could not start, in words for a user. */
final class StartFault {
    private static final String NO_SPACE = "No space left on device";

    private StartFault() {}

    /** One sentence without a class name. */
    static String told(Exception fault) {
        if (isDiskFull(fault)) {
            return "the disk of MUSTER_HOME is full. Make room and try again.";
        }
        Throwable inner = fault;
        while (!(inner instanceof IOException) && inner.getCause() != null) {
            inner = inner.getCause();
        }
        return switch (inner) {
            case AccessDeniedException denied -> "permission for " + denied.getFile() + " is denied";
            case NoSuchFileException gone -> gone.getFile() + " is not there";
            case FileSystemException file ->
                file.getFile() + ": " + Optional.ofNullable(file.getReason()).orElse("it cannot be used");
            default -> fault.getMessage();
        };
    }

    static boolean isDiskFull(Throwable fault) {
        for (Throwable cause = fault; cause != null; cause = cause.getCause()) {
            boolean told = cause.getMessage() != null && cause.getMessage().contains(NO_SPACE);
            if (told || cause instanceof StoreException store && store.diskFull()) {
                return true;
            }
        }
        return false;
    }
}
