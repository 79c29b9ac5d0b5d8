package dev.muster.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.backend.kubernetes.Frames.Kind;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class FramesTest {
    private static Frames of(String text) {
        return new Frames(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void piecesAreReadWhateverTheirBytes() throws IOException {
        Frames frames = of("log 6\nlog 5\nalive 0\njoined 0\nend 0\n");
        assertThat(frames.next().text()).isEqualTo("log 5\n");
        assertThat(frames.next().kind()).isEqualTo(Kind.ALIVE);
        assertThat(frames.next().kind()).isEqualTo(Kind.JOINED);
        assertThat(frames.next().kind()).isEqualTo(Kind.END);
    }

    @Test
    void aStreamThatBreaksOffIsNeverTakenForAnEnd() {
        assertThatThrownBy(() -> of("log 6\nabc").next()).isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> of("lo").next()).isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> of("").next()).isInstanceOf(EOFException.class);
    }

    @Test
    void whatIsNoPieceIsAnError() {
        assertThatThrownBy(() -> of("sh: not found\n").next()).hasMessageContaining("sh: not found");
        assertThatThrownBy(() -> of("log -1\n").next()).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> of("log 99999999999\n").next()).isInstanceOf(IOException.class);
    }
}
