package dev.muster.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.telemetry.TrainingEvent.Scalar;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Event files as tensorboard 2.21 (tensor.tfevents, other.tfevents) and tensorboardX 2.6 (simple.tfevents) write them. */
class EventFileTest {
    @TempDir
    Path folder;

    static byte[] written(String name) throws IOException {
        try (var in = EventFileTest.class.getResourceAsStream(name)) {
            return in.readAllBytes();
        }
    }

    private static List<TrainingEvent> read(EventFile file) throws IOException {
        List<TrainingEvent> events = new ArrayList<>();
        file.read(1 << 20, events::add);
        events.removeIf(event -> event.scalars().isEmpty());
        return events;
    }

    private EventFile file(byte[] bytes) throws IOException {
        return new EventFile(Files.write(folder.resolve("events.out.tfevents.1"), bytes), 0);
    }

    @Test
    void tensorsOfOneElementAreScalars() throws IOException {
        List<TrainingEvent> events = read(file(written("tensor.tfevents")));
        assertThat(events).hasSize(6);
        assertThat(events.get(0).step()).isEqualTo(1);
        assertThat(events.get(0).seconds()).isEqualTo(1772366401.0);
        assertThat(events.get(0).scalars()).containsExactly(new Scalar("epoch_loss", 0.5));
        assertThat(events.get(5).scalars()).containsExactly(new Scalar("epoch_accuracy", 0.3));
    }

    @Test
    void simpleValuesAreReadAndTextsImagesAndHistogramsPassedOver() throws IOException {
        List<TrainingEvent> events = read(file(written("simple.tfevents")));
        assertThat(events.stream().flatMap(event -> event.scalars().stream()))
                .containsExactly(
                        new Scalar("loss/train", 0.25),
                        new Scalar("loss/train", 0.5),
                        new Scalar("loss/train", 0.75),
                        new Scalar("bad", Double.NaN));
        assertThat(events.getLast().step()).isEqualTo(4);
    }

    /** Hyperparameters, and a tensor of one element that a curve is made of. */
    @Test
    void anotherPluginsTensorIsNoScalar() throws IOException {
        EventFile file = file(written("other.tfevents"));
        assertThat(read(file)).isEmpty();
        assertThat(file.offset()).isEqualTo(written("other.tfevents").length);
    }

    @Test
    void aRecordIsReadOnceItIsComplete() throws IOException {
        byte[] whole = written("tensor.tfevents");
        Path path = Files.createFile(folder.resolve("grows.tfevents"));
        EventFile file = new EventFile(path, 0);
        List<TrainingEvent> events = new ArrayList<>();
        for (byte b : whole) {
            Files.write(path, new byte[] {b}, StandardOpenOption.APPEND);
            events.addAll(read(file));
        }
        assertThat(events).hasSize(6);
        assertThat(file.offset()).isEqualTo(whole.length);
        assertThat(read(new EventFile(path, whole.length))).isEmpty();
    }

    @Test
    void damageEndsTheFileAndHarmsNothing() throws IOException {
        byte[] whole = written("tensor.tfevents");
        int before = read(file(whole)).size();
        byte[] cut = whole.clone();
        cut[cut.length - 1] ^= 1;
        assertThat(read(file(cut))).hasSize(before - 1);
        byte[] length = whole.clone();
        length[8] ^= 1;
        assertThat(read(file(length))).isEmpty();
        byte[] value = whole.clone();
        value[value.length - 10] ^= 1;
        assertThat(read(file(value))).hasSize(before - 1);
        assertThat(read(file(new byte[500]))).isEmpty();
    }

    @Test
    void theBudgetBoundsARound() throws IOException {
        EventFile file = file(written("simple.tfevents"));
        List<TrainingEvent> events = new ArrayList<>();
        int rounds = 0;
        while (file.read(100, events::add) > 0) {
            rounds++;
        }
        assertThat(rounds).isGreaterThan(3);
        assertThat(events.stream().mapToInt(event -> event.scalars().size()).sum())
                .isEqualTo(4);
    }

    @Property(tries = 300)
    void anyMessageEndsInAnEventOrARefusal(@ForAll byte[] message) {
        try {
            TrainingEvent event = TrainingEvent.read(ByteBuffer.wrap(message));
            assertThat(event.scalars()).isNotNull();
        } catch (IllegalArgumentException refused) {
            assertThat(refused).hasMessageMatching(".*(cut short|does not end|unknown kind).*");
        }
    }

    @Property(tries = 300)
    void aSpoiledMessageEndsInAnEventOrARefusal(@ForAll int at, @ForAll byte value) throws IOException {
        byte[] file = written("simple.tfevents");
        // The first record is the version; the second begins behind it.
        int first = 12 + file[0] + 4;
        byte[] message = Arrays.copyOfRange(file, first + 12, first + 12 + file[first]);
        message[Math.floorMod(at, message.length)] = value;
        try {
            assertThat(TrainingEvent.read(ByteBuffer.wrap(message)).scalars().size())
                    .isLessThan(9);
        } catch (IllegalArgumentException refused) {
            assertThat(refused).hasMessageMatching(".*(cut short|does not end|unknown kind).*");
        }
    }
}
