package dev.muster.telemetry;

import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessName;
import dev.muster.spi.JobFolders;
import dev.muster.spi.JobStore.Point;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Prints what following costs: the CPU time of telemetry's thread while processes each print 20 lines and 5 reports a second, with a
 * snapshot of 1,000 files in the chief's code folder. Arguments: number of processes (2), seconds (20).
 */
final class FollowingCost {
    private static final PrintStream OUT = System.out;
    private static final String SCRIPT =
            "i=0; while :; do i=$((i+1)); echo \"epoch 1 step $i loss 0.31 of a line as long as they are\";"
                    + " [ $((i%4)) -eq 0 ] && echo '::muster::{\"step\":'$i',\"total\":100000,\"metrics\":{\"loss\":0.31,\"acc\":.98}}';"
                    + " sleep 0.05; done";

    private FollowingCost() {}

    public static void main(String[] arguments) throws Exception {
        int count = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 2;
        int seconds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 20;
        JobFolders folders = new JobFolders(Files.createTempDirectory("muster-following"));
        List<Process> processes = new ArrayList<>();
        long[] points = new long[1];
        try (FileTelemetry telemetry = FileTelemetry.start(folders, Instant::now, new Outlet() {
            @Override
            public void points(JobId job, List<Point> some) {
                points[0] += some.size();
            }

            @Override
            public void remark(ProcessKey key, String text) {
                OUT.println(text);
            }
        })) {
            for (int i = 0; i < count; i++) {
                ProcessKey key = new ProcessKey(new JobId("j1"), new ProcessName("worker", i), 1);
                Path log = folders.log(key);
                Files.createDirectories(log.getParent());
                processes.add(new ProcessBuilder("sh", "-c", SCRIPT)
                        .redirectOutput(log.toFile())
                        .start());
                if (i == 0) {
                    Path code = Files.createDirectories(folders.code(key).resolve("package"));
                    for (int file = 0; file < 1000; file++) {
                        Files.createFile(code.resolve("module" + file + ".py"));
                    }
                }
                telemetry.follow(key, i == 0);
            }
            measure(seconds, count, points);
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
    }

    private static void measure(int seconds, int count, long[] points) throws InterruptedException {
        long before = 0;
        for (int second = 0; second <= seconds; second += 5) {
            long spent = spent();
            if (second > 0) {
                OUT.printf(
                        "%d processes, second %d: %.2f %% of a core; %d points%n",
                        count, second, (spent - before) / 5e9 * 100, points[0]);
            }
            before = spent;
            Thread.sleep(5000);
        }
    }

    private static long spent() {
        var threads = ManagementFactory.getThreadMXBean();
        for (long id : threads.getAllThreadIds()) {
            var info = threads.getThreadInfo(id);
            if (info != null && info.getThreadName().equals("muster-telemetry")) {
                return threads.getThreadCpuTime(id);
            }
        }
        return 0;
    }
}
