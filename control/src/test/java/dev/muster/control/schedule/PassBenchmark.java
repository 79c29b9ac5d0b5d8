package dev.muster.control.schedule;

import dev.muster.model.Capacity;
import dev.muster.model.JobId;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;

/**
 * How long a pass takes while 10,000 jobs wait and 64 run: each time one job ends, one comes, and the pass finds who starts. Prints a line a case
 * and one a goal; see benchmarks/scheduling.
 */
public final class PassBenchmark {
    private static final int WAITING = 10_000;
    private static final int RUNNING = 64;
    private static final int WARM = 1_000;
    private static final int PASSES = 2_000;
    private static final double GOAL = 5;

    private int number;

    private PassBenchmark() {}

    public static void main(String[] arguments) {
        boolean met = new PassBenchmark().measure("one user, one shape", 1, 1)
                & new PassBenchmark().measure("20 users, 5 shapes each", 20, 5)
                & new PassBenchmark().measure("1,000 users, every job its own shape", 1_000, WAITING);
        System.exit(met ? 0 : 1);
    }

    private boolean measure(String name, int users, int shapes) {
        Cluster cluster = new Cluster(new Capacity(RUNNING, 1_000_000_000L, 1L << 50, 0));
        for (int job = 0; job < WAITING + RUNNING; job++) {
            submit(cluster, users, shapes);
        }
        cluster.pass();
        double[] millis = new double[PASSES];
        int looked = 0;
        for (int pass = -WARM; pass < PASSES; pass++) {
            Iterator<JobId> running = cluster.holding.keySet().iterator();
            cluster.ends(running.next().value());
            submit(cluster, users, shapes);
            cluster.after(Duration.ofSeconds(1));
            long begin = now();
            Outcome outcome = cluster.pass();
            if (pass >= 0) {
                millis[pass] = (now() - begin) / 1e6;
                looked += outcome.admitted().size();
            }
        }
        Arrays.sort(millis);
        double median = millis[PASSES / 2];
        double tail = millis[PASSES * 99 / 100];
        long begin = now();
        int places = Places.of(cluster.situation(), 0).byJob().size();
        double all = (now() - begin) / 1e6;
        System.out.printf(
                "%s: %d waiting, %d started; pass median %.3f ms, p99 %.3f ms, longest %.3f ms; all %d places %.1f ms%n",
                name, cluster.waiting.size(), looked, median, tail, millis[PASSES - 1], places, all);
        System.out.printf(
                "pass (%s): p99 %.3f ms of processor time (goal <= %.0f ms) %s%n",
                name, tail, GOAL, tail <= GOAL ? "met" : "short");
        return tail <= GOAL;
    }

    /** Processor time of this thread: what else runs on the machine does not count. */
    private static long now() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private void submit(Cluster cluster, int users, int shapes) {
        int job = number++;
        cluster.job("j" + job)
                .user("user" + job % users)
                .demand(new Capacity(1, 1000, 1L << 20 | job / users % shapes, 0))
                .waits();
    }
}
