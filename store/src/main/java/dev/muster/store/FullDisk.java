package dev.muster.store;

import dev.muster.spi.JobStore.StoreException;
import java.sql.SQLException;
import java.util.Optional;

/** What the writer of a database can do about a disk without room. Used by its thread alone. */
interface FullDisk {
    /** Gives back what room the database takes for its own convenience; true when trying again makes sense. */
    boolean emptyLog(Session session) throws SQLException;

    /** Gives up some of the room that was kept for a {@link Room#KEPT} change; false when none is left. */
    boolean giveUp();

    /**
     * Why nothing but what is {@link Room#KEPT} may be stored now: the room that was given up is not free for others. Takes it back if there
     * is plenty of room again, and then there is no reason any more.
     */
    Optional<StoreException> refusal();
}
