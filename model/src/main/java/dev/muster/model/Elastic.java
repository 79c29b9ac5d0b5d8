package dev.muster.model;

/** Bounds between which the number of workers may change while the job runs. */
public record Elastic(int min, int max) {
    public Elastic {
        Texts.require(min >= 1 && max >= min, "elastic needs 1 <= min <= max");
    }
}
