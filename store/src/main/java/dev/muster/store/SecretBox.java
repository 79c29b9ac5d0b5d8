package dev.muster.store;

import dev.muster.spi.JobStore.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals secrets with AES-256-GCM under a key that lies in an owner-only file beside the database; what is sealed is bound to its
 * job and variable. The key is read, or made, when it is first needed. Form: 12 bytes of nonce, then ciphertext and tag.
 */
final class SecretBox {
    private static final int KEY = 32;
    private static final int NONCE = 12;
    private static final int TAG_BITS = 128;

    private final Path file;
    private final SecureRandom random;
    private SecretKey key;

    SecretBox(Path file, SecureRandom random) {
        this.file = file;
        this.random = random;
    }

    byte[] seal(String value, String boundTo) {
        try {
            byte[] nonce = new byte[NONCE];
            random.nextBytes(nonce);
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, key(true), nonce, boundTo)
                    .doFinal(value.getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.allocate(NONCE + sealed.length)
                    .put(nonce)
                    .put(sealed)
                    .array();
        } catch (GeneralSecurityException | IOException failed) {
            throw new StoreException(
                    "the secret of " + boundTo + " cannot be sealed: " + failed, StoreException.Kind.OTHER, failed);
        }
    }

    String open(byte[] sealed, String boundTo) {
        try {
            byte[] nonce = Arrays.copyOf(sealed, NONCE);
            byte[] value = cipher(Cipher.DECRYPT_MODE, key(false), nonce, boundTo)
                    .doFinal(sealed, NONCE, sealed.length - NONCE);
            return new String(value, StandardCharsets.UTF_8);
        } catch (GeneralSecurityException | IOException | IndexOutOfBoundsException | IllegalArgumentException failed) {
            throw new StoreException(
                    "the secret of " + boundTo + " cannot be opened with the key in " + file
                            + "; put the key back that it was sealed with, or cancel the job and submit it again",
                    StoreException.Kind.OTHER,
                    failed);
        }
    }

    /**
     * Tells this key from others without giving it away.
     *
     * @param make whether a key is made where there is none
     */
    String fingerprint(boolean make) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update("muster secret key".getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest.digest(key(make).getEncoded()));
        } catch (NoSuchFileException none) {
            throw new StoreException(
                    "there is no key in " + file
                            + ", and secrets are sealed with one already; copy the key file of another"
                            + " replica there",
                    StoreException.Kind.REFUSED,
                    none);
        } catch (GeneralSecurityException | IOException failed) {
            throw new StoreException(
                    "the key in " + file + " cannot be used: " + failed, StoreException.Kind.OTHER, failed);
        }
    }

    private static Cipher cipher(int mode, SecretKey key, byte[] nonce, String boundTo)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(boundTo.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }

    private synchronized SecretKey key(boolean make) throws IOException {
        if (key == null) {
            byte[] bytes;
            try {
                bytes = Files.readAllBytes(file);
                Files.setPosixFilePermissions(file, OwnerOnly.FILE.value());
            } catch (NoSuchFileException none) {
                if (!make) {
                    throw none;
                }
                bytes = create();
            }
            if (bytes.length != KEY) {
                throw new IOException("the key file " + file + " does not hold " + KEY + " bytes");
            }
            key = new SecretKeySpec(bytes, "AES");
        }
        return key;
    }

    /** Durable before anything is sealed with it: a value whose key is lost is lost. */
    private byte[] create() throws IOException {
        byte[] bytes = new byte[KEY];
        random.nextBytes(bytes);
        Path half = Files.createTempFile(file.getParent(), "secret", ".half", OwnerOnly.FILE);
        try (FileChannel channel = FileChannel.open(half, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(bytes));
            channel.force(true);
        }
        try {
            // Never over the key of a replica that shares the folder and was first.
            Files.createLink(file, half);
        } catch (FileAlreadyExistsException other) {
            return Files.readAllBytes(file);
        } finally {
            Files.delete(half);
        }
        try (FileChannel folder = FileChannel.open(file.getParent())) {
            folder.force(true);
        }
        return bytes;
    }
}
