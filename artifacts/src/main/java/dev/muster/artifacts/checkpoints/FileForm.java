package dev.muster.artifacts.checkpoints;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonException;
import dev.muster.formats.json.JsonFields;
import dev.muster.formats.json.JsonReader;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether a single file is complete, as far as its own form tells. Forms are recognised by their first bytes, and by their ending where
 * that form has no other: zip (PyTorch, NumPy, Keras), safetensors, HDF5, npy, JSON, pickle. A file of no known form is complete when
 * it is not empty. Reads a few bytes of it only.
 */
final class FileForm {
    private static final Set<String> ALWAYS_ZIP = Set.of("npz", "keras");
    private static final Set<String> TORCH = Set.of("pt", "pth", "ckpt");
    private static final Set<String> PICKLE = Set.of("pkl", "pickle");
    private static final long HDF5 = 0x0a1a0a0d46444889L;
    private static final long LONGEST_HEADER = 100L << 20;
    private static final long LONGEST_JSON = 16L << 20;
    private static final int SAMPLE = 4096;
    private static final Pattern OFFSET = Pattern.compile("\\d{1,18}");
    private static final Pattern NUMPY_TYPE = Pattern.compile("'descr': *'[<>|=]?[biufcS](\\d+)'");
    private static final Pattern NUMPY_SHAPE = Pattern.compile("'shape': *\\(([0-9, ]*)\\)");

    private FileForm() {}

    /** What is missing or wrong; empty when nothing is. */
    static Optional<String> missing(Path path) throws IOException {
        try (Bytes file = new Bytes(path)) {
            if (file.size() == 0) {
                return Optional.of("is empty");
            }
            return missing(file, EntryName.ending(path.getFileName().toString()));
        } catch (EOFException cut) {
            return Optional.of("is cut short");
        }
    }

    /** Compares the content with check sums that the form itself carries; reads all of it. Empty when nothing is wrong or none are. */
    static Optional<String> damage(Path path) throws IOException {
        return isZip(path) ? ZipForm.damage(path) : Optional.empty();
    }

    /** Whether check sums that the form itself carries hold for all of it; reads all of it. */
    static boolean provesItself(Path path) throws IOException {
        return isZip(path) && ZipForm.provesItself(path);
    }

    private static boolean isZip(Path path) throws IOException {
        try (Bytes file = new Bytes(path)) {
            return ZipForm.isZip(file.start(4));
        }
    }

    private static Optional<String> missing(Bytes file, String ending) throws IOException {
        ByteBuffer start = file.start(SAMPLE);
        if (ending.equals("safetensors")) {
            return safetensors(file);
        }
        if (ZipForm.isZip(start) || ALWAYS_ZIP.contains(ending)) {
            return ZipForm.missing(file);
        }
        if (start.remaining() >= 8 && start.getLong(0) == HDF5) {
            return hdf5(file);
        }
        if (ending.equals("h5") || ending.equals("hdf5")) {
            return Optional.of("is no HDF5 file: its signature is missing");
        }
        boolean isNumpy = start.remaining() >= 10
                && start.get(0) == (byte) 0x93
                && text(start.slice(1, 5)).equals("NUMPY");
        if (isNumpy || ending.equals("npy")) {
            return isNumpy ? numpy(file) : Optional.of("is no NumPy file: its signature is missing");
        }
        if (ending.equals("json") && file.size() <= LONGEST_JSON) {
            return json(file);
        }
        if (PICKLE.contains(ending) && file.at(file.size() - 1, 1).get() != '.') {
            return Optional.of("is cut short: a pickle ends with its stop code");
        }
        if (TORCH.contains(ending) && isZero(start)) {
            return Optional.of("holds zeros where its header should be");
        }
        return Optional.empty();
    }

    private static Optional<String> safetensors(Bytes file) throws IOException {
        long length = file.at(0, 8).getLong();
        if (length < 2 || length > LONGEST_HEADER) {
            return Optional.of("is damaged: its header cannot be " + length + " bytes long");
        }
        Optional<JsonFields> header = FolderForm.object(text(file.at(8, (int) length)));
        if (header.isEmpty()) {
            return Optional.of("is damaged: its header is not JSON");
        }
        long end = 0;
        for (Json tensor : header.get().values().values()) {
            if (tensor instanceof JsonFields fields
                    && fields.get("data_offsets") instanceof Json.Items(List<Json> offsets)
                    && offsets.size() == 2
                    && offsets.get(1) instanceof Json.Numeral(String last)
                    && OFFSET.matcher(last).matches()) {
                end = Math.max(end, Long.parseLong(last));
            }
        }
        return sized(file, 8 + length + end);
    }

    /** HDF5 file format specification, superblock versions 0 to 3. */
    private static Optional<String> hdf5(Bytes file) throws IOException {
        int version = file.at(8, 1).get();
        if (version < 0 || version > 3) {
            return Optional.empty();
        }
        boolean old = version < 2;
        int width = file.at(old ? 13 : 9, 1).get();
        if (width != 8 && width != 4) {
            return Optional.of("is damaged: its superblock gives addresses of " + width + " bytes");
        }
        int addresses = old ? version == 0 ? 24 : 28 : 12;
        ByteBuffer end = file.at(addresses + 2L * width, width);
        boolean beingWritten = version == 3 && (file.at(11, 1).get() & 1) != 0;
        return beingWritten
                ? Optional.of("is still open for writing, says its superblock")
                : sized(file, width == 8 ? end.getLong() : end.getInt() & 0xffffffffL);
    }

    /** NumPy format 1.0 to 3.0; arrays of objects have no size that could be told. */
    private static Optional<String> numpy(Bytes file) throws IOException {
        boolean first = file.at(6, 1).get() == 1;
        int length = first ? file.at(8, 2).getShort() & 0xffff : file.at(8, 4).getInt();
        int start = first ? 10 : 12;
        if (length < 0 || length > LONGEST_HEADER) {
            return Optional.of("is damaged: its header cannot be " + length + " bytes long");
        }
        String header = text(file.at(start, length));
        Matcher type = NUMPY_TYPE.matcher(header);
        Matcher shape = NUMPY_SHAPE.matcher(header);
        if (!type.find() || !shape.find() || header.contains("'|O'")) {
            return Optional.empty();
        }
        long size = Long.parseLong(type.group(1));
        for (String dimension : shape.group(1).split(",")) {
            size *= dimension.isBlank() ? 1 : Long.parseLong(dimension.strip());
        }
        return sized(file, start + length + size);
    }

    private static Optional<String> json(Bytes file) throws IOException {
        try {
            JsonReader.readFile(text(file.start((int) file.size())));
            return Optional.empty();
        } catch (JsonException noJson) {
            return Optional.of("is cut short or damaged: " + noJson.getMessage());
        }
    }

    private static Optional<String> sized(Bytes file, long expected) throws IOException {
        return file.size() == expected
                ? Optional.empty()
                : Optional.of("is " + file.size() + " bytes long where its header says " + expected);
    }

    private static boolean isZero(ByteBuffer bytes) {
        for (int i = 0; i < bytes.remaining(); i++) {
            if (bytes.get(i) != 0) {
                return false;
            }
        }
        return true;
    }

    private static String text(ByteBuffer bytes) {
        return StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
    }
}
