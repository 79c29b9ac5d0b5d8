package dev.muster.store;

/** What room on the disk a change may take. */
enum Room {
    /** What is free. */
    FREE,
    /** On a full disk also what was kept back there, so that what runs can be ended, and its end be stored. */
    KEPT
}
