package dev.muster.formats.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.file.FileSystemException;
import org.junit.jupiter.api.Test;

class StreamsTest {
    private static BoundedInput first(int length, InputStream in) {
        return new BoundedInput(in, length, () -> new EOFException("broken off"));
    }

    @Test
    void noMoreIsReadThanBelongsToIt() throws IOException {
        InputStream all = new ByteArrayInputStream(new byte[] {1, (byte) 0xff, 3, 4});
        BoundedInput two = first(2, all);
        assertThat(two.available()).isEqualTo(2);
        assertThat(two.read()).isEqualTo(1);
        assertThat(two.read()).isEqualTo(0xff);
        assertThat(two.read(new byte[0], 0, 0)).isZero();
        assertThat(two.read()).isEqualTo(-1);
        two.close();
        assertThat(all.read()).isEqualTo(3);
    }

    @Test
    void anEndThatComesTooEarlyIsTold() {
        assertThatThrownBy(() -> first(3, new ByteArrayInputStream(new byte[2])).readAllBytes())
                .isInstanceOf(EOFException.class)
                .hasMessage("broken off");
    }

    @Test
    void aSingleByteIsWrittenAsABulkOfOne() throws IOException {
        StringBuilder written = new StringBuilder();
        try (BulkOutput out = new BulkOutput() {
            @Override
            public void write(byte[] bytes, int offset, int length) {
                written.append(bytes[offset]).append('/').append(length);
            }
        }) {
            out.write(7);
        }
        assertThat(written).hasToString("7/1");
    }

    @Test
    void whatCouldNotBeKeptIsToldFromWhatDidNotCome() throws IOException {
        IOException full = new IOException("No space left on device");
        Incoming coming = new Incoming(new ByteArrayInputStream(new byte[2]));
        assertThat(coming.read()).isZero();
        assertThat(coming.couldNotBeKept(full)).isTrue();
        assertThat(coming.couldNotBeKept(new EOFException("broken off"))).isFalse();
        assertThat(coming.couldNotBeKept(new ProtocolException("garbled"))).isFalse();
        assertThat(coming.readAllBytes()).hasSize(1);
        assertThat(coming.couldNotBeKept(new IOException("stream ended"))).isFalse();
        assertThat(coming.couldNotBeKept(new FileSystemException("home"))).isTrue();
    }

    @Test
    void aStreamThatBrokeIsToBlame() {
        IOException reset = new IOException("connection reset");
        Incoming coming = new Incoming(new InputStream() {
            @Override
            public int read() throws IOException {
                throw reset;
            }
        });
        assertThatThrownBy(coming::read).isSameAs(reset);
        assertThat(coming.couldNotBeKept(reset)).isFalse();
    }
}
