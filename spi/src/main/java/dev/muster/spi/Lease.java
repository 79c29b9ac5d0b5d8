package dev.muster.spi;

import dev.muster.model.Site;

/**
 * The right to drive the jobs of one site. What a former holder writes is refused by the store: it knows who follows by the generation.
 *
 * @param site       whose jobs may be driven
 * @param holder     the replica that holds it
 * @param generation fencing token: from 1, raised whenever the site is taken
 */
public record Lease(Site site, String holder, long generation) {}
