package dev.muster.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The key of replicas that share a folder. */
class SecretBoxTest {
    private static final int TOGETHER = 4;
    private static final int TIMES = 50;

    @TempDir
    Path folder;

    @Test
    void replicasThatStartAtOnceHaveOneKey() throws Exception {
        try (ExecutorService replicas = Executors.newFixedThreadPool(TOGETHER)) {
            for (int time = 0; time < TIMES; time++) {
                Path file = folder.resolve("secret.key" + time);
                Set<String> keys = ConcurrentHashMap.newKeySet();
                CyclicBarrier start = new CyclicBarrier(TOGETHER);
                Callable<Boolean> replica = () -> {
                    SecretBox box = new SecretBox(file, new SecureRandom());
                    start.await();
                    return keys.add(box.fingerprint(true));
                };
                List<Future<Boolean>> all = new ArrayList<>();
                for (int index = 0; index < TOGETHER; index++) {
                    all.add(replicas.submit(replica));
                }
                for (Future<Boolean> each : all) {
                    each.get();
                }
                keys.add(new SecretBox(file, new SecureRandom()).fingerprint(false));
                assertThat(keys).hasSize(1);
                assertThat(Files.size(file)).isEqualTo(32);
            }
        }
    }
}
