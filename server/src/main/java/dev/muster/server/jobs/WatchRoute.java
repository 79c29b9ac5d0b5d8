package dev.muster.server.jobs;

import dev.muster.api.JobDocument;
import dev.muster.control.Jobs;
import dev.muster.model.JobId;
import dev.muster.model.JobState;
import dev.muster.server.http.Exchange;
import dev.muster.server.http.Handler;
import dev.muster.server.http.PathVariables;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** The job document whenever it changes, one a line, to the final one. */
final class WatchRoute implements Handler {
    private final Jobs jobs;
    private final JobDocuments documents;
    private final JobReferences references;
    private final Following following;

    WatchRoute(Jobs jobs, JobDocuments documents, JobReferences references, Following following) {
        this.jobs = jobs;
        this.documents = documents;
        this.references = references;
        this.following = following;
    }

    @Override
    public void handle(Exchange exchange, PathVariables variables) throws IOException {
        JobId job = references.find(exchange, variables);
        LineStream lines = new LineStream(exchange.stream("application/x-ndjson", Map.of()));
        following.follow(job, new Following.Source() {
            private String last = "";
            private volatile boolean queued;
            private boolean unstored;

            @Override
            public boolean sendNews() throws IOException {
                Optional<JobDocument> document = jobs.get(job).map(documents::of);
                if (document.isEmpty()) {
                    return false;
                }
                String line = document.get().toJson().toString();
                if (!line.equals(last)) {
                    lines.line(line);
                    lines.flush();
                    last = line;
                }
                queued = document.get().queuePosition().isPresent();
                unstored = document.get().state().equals(JobState.ADMITTED.text())
                        || document.get().state().equals(JobState.STARTING.text())
                        || document.get().noContact().isPresent();
                return !document.get().isFinal();
            }

            /** The place in the queue moves with other jobs. */
            @Override
            public boolean wantsOthers() {
                return queued;
            }

            /** What is being done to prepare a job, who is late to join, and what the way to its backend says, is not stored. */
            @Override
            public boolean changesByItself() {
                return unstored;
            }

            @Override
            public void sendHeartbeat() throws IOException {
                lines.line("");
                lines.flush();
            }
        });
        lines.end();
    }
}
