package dev.muster.artifacts.checkpoints;

import dev.muster.artifacts.checkpoints.CheckpointIndex.Recorded;
import java.io.IOException;
import java.util.Optional;

/**
 * Whether the content of a checkpoint is what it was, read to the last byte.
 *
 * @param digest  digest of what was read, where there was a use for it
 * @param refusal why it cannot be trusted, as the end of a sentence about it; empty when it can
 */
record Proof(Optional<String> digest, Optional<String> refusal) {

    /**
     * Reads the checkpoint. With a recorded digest, its content must have that digest. Without, its own check sums must hold; where it was
     * changed after it had been recorded they must also cover all of it.
     *
     * @param takeDigest whether a digest is wanted where none was recorded
     */
    static Proof of(Seen seen, boolean takeDigest) throws IOException {
        if (seen.recorded().isPresent()) {
            return ofRecorded(seen.entry(), seen.recorded().get());
        }
        Optional<String> damage = Structure.damage(seen.entry());
        if (damage.isPresent()) {
            return new Proof(Optional.empty(), damage);
        }
        if (seen.changed() && !Structure.provesItself(seen.entry())) {
            return new Proof(Optional.empty(), Optional.of("was changed after it had been recorded as whole"));
        }
        return new Proof(takeDigest ? Optional.of(seen.entry().digest()) : Optional.empty(), Optional.empty());
    }

    private static Proof ofRecorded(Entry entry, Recorded recorded) throws IOException {
        String digest = entry.digest();
        return new Proof(
                Optional.of(digest),
                digest.equals(recorded.digest())
                        ? Optional.empty()
                        : Optional.of("is damaged: its content is not what was recorded when it was saved"));
    }
}
