package dev.muster.cli.command;

import dev.muster.api.JobDocument;
import dev.muster.formats.json.JsonFields;

/** What the commands that change a job share: showing what became of it. */
final class JobActions {
    private JobActions() {}

    /** The changed job for a script, its state in a sentence for a person. */
    static void show(Session session, JsonFields answer) {
        if (session.json()) {
            session.write(answer);
            return;
        }
        JobDocument job = JobDocument.of(answer);
        session.out()
                .line(job.name() + " " + job.id() + " is " + job.state()
                        + (job.reason().isPresent() ? ": " + job.reason().get() : ""));
    }
}
