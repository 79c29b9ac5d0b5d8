package dev.muster.server.measure;

import dev.muster.control.Ports;
import dev.muster.model.Capacity;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.server.access.Scope;
import dev.muster.server.http.Exchange;
import dev.muster.server.http.PathVariables;
import dev.muster.server.http.Route;
import dev.muster.spi.Backend;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

/** What Prometheus scrapes: jobs, capacity, requests and the process itself. No label is a job, a user, a project or a token. */
public final class MeasureRoute {
    private final Ports ports;
    private final Requests requests;
    private final Path home;
    private final String build;

    /** @param home whose disk is told of */
    public MeasureRoute(Ports ports, Requests requests, Path home, String build) {
        this.ports = ports;
        this.requests = requests;
        this.home = home;
        this.build = build;
    }

    public Route route() {
        return new Route("GET", "/v1/metrics", Scope.READ, this::send);
    }

    private void send(Exchange exchange, PathVariables variables) throws IOException {
        Exposition out = new Exposition();
        out.metric("muster_build_info", "gauge", "The build that runs.")
                .sample("muster_build_info", Map.of("build", build), 1);
        jobs(out);
        capacity(out);
        requests.writeTo(out);
        process(out);
        exchange.send(200, Exposition.CONTENT_TYPE, out.toString(), Map.of());
    }

    private void jobs(Exposition out) {
        Map<JobState, Integer> states = new EnumMap<>(JobState.class);
        for (JobState state : JobState.values()) {
            if (!state.isFinal()) {
                states.put(state, 0);
            }
        }
        for (JobRecord job : ports.store().live()) {
            states.merge(job.state(), 1, Integer::sum);
        }
        out.metric("muster_jobs", "gauge", "Jobs that have not ended, by state.");
        states.forEach((state, count) -> out.sample("muster_jobs", Map.of("state", state.text()), count));
    }

    private void capacity(Exposition out) {
        out.metric("muster_capacity", "gauge", "What jobs may take together, by backend and resource.");
        for (Backend backend : ports.backends().values()) {
            Capacity all = backend.capacity();
            String kind = backend.kind().text();
            sample(out, kind, "processes", all.processes());
            sample(out, kind, "cpus", all.milliCpus() / 1000.0);
            sample(out, kind, "memory_bytes", all.memoryBytes());
            sample(out, kind, "gpus", all.gpus());
        }
    }

    private static void sample(Exposition out, String backend, String resource, double value) {
        out.sample("muster_capacity", Requests.labels("backend", backend, "resource", resource), value);
    }

    private void process(Exposition out) throws IOException {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        out.metric("muster_disk_free_bytes", "gauge", "Room on the disk of MUSTER_HOME.")
                .sample(
                        "muster_disk_free_bytes",
                        Map.of(),
                        Files.getFileStore(home).getUsableSpace());
        out.metric("jvm_memory_used_bytes", "gauge", "Memory in use by the JVM.")
                .sample(
                        "jvm_memory_used_bytes",
                        Map.of("area", "heap"),
                        memory.getHeapMemoryUsage().getUsed())
                .sample(
                        "jvm_memory_used_bytes",
                        Map.of("area", "nonheap"),
                        memory.getNonHeapMemoryUsage().getUsed());
        out.metric("process_start_time_seconds", "gauge", "Start of the process, seconds since 1970.")
                .sample(
                        "process_start_time_seconds",
                        Map.of(),
                        ManagementFactory.getRuntimeMXBean().getStartTime() / 1000.0);
    }
}
