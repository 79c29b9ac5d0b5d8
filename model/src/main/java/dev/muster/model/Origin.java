package dev.muster.model;

import java.util.Map;
import java.util.Optional;

/**
 * What is known of a submission besides the job text.
 *
 * @param owner        who submitted it
 * @param project      the project it belongs to; names of live jobs are unique within one
 * @param host         host of the service that accepted it, where processes of a backend that reaches only its own host live; empty for the
 *     embedded service
 * @param folder       absolute folder of the job file, against which relative paths of the text are read
 * @param codeDigest   digest of the code snapshot, absent without {@code code}
 * @param python       absolute path of the first python3 on the submitter's PATH, absent when there is none
 * @param path         the submitter's PATH
 * @param requirements content of each requirements file that the text names, by the name used there
 */
public record Origin(
        String owner,
        String project,
        Optional<String> host,
        String folder,
        Optional<String> codeDigest,
        Optional<String> python,
        String path,
        Map<String, String> requirements) {
    /** The project of who names none. */
    public static final String DEFAULT_PROJECT = "default";

    public Origin {
        requirements = Map.copyOf(requirements);
    }

    /** A submission to the embedded service. */
    public Origin(
            String owner,
            String folder,
            Optional<String> codeDigest,
            Optional<String> python,
            String path,
            Map<String, String> requirements) {
        this(owner, DEFAULT_PROJECT, Optional.empty(), folder, codeDigest, python, path, requirements);
    }

    /** The same, accepted by a service on that host. */
    public Origin on(Optional<String> host) {
        return new Origin(owner, project, host, folder, codeDigest, python, path, requirements);
    }
}
