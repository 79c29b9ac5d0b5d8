package dev.muster.artifacts.checkpoints;

import java.io.EOFException;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * TensorFlow checkpoints: {@code PREFIX.index} beside {@code PREFIX.data-0000i-of-0000n}. TensorFlow writes the index last, by rename.
 * One is complete when all n data files are there and reach as far as the index says.
 */
final class TensorFlowForm {
    private static final Pattern SHARD = Pattern.compile("(.*)\\.data-(\\d{5})-of-(\\d{5})");
    private static final Pattern NAMED =
            Pattern.compile("(?m)^\\s*(?:all_)?model_checkpoint_paths?: *\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final int TEXT = 7;
    private static final Set<Integer> OPAQUE = Set.of(20, 21);
    private static final long LARGEST_STATE_FILE = 1 << 20;

    private TensorFlowForm() {}

    /** What is missing; empty when nothing is. Reads the index, not the data. */
    static Optional<String> missing(Entry entry) throws IOException {
        Map<Integer, Entry.Part> shards = new LinkedHashMap<>();
        int expected = 0;
        for (Entry.Part file : entry.files()) {
            Matcher shard = SHARD.matcher(file.path().getFileName().toString());
            if (shard.matches()) {
                shards.put(Integer.parseInt(shard.group(2)), file);
                expected = Math.max(expected, Integer.parseInt(shard.group(3)));
            }
        }
        Path index = Path.of(entry.path() + ".index");
        if (entry.files().stream().noneMatch(file -> file.path().equals(index))) {
            return Optional.of("has no index file yet, which TensorFlow writes last");
        }
        for (int i = 0; i < expected; i++) {
            if (!shards.containsKey(i)) {
                return Optional.of("lacks data file " + (i + 1) + " of " + expected);
            }
        }
        try {
            return reach(index, shards);
        } catch (EOFException cut) {
            return Optional.of("has an index file that is cut short or damaged");
        }
    }

    private static Optional<String> reach(Path index, Map<Integer, Entry.Part> shards) throws IOException {
        Optional<TensorFlowIndex> table = table(index);
        Map<Integer, Long> ends = new LinkedHashMap<>();
        for (TensorFlowIndex.Tensor tensor : table.map(TensorFlowIndex::tensors).orElse(List.of())) {
            ends.merge(tensor.shard(), tensor.end(), Math::max);
        }
        for (Map.Entry<Integer, Long> end : ends.entrySet()) {
            long size = Optional.ofNullable(shards.get(end.getKey()))
                    .map(Entry.Part::size)
                    .orElse(0L);
            if (size < end.getValue()) {
                return Optional.of("has data file " + end.getKey() + " of " + size + " bytes where its index says "
                        + end.getValue());
            }
        }
        boolean hollow = table.isEmpty() && shards.values().stream().allMatch(shard -> shard.size() == 0);
        return hollow ? Optional.of("has only empty data files") : Optional.empty();
    }

    /** Empty for an index in a form we do not know, which says nothing about the data. */
    private static Optional<TensorFlowIndex> table(Path index) throws IOException {
        try (Bytes file = new Bytes(index)) {
            ByteBuffer start = file.start(4);
            boolean zeros = start.remaining() == 4 && start.getInt(0) == 0;
            if (start.remaining() == 0 || zeros) {
                throw new EOFException();
            }
            if (!TensorFlowIndex.isIndex(start)) {
                return Optional.empty();
            }
        }
        return TensorFlowIndex.read(index);
    }

    /** Compares every tensor with its check sum in the index; reads all data. */
    static Optional<String> damage(Entry entry) throws IOException {
        Path index = Path.of(entry.path() + ".index");
        try {
            Optional<TensorFlowIndex> table = table(index);
            if (table.isEmpty()) {
                return Optional.empty();
            }
            for (Entry.Part file : entry.files()) {
                Matcher shard = SHARD.matcher(file.path().getFileName().toString());
                if (shard.matches()) {
                    Optional<String> damage = damage(table.get(), Integer.parseInt(shard.group(2)), file.path());
                    if (damage.isPresent()) {
                        return damage;
                    }
                }
            }
            return Optional.empty();
        } catch (EOFException | BufferUnderflowException | IllegalArgumentException cut) {
            return Optional.of("is cut short or damaged");
        }
    }

    /** Whether the index is one whose check sums can be read. */
    static boolean hasCheckSums(Entry entry) throws IOException {
        try {
            return table(Path.of(entry.path() + ".index")).isPresent();
        } catch (EOFException | NoSuchFileException damaged) {
            return false;
        }
    }

    private static Optional<String> damage(TensorFlowIndex table, int shard, Path path) throws IOException {
        try (Bytes data = new Bytes(path)) {
            for (TensorFlowIndex.Tensor tensor : table.tensors()) {
                if (tensor.shard() == shard
                        && tensor.size() > 0
                        && !OPAQUE.contains(tensor.type())
                        && !matches(data, tensor)) {
                    return Optional.of("is damaged: tensor " + tensor.name() + " does not match its check sum");
                }
            }
        }
        return Optional.empty();
    }

    private static boolean matches(Bytes data, TensorFlowIndex.Tensor tensor) throws IOException {
        if (tensor.type() == TEXT) {
            return textMatches(data, tensor);
        }
        CRC32C crc = new CRC32C();
        update(crc, data, tensor.offset(), tensor.end());
        return TensorFlowIndex.masked(crc) == tensor.checkSum();
    }

    /**
     * Texts lie as their lengths (varint), a masked check sum over the lengths (each as 4 bytes), and their bytes; the tensor's check sum
     * goes over lengths, that check sum and bytes. How many there are shows where the first check sum matches.
     */
    private static boolean textMatches(Bytes data, TensorFlowIndex.Tensor tensor) throws IOException {
        CRC32C crc = new CRC32C();
        long place = tensor.offset();
        long bytes = 0;
        while (place + Integer.BYTES + bytes <= tensor.end()) {
            if (place + Integer.BYTES + bytes == tensor.end()) {
                ByteBuffer lengths = data.at(place, Integer.BYTES);
                if (lengths.getInt(0) == TensorFlowIndex.masked(crc)) {
                    crc.update(lengths);
                    update(crc, data, place + Integer.BYTES, tensor.end());
                    return TensorFlowIndex.masked(crc) == tensor.checkSum();
                }
            }
            ByteBuffer next = data.at(place, (int) Math.min(10, tensor.end() - place));
            long length = ProtoFields.varint(next);
            place += next.position();
            bytes += length;
            if (length < 0 || length > Integer.MAX_VALUE) {
                return false;
            }
            crc.update(ByteBuffer.allocate(Integer.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putInt((int) length)
                    .flip());
        }
        return false;
    }

    private static void update(CRC32C crc, Bytes data, long from, long to) throws IOException {
        for (long place = from; place < to; ) {
            ByteBuffer piece = data.at(place, (int) Math.min(to - place, 1 << 17));
            place += piece.remaining();
            crc.update(piece);
        }
    }

    /** The names in the folder that TensorFlow's text file {@code checkpoint} refers to. */
    static Set<String> namedByState(Path folder) {
        Set<String> names = new HashSet<>();
        Path state = folder.resolve("checkpoint");
        try {
            if (!Files.isRegularFile(state) || Files.size(state) > LARGEST_STATE_FILE) {
                return names;
            }
            Matcher named = NAMED.matcher(new String(Files.readAllBytes(state), StandardCharsets.UTF_8));
            while (named.find()) {
                names.add(Path.of(named.group(1).replaceAll("\\\\(.)", "$1"))
                        .getFileName()
                        .toString());
            }
        } catch (IOException beingRewritten) {
            return names;
        }
        return names;
    }
}
