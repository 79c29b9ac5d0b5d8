package dev.muster.backend.kubernetes;

import dev.muster.model.JobId;
import dev.muster.model.Member;
import dev.muster.model.ProcessKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/**
 * Names of the objects of a job. Each is a DNS label (RFC 1123, 63 characters), whatever roles are called: one that would be longer, or holds what
 * no label may, is shortened and told apart by a digest.
 */
final class Names {
    static final int LONGEST = 63;

    private static final int DIGEST = 8;

    private Names() {}

    /** The fence of an attempt: a pod of this name is made once, so an attempt is started once. Its Secret is called the same. */
    static String pod(ProcessKey key) {
        return label(key.job() + "-" + key.name().toString().replace('.', '-'), "-a" + key.attempt());
    }

    /** The headless Service below whose name the members of a job have theirs. */
    static String service(JobId job) {
        return job.value();
    }

    /** What lets an attempt begin once where it may be handed to a pod that is there: a Secret without content. */
    static String fence(ProcessKey key) {
        return label(key.job() + "-" + key.name().toString().replace('.', '-'), "-a" + key.attempt() + "-is");
    }

    /** A member's own headless Service, in jobs in which another pod may become that member. */
    static String service(JobId job, Member member) {
        return member(job.value(), member);
    }

    /** The same below the name of a job's Service. */
    static String member(String service, Member member) {
        return label(service + "-" + member, "");
    }

    /** A member's name below the Service: the same for every attempt of it. */
    static String host(Member member) {
        return label(member.toString(), "");
    }

    static String label(String text, String end) {
        String clean =
                text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-]", "-").replaceAll("^-+", "");
        if (clean.equals(text) && clean.length() + end.length() <= LONGEST) {
            return clean + end;
        }
        String head = clean.substring(0, Math.min(clean.length(), LONGEST - end.length() - DIGEST - 1));
        return (head + "-" + digest(text).substring(0, DIGEST) + end).replaceAll("^-+", "");
    }

    static String digest(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException(missing);
        }
    }
}
