package dev.muster.backend.kubernetes;

import dev.muster.spi.BackendException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

/** A checkpoint folder in a pod. Paths are relative to it. */
interface CheckpointFolder {
    /** What is in it now. */
    Listing look() throws BackendException;

    /** Copies files into a folder of this host; one that is gone by now is left out. What is copied of one that is being written is anybody's guess. */
    void copy(List<String> paths, Path into) throws BackendException;

    /** Puts files into it, each by rename. One that is there already stays as it is. */
    void put(Parcel files) throws BackendException;

    /** The same for a process that is held ready: one that is there is replaced. Nothing is done once the process has become an attempt. */
    void putWhileHeld(Parcel files) throws BackendException;

    /** Removes files and folders. */
    void remove(Collection<String> paths) throws BackendException;

    /** The same, but not once a process that was held ready has become an attempt. */
    void removeWhileHeld(Collection<String> paths) throws BackendException;
}
