package dev.muster.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Member;
import dev.muster.testkit.TrialJob;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PodFormTest {
    private final PodForm form = new PodForm(SamplePods.config());

    static Stream<Arguments> golden() {
        return Stream.of(
                Arguments.of("plain", SamplePods.plain()),
                Arguments.of("whole", SamplePods.whole()),
                Arguments.of("rdma", SamplePods.rdma()),
                Arguments.of("kueue", SamplePods.kueue()),
                Arguments.of("standby", SamplePods.standby()));
    }

    @ParameterizedTest
    @MethodSource("golden")
    void aLaunchIsThisPod(String name, TrialJob job) throws IOException {
        assertThat(yaml(form.of(SamplePods.launch(job)))).isEqualTo(read(name + ".yaml"));
    }

    @Test
    @SuppressWarnings("unchecked")
    void aPatchOfAContainerLeavesWhatItDoesNotName() {
        Map<String, Object> readOnly = Map.of("readOnlyRootFilesystem", true);
        TrialJob job = SamplePods.patched(Map.of(
                "spec",
                Map.of(
                        "containers",
                        List.of(
                                Map.of("name", "main", "securityContext", readOnly),
                                Map.of("name", "metrics", "image", "metrics:1")),
                        "volumes",
                        List.of(Map.of("name", "scratch", "emptyDir", Map.of())))));
        Map<String, Object> patched =
                (Map<String, Object>) form.of(SamplePods.launch(job)).get("spec");
        Map<String, Object> plain = (Map<String, Object>)
                form.of(SamplePods.launch(SamplePods.plain())).get("spec");
        Map<String, Object> main = new TreeMap<>(((List<Map<String, Object>>) plain.get("containers")).getFirst());
        main.put("securityContext", readOnly);
        assertThat((List<Map<String, Object>>) patched.get("containers"))
                .containsExactly(main, Map.of("name", "metrics", "image", "metrics:1"));
        assertThat(patched.get("initContainers")).isEqualTo(plain.get("initContainers"));
        List<Object> volumes = new ArrayList<>((List<Object>) plain.get("volumes"));
        volumes.add(Map.of("name", "scratch", "emptyDir", Map.of()));
        assertThat(patched.get("volumes")).isEqualTo(volumes);
    }

    @Test
    void whoIsHeldReadyIsThisPod() throws IOException {
        assertThat(yaml(form.of(SamplePods.held()))).isEqualTo(read("held.yaml"));
    }

    @Test
    void theServiceOfAMemberLeadsToWhoeverIsTheMemberNow() throws IOException {
        assertThat(yaml(new Objects(SamplePods.config())
                        .service(SamplePods.standby().id(), new Member("worker", 1))))
                .isEqualTo(read("member-service.yaml"));
    }

    @Test
    void theServiceOfAJobNamesPodsThatAreNotReady() throws IOException {
        assertThat(yaml(new Objects(SamplePods.config())
                        .service(SamplePods.plain().id())))
                .isEqualTo(read("service.yaml"));
    }

    static String yaml(Object tree) {
        return new KubernetesSerialization().asYaml(sorted(tree));
    }

    private static Object sorted(Object tree) {
        return switch (tree) {
            case Map<?, ?> mapping -> {
                Map<String, Object> fields = new TreeMap<>();
                mapping.forEach((name, value) -> fields.put(name.toString(), sorted(value)));
                yield fields;
            }
            case List<?> list -> list.stream().map(PodFormTest::sorted).toList();
            default -> tree;
        };
    }

    static String read(String name) throws IOException {
        try (InputStream in = PodFormTest.class.getResourceAsStream(name)) {
            return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
