package dev.muster.control.schedule;

/**
 * Where a waiting job stands.
 *
 * @param place in its queue, from 1, as things are now
 * @param why   why it waits, one sentence without a full stop
 */
public record Standing(int place, String why) {}
