package dev.muster.model;

import java.util.regex.Pattern;

/**
 * The identity of one job, never given twice. A DNS label of 10 characters that starts with a letter, so that it can be part
 * of any backend's object names.
 */
public record JobId(String value) implements Comparable<JobId> {
    private static final Pattern FORM = Pattern.compile("[a-z][a-z0-9]{1,30}");

    public JobId {
        Texts.require(
                FORM.matcher(value).matches(),
                "a job id is a lower-case letter and 1 to 30 letters or digits: " + value);
    }

    @Override
    public int compareTo(JobId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
