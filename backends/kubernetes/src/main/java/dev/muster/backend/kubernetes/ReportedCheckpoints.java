package dev.muster.backend.kubernetes;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which checkpoints a piece of a report file calls whole. It is a hint to fetch them at once, not a reading of the reports: a line that is torn or
 * escapes something is passed over, and what it names is fetched when it is seen to be settled.
 */
final class ReportedCheckpoints {
    private static final Pattern NAME = Pattern.compile("\"checkpoint\"\\s*:\\s*\"([^\"\\\\]+)\"");
    private static final String TENSORFLOW = ".index";

    private ReportedCheckpoints() {}

    /** Names of entries, without folders before them. */
    static Set<String> names(String reports) {
        Set<String> names = new TreeSet<>();
        Matcher each = NAME.matcher(reports);
        while (each.find()) {
            String last = each.group(1).substring(each.group(1).lastIndexOf('/') + 1);
            names.add(last.endsWith(TENSORFLOW) ? last.substring(0, last.length() - TENSORFLOW.length()) : last);
        }
        names.remove("");
        return names;
    }
}
