package dev.muster.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReportTest {
    private static Report read(String line) {
        return Report.read(line.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource({
        "888.33, 888.33",
        "1.2e+32, 1.2e32",
        "-7.5E-05, -0.000075",
        ".98, 0.98",
        "12e2, 1200",
        "-.5, -0.5",
        "5., 5",
        "+3, 3",
        "007, 7",
        "123456789012345678901234567890, 123456789012345680000000000000"
    })
    void b68_everyFormOfNumberIsReadRight(String written, double value) {
        Report report = read("{\"step\":1,\"metrics\":{\"loss\":" + written + "}}");
        assertThat(report.problems()).isEmpty();
        assertThat(report.metrics()).isEqualTo(Map.of("loss", value));
    }

    @ParameterizedTest
    @ValueSource(strings = {"NaN", "nan", "Infinity", "-Infinity", "-inf", "1e400", "-1e400"})
    void b69_whatIsNoFiniteNumberIsRefusedAndTheRestHolds(String written) {
        Report report = read("{\"step\":1,\"metrics\":{\"loss\":" + written + ",\"acc\":0.7}}");
        assertThat(report.problems()).containsExactly("metric \"loss\" is no finite number");
        assertThat(report.metrics()).isEqualTo(Map.of("acc", 0.7));
        assertThat(report.withoutValue()).containsExactly("loss");
        assertThat(report.step()).isEqualTo(OptionalLong.of(1));
    }

    @Test
    void b68_severalOnALineAndAHugeOneDoNotBlockTheRest() {
        Report report = read(
                "{\"metrics\":{\"loss\":888.33,\"huge\":1.2e+32,\"rate\":-7.5E-05,\"acc\":.98,\"n\":12e2},\"step\":938,\"total\":1876,\"epoch\":1.5}");
        assertThat(report.metrics())
                .isEqualTo(Map.of("loss", 888.33, "huge", 1.2e32, "rate", -7.5e-5, "acc", 0.98, "n", 1200.0));
        assertThat(report.step()).isEqualTo(OptionalLong.of(938));
        assertThat(report.total()).isEqualTo(OptionalLong.of(1876));
        assertThat(report.epoch()).isEqualTo(OptionalDouble.of(1.5));
        assertThat(report.problems()).isEmpty();
    }

    @Test
    void theExamplesOfTheContractAreRead() {
        assertThat(read("{\"checkpoint\":\"step-120\",\"step\":120}").checkpoint())
                .contains("step-120");
        assertThat(read("{\"badRecords\":3}").badRecords()).isEqualTo(OptionalLong.of(3));
        assertThat(read(" {\"epoch\" : 1 , \"metrics\" : { } }\r").problems()).isEmpty();
        assertThat(read("{}").problems()).isEmpty();
        assertThat(read("{\"step\":120.0}").step()).isEqualTo(OptionalLong.of(120));
        assertThat(read("{\"metrics\":{\"\\u00e4 \\\"q\\\"\":1}}").metrics()).containsKey("\u00e4 \"q\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"step\":\"120\",\"total\":5}",
                "{\"step\":-1,\"total\":5}",
                "{\"step\":1.5,\"total\":5}",
                "{\"step\":1e300,\"total\":5}",
                "{\"step\":NaN,\"total\":5}",
                "{\"step\":null,\"total\":5}",
                "{\"step\":[1,{\"a\":[]}],\"total\":5}",
                "{\"epoch\":\"one\",\"total\":5}",
                "{\"metrics\":[1],\"total\":5}",
                "{\"metrics\":{\"acc\":\"0.7\"},\"total\":5}",
                "{\"metrics\":{\"acc\":null},\"total\":5}",
                "{\"metrics\":{\"a\\nb\":1},\"total\":5}",
                "{\"metrics\":{\"\":1},\"total\":5}",
                "{\"checkpoint\":\"../../etc\",\"total\":5}",
                "{\"checkpoint\":\"..\",\"total\":5}",
                "{\"checkpoint\":7,\"total\":5}",
                "{\"badRecords\":true,\"total\":5}",
                "{\"succeeded\":true,\"total\":5}"
            })
    void aFieldOfTheWrongKindIsPassedOverAndTheRestHolds(String line) {
        Report report = read(line);
        assertThat(report.problems()).hasSize(1);
        assertThat(report.total()).isEqualTo(OptionalLong.of(5));
        assertThat(report.step()).isEmpty();
        assertThat(report.epoch()).isEmpty();
        assertThat(report.badRecords()).isEmpty();
        assertThat(report.metrics()).isEmpty();
        assertThat(report.checkpoint()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "[]",
                "7",
                "{",
                "{\"step\"",
                "{\"step\":",
                "{\"step\":1",
                "{\"step\":1}x",
                "{\"step\":1,}",
                "{\"metrics\":{\"loss\":0x10}}",
                "{\"metrics\":{\"loss\":1d}}",
                "{\"metrics\":{\"loss\":1e}}",
                "{\"metrics\":{\"loss\":}}",
                "{step:1}",
                "{\"a\":\"\\u12\"}",
                "{\"a\":\"\\q\"}",
                "{\"a\":\"open}"
            })
    void whatIsNoObjectIsOneProblem(String line) {
        assertThat(read(line).problems()).singleElement().asString().startsWith("it is no JSON object");
    }

    @Test
    void depthAndNumberAreBounded() {
        assertThat(read("{\"a\":".repeat(10_000)).problems()).hasSize(1);
        assertThat(read("{\"a\":" + "[".repeat(60_000)).problems()).hasSize(1);
        StringBuilder many = new StringBuilder("{\"metrics\":{\"m\":1");
        for (int i = 0; i < 2_000; i++) {
            many.append(",\"m").append(i).append("\":").append(i);
        }
        assertThat(read(many.append("}}").toString()).metrics()).hasSize(256);
    }

    @Property(tries = 500)
    void nothingEverThrows(@ForAll byte[] line) {
        assertThat(Report.read(line)).isNotNull();
    }

    @Property(tries = 500)
    void nothingLikeJsonEverThrows(@ForAll @StringLength(max = 60) @CharRange(from = '"', to = '}') String line) {
        assertThat(read("{" + line + "}")).isNotNull();
    }
}
