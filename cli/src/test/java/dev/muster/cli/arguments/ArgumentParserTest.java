package dev.muster.cli.arguments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.muster.cli.base.ExitCode;
import dev.muster.cli.base.Failure;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArgumentParserTest {
    private static final Syntax SYNTAX = Syntax.of("try", "tries")
            .operand("FILE", "a file")
            .optionalOperand("DIR", "a folder")
            .option(Option.flag("-f --follow", "follows"))
            .option(Option.repeated("--set", "P=V", "sets"))
            .option(Option.value("-n --limit", "N", "limits"));

    private static Arguments parse(String... arguments) {
        return ArgumentParser.parse(SYNTAX, List.of(arguments));
    }

    private static Failure refusal(String... arguments) {
        Failure failure = catchThrowableOfType(Failure.class, () -> parse(arguments));
        assertThat(failure).as(String.join(" ", arguments)).isNotNull();
        assertThat(failure.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        return failure;
    }

    @ParameterizedTest
    @ValueSource(strings = {"-n 5 job", "-n5 job", "-n=5 job", "--limit 5 job", "--limit=5 job", "job --limit 5"})
    void aValueMayBeGivenInEachUsualWay(String line) {
        Arguments arguments = parse(line.split(" "));
        assertThat(arguments.value("--limit")).contains("5");
        assertThat(arguments.operand(0)).isEqualTo("job");
        assertThat(arguments.optionalOperand(1)).isEmpty();
    }

    @Test
    void repeatedOptionsKeepTheirOrderAndOthersTheLastValue() {
        Arguments arguments = parse("--set", "a=1", "f", "--set=b=2=3", "-n", "1", "-n", "2");
        assertThat(arguments.values("--set")).containsExactly("a=1", "b=2=3");
        assertThat(arguments.value("--limit")).contains("2");
    }

    @Test
    void aValueMayLookLikeAnOptionAndBeEmpty() {
        assertThat(parse("f", "--set", "-x").values("--set")).containsExactly("-x");
        assertThat(parse("f", "--set=").values("--set")).containsExactly("");
    }

    @Test
    void behindTwoDashesAllAreOperandsAndOneDashIsOne() {
        assertThat(parse("--", "-f", "--limit").operands()).containsExactly("-f", "--limit");
        assertThat(parse("-", "-f").operands()).containsExactly("-");
        assertThat(parse("-", "-f").has("--follow")).isTrue();
    }

    @Test
    void whatIsWrongIsNamedWithWhatWasMeant() {
        assertThat(refusal("f", "--folow").problem().problems().getFirst().suggestion())
                .contains("did you mean --follow?");
        assertThat(refusal("f", "--limit").getMessage()).contains("--limit needs a value");
        assertThat(refusal("f", "--follow=yes").getMessage()).contains("--follow takes no value");
        assertThat(refusal("f", "-fx").getMessage()).contains("-f takes no value");
        assertThat(refusal().getMessage()).contains("FILE is missing").contains("muster try");
        assertThat(refusal("a", "b", "c").getMessage()).contains("c is one argument too many");
        assertThat(refusal("f", "--xyzzy").problem().problems().getFirst().suggestion())
                .contains("see: muster try --help");
    }

    @Test
    void helpIsGivenWhateverIsMissing() {
        assertThat(parse("-h").has("--help")).isTrue();
    }
}
