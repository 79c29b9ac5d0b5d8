package dev.muster.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Prometheus is told. */
class MeasureTest {
    private static final Pattern LINE = Pattern.compile(
            "# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\\{[a-z]+=\"[^\"]*\"(,[a-z]+=\"[^\"]*\")*})? -?[0-9.E+-]+");

    @TempDir
    private Path folder;

    @Test
    void jobsRequestsAndCapacityAreCountedWithoutNamingAnybody() {
        try (Served served = new Served(folder.resolve("home"))) {
            String job = served.submit(Served.shell("measured", "exec sleep 600"));
            served.await(job, "Running");
            served.get("/v1/jobs/" + job);
            served.get("/v1/jobs/nobody-knows");
            served.get("/v1/odd/" + job);
            HttpResponse<String> answer = served.get("/v1/metrics");
            assertThat(answer.headers().firstValue("Content-Type"))
                    .contains("text/plain; version=0.0.4; charset=utf-8");
            assertThat(answer.body().lines())
                    .allMatch(line -> LINE.matcher(line).matches());
            assertThat(answer.body())
                    .contains("muster_jobs{state=\"Running\"} 1")
                    .contains("muster_capacity{backend=\"local\",resource=\"processes\"} 8")
                    .contains("muster_http_requests_total{route=\"/v1/jobs/{job}\",method=\"GET\",status=\"404\"} 1")
                    .contains("muster_http_requests_total{route=\"other\",method=\"GET\",status=\"404\"} 1")
                    .contains("muster_http_wait_seconds_bucket{route=\"/v1/jobs\",le=\"+Inf\"} 1")
                    .contains("muster_build_info{build=\"test-build\"} 1")
                    .doesNotContain(job, "measured", "ann", served.token, "odd");
            served.post("/v1/jobs/" + job + "/cancel", "");
        }
    }
}
