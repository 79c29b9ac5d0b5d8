package dev.muster.frameworks.xgboost;

import dev.muster.frameworks.Companion;
import dev.muster.frameworks.CompanionContract;
import dev.muster.frameworks.Contract;
import dev.muster.frameworks.GroupFramework;
import dev.muster.frameworks.Roster;
import dev.muster.frameworks.Slot;
import dev.muster.model.FrameworkKind;
import dev.muster.model.JobSpec;
import dev.muster.model.Template;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * XGBoost 2.1 and later. The tracker of {@code xgboost.tracker} runs as a process of its own in the job's Python; a worker hands the
 * DMLC_ variables to {@code xgboost.collective.CommunicatorContext}, which reads none by itself. The tracker sorts workers by their
 * task id as text, so task ids are padded to one length and XGBoost's rank is Muster's.
 */
public final class XgboostFramework extends GroupFramework {
    private static final String TRACKER_URI = "DMLC_TRACKER_URI";
    private static final String TRACKER_PORT = "DMLC_TRACKER_PORT";
    private static final String TASK_ID = "DMLC_TASK_ID";
    private static final String NUM_WORKER = "DMLC_NUM_WORKER";

    @Override
    public FrameworkKind kind() {
        return FrameworkKind.XGBOOST;
    }

    @Override
    protected Set<String> variables(JobSpec spec) {
        return Set.of(TRACKER_URI, TRACKER_PORT, TASK_ID, NUM_WORKER);
    }

    @Override
    protected Contract contract(Roster roster) {
        return new Tracked(Companion.of(roster, "tracker", XgboostFramework.class, "tracker.py"));
    }

    private record Tracked(Companion companion) implements CompanionContract {
        @Override
        public Map<String, Template> env(Slot slot) {
            if (!slot.isRanked()) {
                return Map.of();
            }
            String last = Integer.toString(workers() - 1);
            String rank = Integer.toString(slot.rank().getAsInt());
            return Map.of(
                    TRACKER_URI, companion.host(),
                    TRACKER_PORT, companion.portNumber(),
                    TASK_ID, Template.text("0".repeat(last.length() - rank.length()) + rank),
                    NUM_WORKER, Template.text(Integer.toString(workers())));
        }

        private int workers() {
            return companion.roster().worldSize();
        }

        @Override
        public List<Template> companionArguments() {
            long seconds = companion.roster().spec().limits().startDeadline().toSeconds();
            return List.of(
                    companion.host(),
                    companion.portNumber(),
                    Template.text(Integer.toString(workers())),
                    Template.text(Long.toString(seconds)));
        }
    }
}
