package dev.muster.model;

import java.util.Map;
import java.util.Optional;

/**
 * What is known of a submission besides the job text.
 *
 * @param owner        who submitted it
 * @param folder       absolute folder of the job file, against which relative paths of the text are read
 * @param codeDigest   digest of the code snapshot, absent without {@code code}
 * @param python       absolute path of the first python3 on the submitter's PATH, absent when there is none
 * @param path         the submitter's PATH
 * @param requirements content of each requirements file that the text names, by the name used there
 */
public record Origin(
        String owner,
        String folder,
        Optional<String> codeDigest,
        Optional<String> python,
        String path,
        Map<String, String> requirements) {
    public Origin {
        requirements = Map.copyOf(requirements);
    }
}
