package dev.muster.server;

import dev.muster.control.ControlThreads;
import dev.muster.control.Jobs;
import dev.muster.control.Ports;
import dev.muster.control.Surroundings;
import dev.muster.frameworks.Frameworks;
import dev.muster.model.BackendKind;
import dev.muster.model.Capacity;
import dev.muster.model.JobRecord;
import dev.muster.model.JobSpec;
import dev.muster.model.Origin;
import dev.muster.server.home.MusterHome;
import dev.muster.server.service.Parts;
import dev.muster.spec.JobText;
import dev.muster.spi.JobStore;
import dev.muster.testkit.FakeTelemetry;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * From submission to end: many jobs of two processes through the real control plane and the real store, over processes that are only simulated. Arguments: an
 * empty folder, and how many jobs (10,000). Prints one JSON line: {@code jobs, seconds, cpuSeconds}.
 */
final class ThroughputBenchmark {
    private static final PrintStream OUT = System.out;
    private static final int CLIENTS = 64;
    private static final Capacity CAPACITY = new Capacity(1000, 1_000_000, 1L << 40, 0);
    private static final Origin ORIGIN =
            new Origin("ann", "/tmp", Optional.empty(), Optional.empty(), "/usr/bin:/bin", Map.of());

    private ThroughputBenchmark() {}

    public static void main(String[] words) throws Exception {
        int count = words.length > 1 ? Integer.parseInt(words[1]) : 10_000;
        try (MusterHome home = MusterHome.take(Path.of(words[0])).orElseThrow()) {
            Parts parts = Wiring.open(home.folder(), System.getenv());
            round(parts, "warm", Math.min(2000, count));
            long cpu = cpu();
            long begun = System.nanoTime();
            round(parts, "job", count);
            OUT.printf(
                    "{\"jobs\":%d,\"seconds\":%.2f,\"cpuSeconds\":%.2f}%n",
                    count, (System.nanoTime() - begun) / 1e9, (cpu() - cpu) / 1e9);
        }
        System.exit(0);
    }

    private static long cpu() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private static void round(Parts parts, String name, int count) throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(count);
        Surroundings surroundings = parts.surroundings();
        Ports real = parts.ports();
        Ports ports = new Ports(
                counting(real.store(), ended),
                Map.of(
                        BackendKind.LOCAL,
                        new SimulatedProcesses(surroundings.clock(), CAPACITY, Duration.ofMillis(100))),
                real.frameworks(),
                real.environments(),
                real.checkpoints(),
                real.models(),
                new FakeTelemetry());
        try (ControlThreads control = new ControlThreads(ports, surroundings)) {
            control.start();
            Jobs jobs = new Jobs(ports, surroundings, control.reconciler());
            AtomicInteger next = new AtomicInteger();
            for (int client = 0; client < CLIENTS; client++) {
                Thread.ofVirtual().start(() -> {
                    for (int number = next.getAndIncrement(); number < count; number = next.getAndIncrement()) {
                        jobs.accept(spec(name + "-" + number), ORIGIN, Map.of(), Optional.empty());
                    }
                });
            }
            ended.await();
        }
    }

    private static JobSpec spec(String name) {
        String text = "name: " + name + "\nframework: plain\nworkers: 2\ncommand: [/bin/true]\n";
        return JobText.parse(text, List.of(), Frameworks::of).spec().orElseThrow();
    }

    /** Counts jobs that become final. */
    private static JobStore counting(JobStore store, CountDownLatch ended) {
        return (JobStore) Proxy.newProxyInstance(
                JobStore.class.getClassLoader(), new Class<?>[] {JobStore.class}, (proxy, method, arguments) -> {
                    try {
                        Object answer = method.invoke(store, arguments);
                        if (method.getName().equals("compareAndSet")
                                && !Boolean.FALSE.equals(answer)
                                && ((JobRecord) arguments[0]).state().isFinal()) {
                            ended.countDown();
                        }
                        return answer;
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }
}
