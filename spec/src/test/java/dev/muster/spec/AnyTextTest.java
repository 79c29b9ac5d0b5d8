package dev.muster.spec;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** No text makes the parser throw: there is a job or there are problems. */
class AnyTextTest {
    private static final String WHOLE = """
            name: demo
            framework: tensorflow
            roles: {chief: {count: 1}, worker: {count: 2, env: {A: "x"}}, metrics: {sidecar: true}}
            command: [python, train.py, --epochs, "2"]
            environment: {python: {requirements: requirements.txt, systemPackages: false}, image: a/b:c}
            env: {LEARNING_RATE: "0.1"}
            secrets: {TOKEN: {env: HF_TOKEN}}
            resources: {cpus: 1, memory: 2GiB, gpus: 0}
            data: {fashion: /usr/share/datasets/fashion-mnist}
            checkpoints: {keep: all, every: 1m}
            restart: {max: 2, backoff: {first: 1s, factor: 2, max: 1m}, rules: [{exitCodes: [42], signals: [KILL], log: "r"}]}
            deadline: 1h30m
            keep: {processes: 0s, logs: 30d, records: forever}
            kubernetes: {podPatch: {a: [1, 2.5, true, null, x]}}
            """;

    @Property(tries = 500)
    void anyTextIsAnswered(@ForAll String text) {
        answered(text);
    }

    @Property(tries = 500)
    void anyYamlishTextIsAnswered(@ForAll("yamlish") String text) {
        answered(text);
    }

    @Property(tries = 1000)
    void anyBrokenJobIsAnswered(@ForAll("broken") String text) {
        answered(text);
    }

    @Property(tries = 300)
    void anySettingIsAnswered(@ForAll("yamlish") String path, @ForAll("yamlish") String value) {
        Parsed parsed = Texts.parse(WHOLE, path + "=" + value);
        assertThat(parsed.spec().isPresent()).isEqualTo(parsed.problems().isEmpty());
    }

    @Property(tries = 300)
    void anyValueOfAnyFieldIsAnswered(@ForAll("fields") String field, @ForAll("yamlish") String value) {
        answered(WHOLE.replaceFirst("(?m)^" + field + ":.*$", "") + field + ": " + value + "\n");
    }

    private static void answered(String text) {
        Parsed parsed = Texts.parse(text);
        assertThat(parsed.spec().isPresent()).isEqualTo(parsed.problems().isEmpty());
        assertThat(parsed.problems())
                .allSatisfy(
                        problem -> assertThat(problem.message()).isNotBlank().doesNotContain("Exception"));
        parsed.spec()
                .ifPresent(spec -> assertThat(new SpecWriter().read(new SpecWriter().write(spec)))
                        .isEqualTo(spec));
    }

    @Provide
    Arbitrary<String> yamlish() {
        return Arbitraries.strings()
                .withChars(" \n\t:-[]{},'\"#&*!|>%@`?<~.=0123456789abxyzEnulltrue\\/_$")
                .ofMaxLength(60);
    }

    @Provide
    Arbitrary<String> fields() {
        return Arbitraries.of(
                "name",
                "framework",
                "roles",
                "command",
                "environment",
                "env",
                "secrets",
                "resources",
                "data",
                "checkpoints",
                "restart",
                "deadline",
                "keep",
                "kubernetes",
                "docker",
                "network",
                "elastic",
                "success",
                "model",
                "local");
    }

    /** A good text with a piece taken out and another put in. */
    @Provide
    Arbitrary<String> broken() {
        Arbitrary<Integer> place = Arbitraries.integers().between(0, WHOLE.length());
        return Combinators.combine(place, Arbitraries.integers().between(0, 20), yamlish())
                .as((at, cut, put) ->
                        WHOLE.substring(0, at) + put + WHOLE.substring(Math.min(WHOLE.length(), at + cut)));
    }
}
