package dev.muster.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class OneLineTest {
    @Test
    void aReasonIsOneLineWithoutSequencesOfATerminal() {
        assertThat(Cause.USER_ERROR.because("worker-0 ended: \u001b[1;31mloss is NaN\u001b[0m\r\n  at step 3\n"))
                .isEqualTo("UserError: worker-0 ended: loss is NaN at step 3");
        assertThat(OneLine.of("\u001b]0;title\u0007a\u001b[2J\u001b[Hb\u001bc\u009b31mc"))
                .isEqualTo("abc");
        assertThat(OneLine.of("a\u0000b\u0008c\u202egpj")).isEqualTo("abcgpj");
        assertThat(OneLine.of("half of one \u001b[")).isEqualTo("half of one");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "plain: text (3)", "größe 模型 🙂", " two  spaces "})
    void whatIsPlainStays(String text) {
        assertThat(OneLine.of(text)).isSameAs(text);
    }
}
