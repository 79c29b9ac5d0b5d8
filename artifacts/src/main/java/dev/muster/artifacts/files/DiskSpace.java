package dev.muster.artifacts.files;

import java.io.IOException;

/** Tells a full disk from other failures. */
public final class DiskSpace {
    private DiskSpace() {}

    /** Whether the failure, or one it follows from, is a full disk or a used up quota. */
    public static boolean isFull(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException && cause.getMessage() != null && saysFull(cause.getMessage())) {
                return true;
            }
        }
        return false;
    }

    /** Whether the text carries the operating system's words for a full disk or a used up quota. */
    public static boolean saysFull(String text) {
        return text.contains("No space left on device") || text.contains("Disk quota exceeded");
    }
}
