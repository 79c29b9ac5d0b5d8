package dev.muster.artifacts.checkpoints;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Makes small checkpoints of every form, and breaks them. */
final class CheckpointFiles {
    private CheckpointFiles() {}

    /** A zip as torch.save writes it: several members, not compressed. */
    static byte[] zip(String content) throws IOException {
        return zip(List.of("archive/data.pkl", "archive/data/0", "archive/version"), content);
    }

    static byte[] zip(List<String> names, String content) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            for (String name : names) {
                byte[] bytes = (name + content).repeat(20).getBytes(StandardCharsets.UTF_8);
                ZipEntry entry = new ZipEntry(name);
                entry.setMethod(ZipEntry.DEFLATED);
                zip.putNextEntry(entry);
                zip.write(bytes);
                zip.closeEntry();
            }
        }
        return out.toByteArray();
    }

    /** The archive as it is when its writer takes no check sums: 0 in their place in the directory. */
    static byte[] withoutCheckSums(byte[] zip) {
        ByteBuffer bytes = ByteBuffer.wrap(zip).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 0; at + 46 <= zip.length; at++) {
            if (bytes.getInt(at) == 0x02014b50) {
                bytes.putInt(at + 16, 0);
            }
        }
        return zip;
    }

    static byte[] safetensors(int bytes) {
        byte[] header = ("{\"__metadata__\":{\"format\":\"pt\"},\"w\":{\"dtype\":\"F32\",\"shape\":[" + bytes / 4
                        + "],\"data_offsets\":[0," + bytes + "]}}")
                .getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(8 + header.length + bytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(header.length)
                .put(header)
                .array();
    }

    /** An HDF5 file of superblock version 0 or 2, which says its own length. */
    static byte[] hdf5(int version, int length) {
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(0x0a1a0a0d46444889L).put((byte) version);
        if (version == 0) {
            bytes.put(13, (byte) 8).put(14, (byte) 8).putLong(24 + 16, length);
        } else {
            bytes.put(9, (byte) 8).put(10, (byte) 8).putLong(12 + 16, length);
        }
        return bytes.array();
    }

    static byte[] numpy(int floats) {
        String header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + floats + ", 2), }\n";
        return ByteBuffer.allocate(10 + header.length() + floats * 8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) 0x93)
                .put("NUMPY\1\0".getBytes(StandardCharsets.ISO_8859_1))
                .putShort((short) header.length())
                .put(header.getBytes(StandardCharsets.ISO_8859_1))
                .array();
    }

    /** A TensorFlow checkpoint of tensors w0, w1, ... spread over the shards. */
    static void tensorFlow(Path folder, String prefix, int shards, int tensors) throws IOException {
        List<ByteArrayOutputStream> data = new ArrayList<>();
        for (int i = 0; i < shards; i++) {
            data.add(new ByteArrayOutputStream());
        }
        Map<String, byte[]> rows = new TreeMap<>();
        rows.put("", message(1, shards, 0, 0, 0, 0));
        for (int i = 0; i < tensors; i++) {
            byte[] bytes = ("tensor " + i + " of " + prefix + " ").repeat(10).getBytes(StandardCharsets.UTF_8);
            ByteArrayOutputStream shard = data.get(i % shards);
            rows.put("w" + i, message(1, 1, i % shards, shard.size(), bytes.length, masked(bytes)));
            shard.writeBytes(bytes);
        }
        for (int i = 0; i < shards; i++) {
            Files.write(
                    folder.resolve(prefix + String.format(".data-%05d-of-%05d", i, shards)),
                    data.get(i).toByteArray());
        }
        Files.write(folder.resolve(prefix + ".index"), table(rows));
    }

    private static byte[] message(int first, int value, int shard, int offset, int size, int crc) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(first << 3);
        varint(out, value);
        out.write(3 << 3);
        varint(out, shard);
        out.write(4 << 3);
        varint(out, offset);
        out.write(5 << 3);
        varint(out, size);
        out.write(6 << 3 | 5);
        out.writeBytes(little(crc));
        return out.toByteArray();
    }

    /** A table of one block, as LevelDB lays it out. */
    private static byte[] table(Map<String, byte[]> rows) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        long[] data = block(out, rows);
        long[] meta = block(out, Map.of());
        ByteArrayOutputStream handle = new ByteArrayOutputStream();
        varint(handle, data[0]);
        varint(handle, data[1]);
        long[] index = block(out, Map.of("z", handle.toByteArray()));
        ByteArrayOutputStream footer = new ByteArrayOutputStream();
        for (long part : new long[] {meta[0], meta[1], index[0], index[1]}) {
            varint(footer, part);
        }
        footer.writeBytes(new byte[40 - footer.size()]);
        footer.writeBytes(little(0x8b80fb57));
        footer.writeBytes(little(0xdb477524));
        out.writeBytes(footer.toByteArray());
        return out.toByteArray();
    }

    private static long[] block(ByteArrayOutputStream out, Map<String, byte[]> rows) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        String before = "";
        for (Map.Entry<String, byte[]> row : new TreeMap<>(rows).entrySet()) {
            String key = row.getKey();
            int shared = 0;
            while (shared < Math.min(key.length(), before.length()) && key.charAt(shared) == before.charAt(shared)) {
                shared++;
            }
            varint(block, shared);
            varint(block, key.length() - shared);
            varint(block, row.getValue().length);
            block.writeBytes(key.substring(shared).getBytes(StandardCharsets.UTF_8));
            block.writeBytes(row.getValue());
            before = key;
        }
        block.writeBytes(little(0));
        block.writeBytes(little(1));
        long[] handle = {out.size(), block.size()};
        block.write(0);
        out.writeBytes(block.toByteArray());
        out.writeBytes(little(masked(block.toByteArray())));
        return handle;
    }

    private static int masked(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        int value = (int) crc.getValue();
        return Integer.rotateRight(value, 15) + 0xa282ead8;
    }

    private static void varint(ByteArrayOutputStream out, long value) {
        long rest = value;
        for (; rest >= 0x80; rest >>>= 7) {
            out.write((int) (rest & 0x7f | 0x80));
        }
        out.write((int) rest);
    }

    private static byte[] little(int value) {
        return ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(value)
                .array();
    }

    static void cutInHalf(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
    }

    static void empty(Path file) throws IOException {
        Files.write(file, new byte[0]);
    }

    /** As after a power cut: the right length, no content. */
    static void zeros(Path file) throws IOException {
        Files.write(file, new byte[(int) Files.size(file)]);
    }

    /** Changes one byte in the middle. */
    static void flip(Path file, int place) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[place] ^= 0x55;
        Files.write(file, bytes);
    }
}
