package dev.muster.artifacts.checkpoints;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Zip archives (PKWARE APPNOTE 6.3, with zip64), which PyTorch, NumPy and Keras write. An archive is complete when its central
 * directory is there to the last byte and every entry it lists lies before it.
 */
final class ZipForm {
    private static final int LOCAL = 0x04034b50;
    private static final int CENTRAL = 0x02014b50;
    private static final int END = 0x06054b50;
    private static final int END_64 = 0x06064b50;
    private static final int LOCATOR_64 = 0x07064b50;
    private static final int END_LENGTH = 22;
    private static final int LONGEST_COMMENT = 0xffff;
    private static final long LARGEST_DIRECTORY = 256L << 20;
    private static final long IN_ZIP64 = 0xffffffffL;
    private static final Optional<String> CUT = Optional.of("is cut short: its zip directory is missing");

    private record Member(int method, long crc, long compressed, long offset) {}

    private record Directory(long offset, long length, long count) {}

    /** How many members match their check sum, how many do not, how many of these have 0 for one, and how many cannot be told. */
    private record CheckSums(int right, int wrong, int notTaken, int unknown) {}

    private ZipForm() {}

    static boolean isZip(ByteBuffer start) {
        return start.remaining() >= 4 && (start.getInt(0) == LOCAL || start.getInt(0) == END);
    }

    /** What is missing; empty when nothing is. Reads the directory, not the content. */
    static Optional<String> missing(Bytes file) throws IOException {
        try {
            members(file);
            return Optional.empty();
        } catch (EOFException | ArithmeticException cut) {
            return CUT;
        }
    }

    /**
     * Compares the content with the archive's own check sums. PyTorch can be told to write none, so that an archive of several members
     * in which none matches proves nothing; with one member, only a sum of 0 says that it was not taken.
     */
    static Optional<String> damage(Path path) throws IOException {
        try {
            CheckSums sums = checkSums(path);
            return sums.wrong() > 0 && (sums.right() > 0 || sums.wrong() == 1 && sums.notTaken() == 0)
                    ? Optional.of("is damaged: " + sums.wrong() + " of its parts do not match their check sums")
                    : Optional.empty();
        } catch (EOFException | ArithmeticException cut) {
            return CUT;
        }
    }

    /** Whether every member stands under a check sum that holds. */
    static boolean provesItself(Path path) throws IOException {
        try {
            CheckSums sums = checkSums(path);
            return sums.wrong() == 0 && sums.unknown() == 0;
        } catch (EOFException | ArithmeticException cut) {
            return false;
        }
    }

    private static CheckSums checkSums(Path path) throws IOException {
        int right = 0;
        int wrong = 0;
        int notTaken = 0;
        int unknown = 0;
        try (Bytes file = new Bytes(path)) {
            for (Member member : members(file)) {
                Optional<Boolean> matches = matches(file, member);
                if (matches.isEmpty()) {
                    unknown++;
                } else if (matches.get()) {
                    right++;
                } else {
                    wrong++;
                    notTaken += member.crc() == 0 ? 1 : 0;
                }
            }
        }
        return new CheckSums(right, wrong, notTaken, unknown);
    }

    private static List<Member> members(Bytes file) throws IOException {
        Directory directory = directory(file);
        if (directory.length() > LARGEST_DIRECTORY) {
            throw new EOFException();
        }
        ByteBuffer bytes = file.at(directory.offset(), (int) directory.length());
        List<Member> members = new ArrayList<>();
        while (bytes.remaining() >= 46 && bytes.getInt(bytes.position()) == CENTRAL) {
            Member member = member(bytes);
            if (file.at(member.offset(), 4).getInt() != LOCAL
                    || Math.addExact(member.offset(), member.compressed()) > directory.offset()) {
                throw new EOFException();
            }
            members.add(member);
        }
        if (bytes.hasRemaining() || members.size() != directory.count()) {
            throw new EOFException();
        }
        return members;
    }

    private static Directory directory(Bytes file) throws IOException {
        int length = (int) Math.min(file.size(), END_LENGTH + LONGEST_COMMENT);
        long start = file.size() - length;
        ByteBuffer tail = file.at(start, length);
        for (int at = length - END_LENGTH; at >= 0; at--) {
            if (tail.getInt(at) == END && at + END_LENGTH + (tail.getShort(at + 20) & 0xffff) == length) {
                Directory small = new Directory(
                        tail.getInt(at + 16) & IN_ZIP64,
                        tail.getInt(at + 12) & IN_ZIP64,
                        tail.getShort(at + 10) & 0xffff);
                return directory(file, start + at, small);
            }
        }
        throw new EOFException();
    }

    private static Directory directory(Bytes file, long end, Directory small) throws IOException {
        if (end >= 20 && file.at(end - 20, 4).getInt() == LOCATOR_64) {
            long end64 = file.at(end - 12, 8).getLong();
            ByteBuffer bytes = file.at(end64, 56);
            if (bytes.getInt() != END_64) {
                throw new EOFException();
            }
            return checked(new Directory(bytes.getLong(48), bytes.getLong(40), bytes.getLong(32)), end64);
        }
        return checked(small, end);
    }

    private static Directory checked(Directory directory, long end) throws IOException {
        if (directory.offset() < 0 || Math.addExact(directory.offset(), directory.length()) != end) {
            throw new EOFException();
        }
        return directory;
    }

    private static Member member(ByteBuffer bytes) throws IOException {
        int at = bytes.position();
        int name = bytes.getShort(at + 28) & 0xffff;
        int extra = bytes.getShort(at + 30) & 0xffff;
        int comment = bytes.getShort(at + 32) & 0xffff;
        if (bytes.remaining() < 46 + name + extra + comment) {
            throw new EOFException();
        }
        long compressed = bytes.getInt(at + 20) & IN_ZIP64;
        long whole = bytes.getInt(at + 24) & IN_ZIP64;
        long offset = bytes.getInt(at + 42) & IN_ZIP64;
        ByteBuffer large = zip64(bytes.slice(at + 46 + name, extra).order(bytes.order()));
        if (whole == IN_ZIP64 && large.remaining() >= 8) {
            large.getLong();
        }
        if (compressed == IN_ZIP64 && large.remaining() >= 8) {
            compressed = large.getLong();
        }
        if (offset == IN_ZIP64 && large.remaining() >= 8) {
            offset = large.getLong();
        }
        Member member =
                new Member(bytes.getShort(at + 10) & 0xffff, bytes.getInt(at + 16) & IN_ZIP64, compressed, offset);
        bytes.position(at + 46 + name + extra + comment);
        return member;
    }

    private static ByteBuffer zip64(ByteBuffer extra) {
        while (extra.remaining() >= 4) {
            int id = extra.getShort() & 0xffff;
            int length = Math.min(extra.getShort() & 0xffff, extra.remaining());
            if (id == 1) {
                return extra.slice(extra.position(), length).order(extra.order());
            }
            extra.position(extra.position() + length);
        }
        return ByteBuffer.allocate(0);
    }

    /** Empty where the method is not known. */
    private static Optional<Boolean> matches(Bytes file, Member member) throws IOException {
        if (member.method() != 0 && member.method() != 8) {
            return Optional.empty();
        }
        ByteBuffer local = file.at(member.offset(), 30);
        long place = member.offset() + 30 + (local.getShort(26) & 0xffff) + (local.getShort(28) & 0xffff);
        CRC32 crc = new CRC32();
        Inflater inflater = new Inflater(true);
        byte[] out = new byte[1 << 16];
        try {
            for (long left = member.compressed(); left > 0; ) {
                ByteBuffer piece = file.at(place, (int) Math.min(left, out.length));
                place += piece.remaining();
                left -= piece.remaining();
                if (member.method() == 0) {
                    crc.update(piece);
                    continue;
                }
                inflater.setInput(piece);
                for (int count = inflater.inflate(out); count > 0; count = inflater.inflate(out)) {
                    crc.update(out, 0, count);
                }
            }
            return Optional.of(crc.getValue() == member.crc());
        } catch (DataFormatException damaged) {
            return Optional.of(false);
        } finally {
            inflater.end();
        }
    }
}
