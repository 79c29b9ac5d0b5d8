package dev.muster.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.JobId;
import dev.muster.model.Member;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessName;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NamesTest {
    private static final String LABEL = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";
    private static final JobId LONGEST = new JobId("j" + "x".repeat(30));

    @Test
    void theFenceNamesJobProcessAndAttempt() {
        assertThat(Names.pod(new ProcessKey(new JobId("jabc"), new ProcessName("worker", 3), 2)))
                .isEqualTo("jabc-worker-3-a2");
        assertThat(Names.host(new Member("worker", 3))).isEqualTo("worker-3");
    }

    @Test
    void b50_everyNameIsALabelHoweverARoleIsCalled() {
        Set<String> pods = new HashSet<>();
        Set<String> hosts = new HashSet<>();
        List<String> roles =
                List.of("m".repeat(63), "m".repeat(62) + "n", "Metrics", "metrics_", "-a-", "模型", "w".repeat(200));
        for (String role : roles) {
            for (int index : new int[] {0, 1, 12345}) {
                String pod = Names.pod(new ProcessKey(LONGEST, new ProcessName(role, index), 12345));
                String host = Names.host(new Member(role, index));
                assertThat(pod).matches(LABEL);
                assertThat(host).matches(LABEL);
                assertThat(pods.add(pod)).as(pod + " is new").isTrue();
                assertThat(hosts.add(host)).as(host + " is new").isTrue();
            }
        }
    }

    @Test
    void ranksOfAWorkerHavePodsOfTheirOwn() {
        assertThat(Names.pod(new ProcessKey(new JobId("jabc"), new ProcessName("worker", 0, OptionalInt.of(1)), 1)))
                .matches(LABEL)
                .isNotEqualTo(Names.pod(new ProcessKey(new JobId("jabc"), new ProcessName("worker", 0), 1)));
    }
}
