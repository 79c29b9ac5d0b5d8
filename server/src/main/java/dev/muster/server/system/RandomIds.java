package dev.muster.server.system;

import dev.muster.model.JobId;
import dev.muster.spi.Ids;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** Ids of a letter and nine characters of base 32: 2^49 of them, so that the store hardly ever has one already. */
public final class RandomIds implements Ids {
    private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
    private static final int LETTERS = 26;
    private static final int LENGTH = 10;
    private static final int SECRET_BYTES = 32;

    private final RandomGenerator random;
    private final Predicate<JobId> given;
    private Optional<JobId> next = Optional.empty();

    /** @param given whether an id was given before */
    public static RandomIds notAmong(Predicate<JobId> given) {
        return new RandomIds(new SecureRandom(), given);
    }

    RandomIds(RandomGenerator random, Predicate<JobId> given) {
        this.random = random;
        this.given = given;
    }

    @Override
    public synchronized JobId next() {
        while (next.isEmpty() || given.test(next.get())) {
            next = Optional.of(make());
        }
        return next.get();
    }

    @Override
    public synchronized JobId take() {
        JobId taken = next();
        next = Optional.empty();
        return taken;
    }

    @Override
    public synchronized String secret() {
        byte[] bytes = new byte[SECRET_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private JobId make() {
        StringBuilder id = new StringBuilder(LENGTH);
        id.append(ALPHABET.charAt(random.nextInt(LETTERS)));
        while (id.length() < LENGTH) {
            id.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return new JobId(id.toString());
    }
}
