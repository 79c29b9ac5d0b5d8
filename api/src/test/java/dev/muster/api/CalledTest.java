package dev.muster.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CalledTest {
    private final Called called = new Called("./muster");

    @Test
    void commandsBeginAsTheReadersDid() {
        assertThat(called.in("see: muster help; 'muster get x' shows it, `muster local stop` ends it"))
                .isEqualTo("see: ./muster help; './muster get x' shows it, `./muster local stop` ends it");
        assertThat(new Called("'/a b$1/muster'").in("more: muster logs j")).isEqualTo("more: '/a b$1/muster' logs j");
    }

    @Test
    void allElseStaysAsItIs() {
        for (String text : new String[] {
            "muster: no such job", "Muster trains", "/opt/muster run.log", "./muster run", "a-muster list", "muster."
        }) {
            assertThat(called.in(text)).isEqualTo(text);
        }
        assertThat(Called.MUSTER.in("muster run")).isEqualTo("muster run");
    }
}
