package dev.muster.telemetry;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The scalars of one TensorBoard event (tensorflow.Event in event.proto, Summary in summary.proto, TensorProto in tensor.proto).
 * Scalars come as {@code simple_value} from older writers and as a tensor of one element from newer ones.
 *
 * @param seconds when it was written, in seconds since 1970, by the writer's clock
 * @param step    training step
 * @param scalars its scalars; images, texts and histograms are left out
 */
record TrainingEvent(double seconds, long step, List<Scalar> scalars) {
    private static final int MOST_SCALARS = 256;

    /** One value under its tag. */
    record Scalar(String tag, double value) {}

    static TrainingEvent read(ByteBuffer message) {
        double seconds = 0;
        long step = 0;
        List<Scalar> scalars = new ArrayList<>();
        ProtoScanner event = new ProtoScanner(message);
        while (event.next()) {
            if (event.is(1, ProtoScanner.FIXED64)) {
                seconds = event.fixed64();
            } else if (event.is(2, ProtoScanner.VARINT)) {
                step = event.varint();
            } else if (event.is(5, ProtoScanner.BYTES)) {
                summary(event.bytes(), scalars);
            } else {
                event.skip();
            }
        }
        return new TrainingEvent(seconds, step, scalars);
    }

    private static void summary(ByteBuffer message, List<Scalar> scalars) {
        ProtoScanner summary = new ProtoScanner(message);
        while (summary.next()) {
            if (summary.is(1, ProtoScanner.BYTES)) {
                ByteBuffer value = summary.bytes();
                if (scalars.size() < MOST_SCALARS) {
                    value(value).ifPresent(scalars::add);
                }
            } else {
                summary.skip();
            }
        }
    }

    private static Optional<Scalar> value(ByteBuffer message) {
        String tag = "";
        String plugin = "scalars";
        OptionalDouble number = OptionalDouble.empty();
        ProtoScanner value = new ProtoScanner(message);
        while (value.next()) {
            if (value.is(1, ProtoScanner.BYTES)) {
                tag = text(value.bytes());
            } else if (value.is(2, ProtoScanner.FIXED32)) {
                number = OptionalDouble.of(decimal(value.fixed32()));
            } else if (value.is(8, ProtoScanner.BYTES)) {
                number = tensor(value.bytes());
            } else if (value.is(9, ProtoScanner.BYTES)) {
                plugin = plugin(value.bytes()).orElse(plugin);
            } else {
                value.skip();
            }
        }
        return number.isPresent() && plugin.equals("scalars") && Report.isPlain(tag)
                ? Optional.of(new Scalar(tag, number.getAsDouble()))
                : Optional.empty();
    }

    private static Optional<String> plugin(ByteBuffer message) {
        return first(message, 1).flatMap(data -> first(data, 1)).map(TrainingEvent::text);
    }

    private static Optional<ByteBuffer> first(ByteBuffer message, int field) {
        ProtoScanner scanner = new ProtoScanner(message);
        while (scanner.next()) {
            if (scanner.is(field, ProtoScanner.BYTES)) {
                return Optional.of(scanner.bytes());
            }
            scanner.skip();
        }
        return Optional.empty();
    }

    /** The only element of a tensor of numbers; empty for any other tensor. */
    private static OptionalDouble tensor(ByteBuffer message) {
        int type = 0;
        Optional<ByteBuffer> content = Optional.empty();
        OptionalDouble listed = OptionalDouble.empty();
        ProtoScanner tensor = new ProtoScanner(message);
        while (tensor.next()) {
            if (tensor.is(1, ProtoScanner.VARINT)) {
                type = (int) tensor.varint();
            } else if (tensor.is(4, ProtoScanner.BYTES)) {
                content = Optional.of(tensor.bytes());
            } else if (tensor.is(5, ProtoScanner.FIXED32)) {
                listed = OptionalDouble.of(decimal(tensor.fixed32()));
            } else if (tensor.is(6, ProtoScanner.FIXED64)) {
                listed = OptionalDouble.of(tensor.fixed64());
            } else if (tensor.is(7, ProtoScanner.VARINT) || tensor.is(10, ProtoScanner.VARINT)) {
                listed = OptionalDouble.of(tensor.varint());
            } else if (tensor.kind() == ProtoScanner.BYTES && isPacked(tensor.field())) {
                listed = packed(tensor.field(), tensor.bytes());
            } else {
                tensor.skip();
            }
        }
        return content.isPresent() ? element(type, content.get()) : listed;
    }

    private static boolean isPacked(int field) {
        return field == 5 || field == 6 || field == 7 || field == 10;
    }

    private static OptionalDouble packed(int field, ByteBuffer numbers) {
        if (field == 5) {
            return numbers.remaining() == Float.BYTES
                    ? OptionalDouble.of(decimal(numbers.getFloat()))
                    : OptionalDouble.empty();
        }
        if (field == 6) {
            return numbers.remaining() == Double.BYTES
                    ? OptionalDouble.of(numbers.getDouble())
                    : OptionalDouble.empty();
        }
        ProtoScanner scanner = new ProtoScanner(numbers);
        return numbers.hasRemaining() ? OptionalDouble.of(scanner.varint()) : OptionalDouble.empty();
    }

    /** By DataType of types.proto: 1 float, 2 double, 3 int32, 9 int64, 14 bfloat16, 19 half. */
    private static OptionalDouble element(int type, ByteBuffer content) {
        int size = content.remaining();
        if (type == 1 && size == 4) {
            return OptionalDouble.of(decimal(content.getFloat()));
        } else if (type == 2 && size == 8) {
            return OptionalDouble.of(content.getDouble());
        } else if (type == 3 && size == 4) {
            return OptionalDouble.of(content.getInt());
        } else if (type == 9 && size == 8) {
            return OptionalDouble.of(content.getLong());
        } else if (type == 14 && size == 2) {
            return OptionalDouble.of(decimal(Float.intBitsToFloat(content.getShort() << 16)));
        } else if (type == 19 && size == 2) {
            return OptionalDouble.of(decimal(Float.float16ToFloat(content.getShort())));
        }
        return OptionalDouble.empty();
    }

    /** The decimal number a float stands for, 0.1 and not 0.10000000149011612: what its writer would show. */
    private static double decimal(float number) {
        return Double.parseDouble(Float.toString(number));
    }

    private static String text(ByteBuffer bytes) {
        return StandardCharsets.UTF_8.decode(bytes).toString();
    }
}
