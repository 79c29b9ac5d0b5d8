package dev.muster.control.schedule;

/**
 * Where a waiting job stands.
 *
 * @param place in its queue, from 1, as things are now
 * @param why   why it waits, one sentence without a full stop
 * @param held  whether something keeps it waiting; else it is only its turn that has to come
 */
public record Standing(int place, String why, boolean held) {}
