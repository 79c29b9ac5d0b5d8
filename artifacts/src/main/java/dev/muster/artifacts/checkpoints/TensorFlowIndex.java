package dev.muster.artifacts.checkpoints;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The index file of a TensorFlow checkpoint: a sorted table in LevelDB's format whose empty key holds a BundleHeaderProto and whose
 * other keys hold a BundleEntryProto a tensor (tensorflow/core/protobuf/tensor_bundle.proto).
 *
 * @param shards  data files, as the header says
 * @param tensors where each tensor lies
 */
record TensorFlowIndex(int shards, List<Tensor> tensors) {
    private static final long MAGIC = 0xdb4775248b80fb57L;
    private static final int FOOTER = 48;
    private static final int BLOCK_TRAILER = 5;
    private static final long LARGEST_BLOCK = 256L << 20;
    private static final int MASK_DELTA = 0xa282ead8;

    /**
     * One tensor.
     *
     * @param type     TensorFlow's DataType
     * @param checkSum masked CRC-32C over its bytes
     */
    record Tensor(String name, int type, int shard, long offset, long size, int checkSum) {
        long end() {
            return offset + size;
        }
    }

    /** Whether the file begins as an index does: a key of no bytes, shared and own, with a value. */
    static boolean isIndex(ByteBuffer start) {
        return start.remaining() >= 4 && start.getShort(0) == 0 && start.get(2) != 0;
    }

    /**
     * Reads the index. Empty where it is compressed, which TensorFlow itself never does.
     *
     * @throws EOFException when it is cut short or damaged
     */
    static Optional<TensorFlowIndex> read(Path path) throws IOException {
        try (Bytes file = new Bytes(path)) {
            ByteBuffer footer = file.at(file.size() - FOOTER, FOOTER);
            if (footer.getLong(FOOTER - 8) != MAGIC) {
                throw new EOFException();
            }
            block(file, handle(footer));
            Optional<ByteBuffer> index = block(file, handle(footer));
            if (index.isEmpty()) {
                return Optional.empty();
            }
            List<Tensor> tensors = new ArrayList<>();
            int shards = 1;
            for (Row blocks : rows(index.get())) {
                Optional<ByteBuffer> block = block(file, handle(blocks.value()));
                if (block.isEmpty()) {
                    return Optional.empty();
                }
                for (Row row : rows(block.get())) {
                    if (row.key().isEmpty()) {
                        shards = Math.toIntExact(new ProtoFields(row.value()).number(1));
                    } else {
                        tensors.add(tensor(row));
                    }
                }
            }
            return Optional.of(new TensorFlowIndex(shards, tensors));
        } catch (RuntimeException malformed) {
            throw new EOFException();
        }
    }

    /** A CRC as TensorFlow stores it. */
    static int masked(CRC32C crc) {
        int value = (int) crc.getValue();
        return (value >>> 15 | value << 17) + MASK_DELTA;
    }

    private record Handle(long offset, long size) {}

    private record Row(String key, ByteBuffer value) {}

    private static Tensor tensor(Row row) {
        ProtoFields fields = new ProtoFields(row.value());
        return new Tensor(
                row.key(), (int) fields.number(1), (int) fields.number(3), fields.number(4), fields.number(5), (int)
                        fields.number(6));
    }

    private static Handle handle(ByteBuffer bytes) {
        return new Handle(ProtoFields.varint(bytes), ProtoFields.varint(bytes));
    }

    private static Optional<ByteBuffer> block(Bytes file, Handle handle) throws IOException {
        if (handle.size() < 0 || handle.size() > LARGEST_BLOCK) {
            throw new EOFException();
        }
        int size = (int) handle.size();
        ByteBuffer bytes = file.at(handle.offset(), size + BLOCK_TRAILER);
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(0, size + 1));
        if (masked(crc) != bytes.getInt(size + 1)) {
            throw new EOFException();
        }
        return bytes.get(size) == 0
                ? Optional.of(bytes.slice(0, size).order(ByteOrder.LITTLE_ENDIAN))
                : Optional.empty();
    }

    private static List<Row> rows(ByteBuffer block) {
        int restarts = block.getInt(block.limit() - 4);
        block.limit(block.limit() - 4 - 4 * restarts);
        List<Row> rows = new ArrayList<>();
        byte[] key = new byte[0];
        while (block.hasRemaining()) {
            int shared = (int) ProtoFields.varint(block);
            int own = (int) ProtoFields.varint(block);
            int length = (int) ProtoFields.varint(block);
            byte[] next = new byte[shared + own];
            System.arraycopy(key, 0, next, 0, shared);
            block.get(next, shared, own);
            key = next;
            rows.add(new Row(
                    new String(key, StandardCharsets.UTF_8),
                    block.slice(block.position(), length).order(ByteOrder.LITTLE_ENDIAN)));
            block.position(block.position() + length);
        }
        return rows;
    }
}
