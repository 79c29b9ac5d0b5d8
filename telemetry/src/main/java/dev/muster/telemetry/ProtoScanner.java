package dev.muster.telemetry;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Walks over the fields of one message in protocol buffers' wire format (developers.google.com/protocol-buffers/docs/encoding).
 * Every broken message ends in an IllegalArgumentException.
 */
final class ProtoScanner {
    static final int VARINT = 0;
    static final int FIXED64 = 1;
    static final int BYTES = 2;
    static final int FIXED32 = 5;

    private final ByteBuffer buffer;
    private int field;
    private int kind;

    ProtoScanner(ByteBuffer message) {
        this.buffer = message.slice().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Moves to the next field; false at the end. The value of a field must be taken or skipped before. */
    boolean next() {
        if (!buffer.hasRemaining()) {
            return false;
        }
        long tag = varint();
        field = (int) (tag >>> 3);
        kind = (int) (tag & 7);
        return true;
    }

    int field() {
        return field;
    }

    int kind() {
        return kind;
    }

    /** Whether this is the field of that number and kind. */
    boolean is(int wantedField, int wantedKind) {
        return field == wantedField && kind == wantedKind;
    }

    long varint() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            need(1);
            byte b = buffer.get();
            value |= (long) (b & 0x7f) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("a number does not end");
    }

    double fixed64() {
        need(Double.BYTES);
        return buffer.getDouble();
    }

    float fixed32() {
        need(Float.BYTES);
        return buffer.getFloat();
    }

    /** The bytes of an embedded message, a text or packed numbers. */
    ByteBuffer bytes() {
        long length = varint();
        need(length);
        ByteBuffer part = buffer.slice(buffer.position(), (int) length).order(ByteOrder.LITTLE_ENDIAN);
        buffer.position(buffer.position() + (int) length);
        return part;
    }

    void skip() {
        switch (kind) {
            case VARINT -> varint();
            case FIXED64 -> fixed64();
            case BYTES -> bytes();
            case FIXED32 -> fixed32();
            default -> throw new IllegalArgumentException("unknown kind of field " + kind);
        }
    }

    private void need(long count) {
        if (count < 0 || count > buffer.remaining()) {
            throw new IllegalArgumentException("cut short");
        }
    }
}
