package dev.muster.backend.local;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds users of the machine as the system knows them: in its files, or wherever else it looks. */
public final class OsUsers {
    private static final Pattern NUMBERS = Pattern.compile("(\\d{1,9})(?::(\\d{1,9}))?");
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9._@-]{0,63}");
    private static final int PASSWD_FIELDS = 7;
    private static final int LONGEST_SECONDS = 10;

    private OsUsers() {}

    /** A user that cannot be one; the message says why. */
    public static final class UnusableException extends Exception {
        private static final long serialVersionUID = 1L;

        UnusableException(String message) {
            super(message);
        }
    }

    /** @param text a login name, or UID or UID:GID of a user who need not have an account */
    public static OsUser find(String text) throws UnusableException {
        Matcher numbers = NUMBERS.matcher(text);
        if (numbers.matches()) {
            int uid = Integer.parseInt(numbers.group(1));
            int gid = numbers.group(2) == null ? uid : Integer.parseInt(numbers.group(2));
            refuseRoot(text, uid);
            return OsUser.numbered(uid, gid);
        }
        if (!NAME.matcher(text).matches()) {
            throw new UnusableException("must be a login name, or UID:GID, not '" + text + "'");
        }
        String[] entry = ask("getent", "passwd", text)
                .orElseThrow(() -> new UnusableException("this machine has no user " + text))
                .split(":", -1);
        if (entry.length != PASSWD_FIELDS) {
            throw new UnusableException("the entry of user " + text + " cannot be read");
        }
        int uid = Integer.parseInt(entry[2]);
        refuseRoot(text, uid);
        List<Integer> groups = new ArrayList<>(Arrays.stream(ask("id", "-G", text)
                        .orElseThrow(() -> new UnusableException("the groups of user " + text + " cannot be told"))
                        .split(" "))
                .map(Integer::valueOf)
                .toList());
        return new OsUser(text, uid, Integer.parseInt(entry[3]), groups, Optional.of(entry[5]));
    }

    private static void refuseRoot(String text, int uid) throws UnusableException {
        if (uid == 0) {
            throw new UnusableException("'" + text + "' is root, as whom no job may run");
        }
    }

    private static Optional<String> ask(String program, String... words) throws UnusableException {
        List<String> line = new ArrayList<>();
        line.add(Programs.ofSystem().find(program).map(Path::toString).orElse(program));
        line.addAll(List.of(words));
        try {
            Process process = new ProcessBuilder(line)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new UnusableException(program + " does not answer");
            }
            return process.exitValue() == 0 && !said.isEmpty() ? Optional.of(said) : Optional.empty();
        } catch (IOException cannotRun) {
            throw new UnusableException(program + " cannot be run: " + cannotRun.getMessage());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new UnusableException("interrupted while " + program + " was asked");
        }
    }
}
