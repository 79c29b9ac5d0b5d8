package dev.muster.spec;

import static dev.muster.spec.Texts.LEAST;
import static dev.muster.spec.Texts.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.JobSpec;
import dev.muster.model.Problem;
import dev.muster.spec.tree.JsonReader;
import dev.muster.spec.tree.TreeReader;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.domains.Domain;
import org.junit.jupiter.api.Test;

class SpecWriterTest {
    private final SpecWriter writer = new SpecWriter();

    @Property(tries = 500)
    @Domain(AnyJobs.class)
    void whatIsWrittenIsReadBackEqual(@ForAll JobSpec spec) {
        assertThat(writer.read(writer.write(spec))).isEqualTo(spec);
        List<Problem> problems = new ArrayList<>();
        assertThat(TreeReader.read(writer.write(spec), problems::add)).contains(JsonReader.read(writer.write(spec)));
        assertThat(problems).isEmpty();
    }

    @Property(tries = 200)
    @Domain(AnyJobs.class)
    void theSameJobIsAlwaysWrittenTheSame(@ForAll JobSpec spec) {
        assertThat(writer.write(writer.read(writer.write(spec)))).isEqualTo(writer.write(spec));
        assertThat(writer.write(spec)).doesNotContainPattern("\\p{Cntrl}|[\\x7f-\\x9f\\u2028\\ufeff]");
    }

    @Test
    void rolesKeepTheirOrder() {
        JobSpec spec = job(
                "{name: a, framework: plain, command: x, roles: {z: {sidecar: true}, worker: {}, b: {sidecar: true}}}");
        assertThat(writer.read(writer.write(spec)).roles().keySet()).containsExactly("worker", "z", "b");
    }

    @Test
    void defaultsAreWrittenOut() {
        assertThat(writer.write(job(LEAST)))
                .isEqualTo(
                        "{\"name\":\"demo\",\"framework\":\"plain\",\"backend\":\"local\",\"command\":[\"python\",\"train.py\"],"
                                + "\"roles\":{\"worker\":{\"count\":1,\"sidecar\":false}},"
                                + "\"processesPerWorker\":1,\"secrets\":{},\"data\":{},\"checkpoints\":{\"keep\":\"all\"},"
                                + "\"success\":\"default\",\"restart\":{\"max\":0,\"backoff\":{\"first\":\"1s\",\"factor\":2.0,"
                                + "\"max\":\"1m\"},\"rules\":[]},\"startDeadline\":\"10m\",\"grace\":\"30s\",\"queue\":\"default\","
                                + "\"priority\":0,\"suspended\":false,"
                                + "\"keep\":{\"processes\":\"0s\",\"logs\":\"30d\",\"records\":\"forever\"}}");
    }

    @Test
    void aSettingOnWhatWasWrittenMeansWhatItMeansOnTheText() {
        String text = """
                name: demo
                framework: plain
                command: x
                env: {A: "1"}
                resources: {memory: 1GiB}
                roles: {worker: {count: 2}, metrics: {sidecar: true, env: {B: "2"}}}
                """;
        String[] sets = {"env.A=9", "command=y", "resources.memory=2GiB", "roles.worker.count=4", "environment.image=i"
        };
        assertThat(job(writer.write(job(text)), sets)).isEqualTo(job(text, sets));
    }

    @Test
    void whatWasWrittenIsJobText() {
        JobSpec spec = job(LEAST + "workers: 3\ncode: .\n");
        assertThat(job(writer.write(spec))).isEqualTo(spec);
    }

    @Test
    void aStoredTextThatCannotBeReadIsTold() {
        assertThatThrownBy(() -> writer.read("{\"name\": \"a\", \"workers\": \"x\"}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("workers")
                .hasMessageContaining("framework: is required");
        assertThatThrownBy(() -> writer.read("[]")).isInstanceOf(IllegalArgumentException.class);
        for (String broken : List.of(
                "",
                "{",
                "{\"a\"",
                "{\"a\":",
                "{\"a\":1",
                "{\"a\":1,",
                "[1",
                "\"x",
                "\"\\",
                "\"\\u12",
                "{} {}",
                "{a:1}")) {
            assertThatThrownBy(() -> writer.read(broken))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("no JSON at character");
        }
    }

    @Test
    void aJobWhoseWrittenFormIsLargeIsReadBack() {
        String text = "{name: a, framework: plain, command: x, env: {A: \"" + "\\x01".repeat(130_000) + "\", B: \""
                + "\\x01".repeat(100_000) + "\"}}";
        JobSpec spec = job(text);
        assertThat(writer.write(spec)).hasSizeGreaterThan(1 << 20);
        assertThat(writer.read(writer.write(spec))).isEqualTo(spec);
    }
}
