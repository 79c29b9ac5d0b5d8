package dev.muster.formats.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
    void whatIsWrittenReadsAsItWas(@ForAll("values") Json value) {
        assertThat(Json.parse(value.toString())).isEqualTo(value);
    }

    @Provide
    Arbitrary<Json> values() {
        return nested(2);
    }

    private static Arbitrary<Json> nested(int depth) {
        Arbitrary<String> texts = Arbitraries.strings().all().ofMaxLength(12);
        Arbitrary<Json> leaves = Arbitraries.oneOf(
                texts.map(Json::of),
                Arbitraries.longs().map(Json::of),
                Arbitraries.doubles().map(Json::of),
                Arbitraries.of(true, false).map(Json::of),
                Arbitraries.just(Json.NULL));
        if (depth == 0) {
            return leaves;
        }
        Arbitrary<Json> inner = nested(depth - 1);
        return Arbitraries.oneOf(
                leaves,
                inner.list().ofMaxSize(4).map(Json.Items::new),
                Arbitraries.maps(texts, inner).ofMaxSize(4).map(JsonFields::new));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "[1,]",
                "{\"a\":1,}",
                "{a:1}",
                "nul",
                "01",
                "1.",
                ".5",
                "+1",
                "-",
                "1e",
                "NaN",
                "\"\\x\"",
                "\"\\u12g4\"",
                "\"\n\"",
                "\"open",
                "[1] 2",
                "{\"a\":1,\"a\":2}",
                "'a'",
                "\u00a01"
            })
    void whatIsNoJsonIsRefused(String text) {
        assertThatThrownBy(() -> Json.parse(text))
                .isInstanceOf(JsonException.class)
                .hasMessageContaining("line 1 column");
    }

    @Test
    void aFaultIsShownWithItsPlace() {
        assertThatThrownBy(() -> Json.parse("{\n  \"a\": tru\n}")).hasMessageContaining("line 2 column 8");
    }

    @Test
    void nestingIsBounded() {
        String deepest = "[".repeat(JsonReader.MAX_DEPTH) + "]".repeat(JsonReader.MAX_DEPTH);
        assertThat(Json.parse(deepest)).isInstanceOf(Json.Items.class);
        assertThatThrownBy(() -> Json.parse("[" + deepest + "]")).hasMessageContaining("nested deeper");
        assertThatThrownBy(() -> Json.parse("[".repeat(1_000_000))).hasMessageContaining("nested deeper");
    }

    @Test
    void lengthIsBounded() {
        assertThatThrownBy(() -> Json.parse(" ".repeat(JsonReader.MAX_CHARACTERS + 1)))
                .hasMessageContaining("too long");
        assertThatThrownBy(() -> Json.parse("1".repeat(101))).hasMessageContaining("100 characters");
    }

    @Test
    void whatAProgramLeftInAFileMayBeLongAndHoldNumbersThatJsonHasNot() {
        String text = "{\"loss\": NaN, \"best\": [Infinity, -Infinity, -1], \"long\": " + "1".repeat(101) + "}";
        JsonFields fields = (JsonFields) JsonReader.readFile(text);
        assertThat(fields.number("loss")).isNaN();
        assertThat(fields.get("best")).hasToString("[\"Infinity\",\"-Infinity\",-1]");
        assertThat(fields.get("long")).hasToString("1".repeat(101));
        assertThat(JsonReader.readFile(" ".repeat(JsonReader.MAX_CHARACTERS) + "1"))
                .isEqualTo(Json.of(1));
        assertThatThrownBy(() -> JsonReader.readFile("[1] 2")).isInstanceOf(JsonException.class);
        assertThatThrownBy(() -> JsonReader.readFile("Nan")).hasMessageContaining("a value is expected");
        assertThatThrownBy(() -> JsonReader.readFile("[".repeat(101))).hasMessageContaining("nested deeper");
    }

    @Test
    void halfASurrogatePairIsEscaped() {
        assertThat(Json.of("a\ud83dz\ude00\ud83d\ude00")).hasToString("\"a\\ud83dz\\ude00\ud83d\ude00\"");
    }

    @Test
    void aLineOfJsonIsOneLineWhateverItsTextsHold() {
        StringBuilder all = new StringBuilder();
        for (char character = 0; character < 0x100; character++) {
            all.append(character);
        }
        String written = Json.of(all.toString()).toString();
        assertThat(written.chars()).noneMatch(character -> character < 0x20);
        assertThat(Json.parse(written)).isEqualTo(Json.of(all.toString()));
    }

    @ParameterizedTest
    @CsvSource({"NaN,NaN", "Infinity,Infinity", "-Infinity,-Infinity", "0.25,0.25", "1.0E30,1e+30"})
    void b68_numbersOfMetricsKeepTheirValue(String text, Double value) {
        JsonFields fields = Json.object().put("x", Json.of(value)).build();
        assertThat(fields.get("x").toString()).contains(text);
        assertThat(((JsonFields) Json.parse(fields.toString())).number("x")).isEqualTo(value);
    }

    @Test
    void aFieldOfTheWrongKindIsNamed() {
        JsonFields fields =
                (JsonFields) Json.parse("{\"a\":1.5,\"b\":\"x\",\"c\":[1],\"d\":{\"e\":2},\"f\":9999999999}");
        assertThatThrownBy(() -> fields.integer("a")).hasMessage("a must be a whole number");
        assertThatThrownBy(() -> fields.bool("b")).hasMessage("b must be true or false");
        assertThatThrownBy(() -> fields.time("b")).hasMessageStartingWith("b must be a time");
        assertThatThrownBy(() -> fields.texts("c")).hasMessage("c must be a list of texts");
        assertThatThrownBy(() -> fields.textMap("d")).hasMessage("d.e must be a text");
        assertThatThrownBy(() -> fields.smallInteger("f")).hasMessageContaining("below 2^31");
        assertThatThrownBy(() -> fields.text("missing")).hasMessage("missing must be a text");
        assertThat(fields.optionalText("missing")).isEmpty();
    }
}
