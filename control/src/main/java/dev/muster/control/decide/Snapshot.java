package dev.muster.control.decide;

import dev.muster.model.JobRecord;
import dev.muster.model.LaunchPlan;

/** A job as {@link Decider} sees it: its stored record, what it launches and how it conducts itself. */
public record Snapshot(JobRecord job, LaunchPlan plan, Conduct conduct) {}
