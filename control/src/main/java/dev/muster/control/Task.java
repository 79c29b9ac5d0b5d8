package dev.muster.control;

import dev.muster.model.JobId;

/** A key of the loop: what runs one at a time. */
sealed interface Task {
    /** Look at one job. */
    record OfJob(JobId job) implements Task {}

    /** Admit who fits. */
    record Admit() implements Task {}

    /** Take sites and renew their leases. */
    record HoldSites() implements Task {}

    /** Find what nobody needs any more. */
    record TidyUp() implements Task {}
}
