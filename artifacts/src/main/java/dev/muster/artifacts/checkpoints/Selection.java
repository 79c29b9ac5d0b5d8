package dev.muster.artifacts.checkpoints;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The newest checkpoint that can be trusted, and what was passed over on the way to it. Reads the candidates to the last byte.
 *
 * @param chosen   it, with the digest of what was read
 * @param warnings a sentence for each that is newer, newest first
 */
record Selection(Optional<Chosen> chosen, List<String> warnings) {
    record Chosen(Seen seen, Optional<String> digest) {}

    private record Passed(long step, String warning) {}

    /**
     * Selects.
     *
     * @param seen       candidates, newest first
     * @param takeDigest whether a digest is wanted where none was recorded
     */
    static Selection of(List<Seen> seen, boolean takeDigest) throws IOException {
        List<Passed> passed = new ArrayList<>();
        Optional<Chosen> chosen = Optional.empty();
        for (Seen each : seen) {
            if (EntryName.isBest(each.name()) || EntryName.isUnfinished(each.name())) {
                continue;
            }
            Proof proof = proof(each, takeDigest);
            if (proof.refusal().isEmpty()) {
                chosen = Optional.of(new Chosen(each, proof.digest()));
                break;
            }
            passed.add(new Passed(
                    each.entry().step().orElse(Long.MIN_VALUE),
                    each.name() + " is passed over: it " + proof.refusal().get()));
        }
        long floor = chosen.map(each -> each.seen().entry().step().orElse(Long.MIN_VALUE))
                .orElse(Long.MIN_VALUE);
        for (Seen each : seen) {
            OptionalLong step = EntryName.number(each.name());
            if (EntryName.isUnfinished(each.name()) && step.isPresent() && step.getAsLong() > floor) {
                passed.add(new Passed(
                        step.getAsLong(), each.name() + " is passed over: its name says that it is not finished"));
            }
        }
        passed.sort(Comparator.comparingLong(Passed::step).reversed());
        return new Selection(chosen, passed.stream().map(Passed::warning).toList());
    }

    private static Proof proof(Seen seen, boolean takeDigest) throws IOException {
        if (seen.missing().isPresent()) {
            return new Proof(Optional.empty(), seen.missing());
        }
        if (!seen.settled()) {
            return new Proof(Optional.empty(), Optional.of("is still being written"));
        }
        try {
            return Proof.of(seen, takeDigest);
        } catch (NoSuchFileException removed) {
            return new Proof(Optional.empty(), Optional.of("was removed while it was looked at"));
        }
    }
}
