package dev.muster.model;

/** How it shows that a process is more than started. A report always shows it too. */
public sealed interface Join {
    /** Being started is enough: nobody waits for it. */
    record Started() implements Join {}

    /** Its own reserved port listens. */
    record Listens(String port) implements Join {}

    /** It is connected to a reserved port of another member, the coordinator. */
    record Connected(Member member, String port) implements Join {}
}
