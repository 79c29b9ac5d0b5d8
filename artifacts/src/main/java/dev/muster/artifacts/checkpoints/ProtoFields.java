package dev.muster.artifacts.checkpoints;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** The plain number fields of one protocol buffer message; fields of other kinds are skipped, absent ones are 0. */
final class ProtoFields {
    private final Map<Integer, Long> numbers = new HashMap<>();

    /** @throws RuntimeException when the bytes are no message */
    ProtoFields(ByteBuffer message) {
        while (message.hasRemaining()) {
            long tag = varint(message);
            int field = (int) (tag >>> 3);
            switch ((int) (tag & 7)) {
                case 0 -> numbers.put(field, varint(message));
                case 1 -> numbers.put(field, message.getLong());
                case 2 -> {
                    int length = Math.toIntExact(varint(message));
                    message.position(message.position() + length);
                }
                case 5 -> numbers.put(field, (long) message.getInt());
                default -> throw new IllegalArgumentException("wire type " + (tag & 7));
            }
        }
    }

    long number(int field) {
        return numbers.getOrDefault(field, 0L);
    }

    static long varint(ByteBuffer bytes) {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            byte b = bytes.get();
            value |= (long) (b & 0x7f) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("varint too long");
    }
}
