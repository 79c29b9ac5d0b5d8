package dev.muster.frameworks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.FrameworkKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kind of plan against its file in src/test/resources/golden; {@code -Dgolden.write=true} writes the files anew. */
class GoldenPlanTest {
    private static final Path FOLDER = Path.of("src/test/resources/golden");

    private static Jobs tensorflow() {
        return Jobs.of(FrameworkKind.TENSORFLOW);
    }

    private static Jobs pytorch() {
        return Jobs.of(FrameworkKind.PYTORCH);
    }

    static Map<String, Jobs> plans() {
        Map<String, Jobs> plans = new TreeMap<>();
        plans.put("tensorflow-one", tensorflow().role("worker", 1).sidecar("metrics", 1));
        plans.put("tensorflow-workers", tensorflow().role("worker", 2));
        plans.put("tensorflow-all-roles", allRoles());
        plans.put("tensorflow-evaluator-in-cluster", allRoles().evaluatorInCluster());
        plans.put("tensorflow-sparse", allRoles().sparseCluster());
        plans.put(
                "tensorflow-sparse-elastic",
                tensorflow().role("worker", 2).role("ps", 2).sparseCluster().elastic(1, 4));
        plans.put("pytorch-direct", pytorch().role("worker", 2).sidecar("metrics", 1));
        plans.put(
                "pytorch-direct-two-ranks-a-worker",
                pytorch().role("chief", 1).role("worker", 2).processesPerWorker(2));
        plans.put("pytorch-standby", pytorch().role("worker", 2).standby(1));
        plans.put(
                "pytorch-torchrun",
                pytorch().role("worker", 2).processesPerWorker(2).torchrun());
        plans.put(
                "pytorch-torchrun-elastic",
                pytorch().role("worker", 2).torchrun().elastic(1, 4).restarts(3));
        plans.put(
                "pytorch-torchrun-shell", pytorch().role("worker", 2).torchrun().shell("python train.py | tee log"));
        plans.put(
                "horovod-two-ranks-a-worker",
                Jobs.of(FrameworkKind.HOROVOD)
                        .role("worker", 2)
                        .processesPerWorker(2)
                        .sidecar("metrics", 1));
        plans.put(
                "horovod-elastic",
                Jobs.of(FrameworkKind.HOROVOD).role("worker", 2).elastic(1, 3));
        plans.put("mpi", Jobs.of(FrameworkKind.MPI).role("worker", 2).processesPerWorker(2));
        plans.put("xgboost", Jobs.of(FrameworkKind.XGBOOST).role("worker", 11));
        plans.put("jax", Jobs.of(FrameworkKind.JAX).role("worker", 2));
        plans.put("plain-everything", everything());
        return plans;
    }

    private static Jobs allRoles() {
        return tensorflow().role("chief", 1).role("worker", 2).role("ps", 2).role("evaluator", 1);
    }

    private static Jobs everything() {
        return Jobs.of(FrameworkKind.PLAIN)
                .role("worker", 2)
                .sidecar("metrics", 1)
                .shell("cat data | ./train")
                .env("PATH", "/opt/bin")
                .env("PYTHONUNBUFFERED", "0")
                .env("QUOTES", "l1\nl2 \"x\" $HOME \\")
                .secret("TOKEN", "HF_TOKEN")
                .data("fashion-mnist", "/usr/share/datasets/fashion-mnist")
                .checkpointEvery(Duration.ofMillis(90_500));
    }

    @ParameterizedTest
    @MethodSource("names")
    void planIsTheGoldenOne(String name) throws IOException {
        compare(name, plans().get(name), Site.FRESH);
    }

    static Iterable<String> names() {
        return plans().keySet();
    }

    @Test
    void planOfAResumedJobUnderShIsTheGoldenOne() throws IOException {
        compare("plain-resumed-sh", everything(), new Site(false, Optional.of("/checkpoints/step-120")));
    }

    @Test
    void noGoldenFileIsLeftOver() throws IOException {
        Set<String> known = new TreeSet<>(plans().keySet());
        known.add("plain-resumed-sh");
        try (Stream<Path> files = Files.list(FOLDER)) {
            assertThat(files.map(file -> file.getFileName().toString().replace(".json", "")))
                    .allMatch(known::contains);
        }
    }

    private static void compare(String name, Jobs job, Site site) throws IOException {
        String text = GoldenPlan.text(job.plan(), site);
        Path file = FOLDER.resolve(name + ".json");
        if (Boolean.getBoolean("golden.write")) {
            Files.writeString(file, text);
        }
        assertThat(file).as("golden file; write it with -Dgolden.write=true").exists();
        assertThat(text).isEqualTo(Files.readString(file));
    }
}
