package dev.muster.api;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How the person who reads calls this command line. Messages, the service's too, write commands as {@code muster logs ID}; shown, they
 * begin as the reader's own did, so that they can be pasted.
 *
 * @param words {@code muster}, {@code ./muster} or a path, as a shell takes it
 */
public record Called(String words) {
    public static final Called MUSTER = new Called("muster");

    private static final Pattern COMMAND = Pattern.compile("(?<![\\w./-])muster(?= [A-Za-z])");

    /** The sentence with its commands as the reader calls them. */
    public String in(String sentence) {
        return equals(MUSTER) ? sentence : COMMAND.matcher(sentence).replaceAll(Matcher.quoteReplacement(words));
    }
}
