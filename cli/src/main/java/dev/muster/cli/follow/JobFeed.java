package dev.muster.cli.follow;

import dev.muster.api.JobDocument;
import dev.muster.cli.client.Answer;
import dev.muster.cli.client.Api;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.function.Consumer;

/** The job document whenever it changes. */
final class JobFeed extends Feed {
    /** After so long without news it asks again, because a connection can be dead without a word. */
    private static final Duration SILENCE = Duration.ofSeconds(60);

    JobFeed(Api api, String job, Consumer<Sight> sights) {
        super(Kind.JOB, api, job, sights);
    }

    @Override
    protected Answer open() {
        return api.watch(job, SILENCE);
    }

    @Override
    protected void read(InputStream in) throws IOException {
        JsonLines.read(in, json -> see(new Sight.Job(json, JobDocument.of(json))));
    }
}
