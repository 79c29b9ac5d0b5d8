package dev.muster.artifacts.python;

import dev.muster.artifacts.files.DiskSpace;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tells from pip's output which requirement failed and why, in one sentence. The first row that fits is the reason. */
final class PipFailure {
    private record Row(Pattern line, Function<MatchResult, String> sentence) {
        static Row of(String line, Function<MatchResult, String> sentence) {
            return new Row(Pattern.compile(line), sentence);
        }
    }

    private static final Pattern UNREACHABLE = Pattern.compile(
            "NewConnectionError|Failed to establish a new connection|Temporary failure in name resolution|Name or service not known"
                    + "|ConnectTimeoutError|Read timed out|Connection refused|Network is unreachable|ProxyError|Max retries exceeded");
    private static final Pattern UNTRUSTED = Pattern.compile("CERTIFICATE_VERIFY_FAILED|SSLError");

    private static final List<Row> ROWS = List.of(
            Row.of(
                    "ERROR: Invalid requirement: ['\"]?(.+?)['\"]?(?:: .*?)?(?: \\(from line (\\d+) of .*\\))?$",
                    found -> "the requirement '" + found.group(1) + "'"
                            + (found.group(2) == null ? "" : " (line " + found.group(2) + ")")
                            + " is not written in pip's form"),
            Row.of(
                    "(?:ERROR: )?\\s*([^\\s:]+) from (\\S+).*:$",
                    found -> "the requirement '" + found.group(1) + "' does not match the hash written for it"),
            Row.of(
                    "ERROR: .*all requirements must have their versions pinned with ==.*",
                    found ->
                            "some requirements have a hash and others have no version pinned with ==, and pip takes hashes for all or none"),
            Row.of(
                    "ERROR: Hashes are required in --require-hashes mode.*",
                    found ->
                            "some requirements have a hash and others have none, and pip takes hashes for all or none"),
            Row.of(
                    "ERROR: Could not find a version that satisfies the requirement (.+?) \\(from versions: (.*)\\)",
                    found -> "the requirement '" + found.group(1) + "' was not found: "
                            + (found.group(2).equals("none")
                                    ? "no index or folder that pip may use has it for this Python"
                                    : "there is no such version; there are " + last(found.group(2)))),
            Row.of(
                    "ERROR: No matching distribution found for (.+)",
                    found -> "the requirement '" + found.group(1) + "' was not found"),
            Row.of(
                    "ERROR: Cannot install (.+) because these package versions have conflicting dependencies.*",
                    found -> "the requirements " + found.group(1)
                            + " cannot be installed together: they ask for different versions of a third"),
            Row.of(
                    "ERROR: (?:Package )?'?([^' ]+)'? requires a different Python: (.+)",
                    found -> "the requirement '" + found.group(1) + "' does not fit this Python: " + found.group(2)),
            Row.of(
                    "ERROR: (\\S+) is not a supported wheel on this platform.*",
                    found -> "the requirement '" + found.group(1) + "' is a wheel for another platform or Python"),
            Row.of(
                    "\\s*ERROR: Failed building wheel for (\\S+).*",
                    found -> "the requirement '" + found.group(1) + "' could not be built from source"),
            Row.of(
                    "ERROR: Failed to build (?:installable wheels for some pyproject\\.toml based projects )?\\(?'?([^')]+)'?\\)?.*",
                    found -> "the requirement '" + found.group(1) + "' could not be built from source"),
            Row.of(
                    "ERROR: (\\S+) from (\\S+) does not appear to be a Python project.*",
                    found -> "the requirement '" + found.group(1) + "' is no Python project"),
            Row.of(
                    "ERROR: (?:Could not install packages due to an OSError|Exception): ?(.*)",
                    found -> "the packages could not be written: " + found.group(1)));

    private static final Pattern PROCESSED =
            Pattern.compile("(?:Collecting|Processing) (?:\\S*/)?(\\S+?)(?:-\\d\\S*\\.(?:zip|whl|tar\\S*))?(?: .*)?");

    private PipFailure() {}

    /** One sentence without a full stop. */
    static String sentence(List<String> output) {
        if (output.stream().anyMatch(DiskSpace::saysFull)) {
            return "no space left on device";
        }
        boolean hashes = output.stream().anyMatch(line -> line.contains("DO NOT MATCH THE HASHES"));
        for (Row row : ROWS) {
            if (row.line().pattern().contains("from (\\S+).*:$") && !hashes) {
                continue;
            }
            for (String line : output) {
                Matcher found = row.line().matcher(line);
                if (found.matches()) {
                    return row.sentence().apply(found.toMatchResult()) + network(output);
                }
            }
        }
        return buildFailure(output)
                        .or(() -> output.reversed().stream()
                                .filter(line -> line.startsWith("ERROR: "))
                                .map(line -> "pip says: " + line.substring("ERROR: ".length()))
                                .findFirst())
                        .orElse("pip ended without saying why")
                + network(output);
    }

    /** A build that fails before a wheel is begun names no requirement; it is the one pip took up last. */
    private static Optional<String> buildFailure(List<String> output) {
        if (output.stream().noneMatch(line -> line.contains("did not run successfully"))) {
            return Optional.empty();
        }
        return output.reversed().stream()
                .map(PROCESSED::matcher)
                .filter(Matcher::matches)
                .map(found -> "the requirement '" + found.group(1) + "' could not be built from source")
                .findFirst();
    }

    private static String network(List<String> output) {
        if (output.stream().anyMatch(line -> UNTRUSTED.matcher(line).find())) {
            return "; the certificate of the package index is not trusted here (see pip's --cert)";
        }
        return output.stream().anyMatch(line -> UNREACHABLE.matcher(line).find())
                ? "; the package index could not be reached"
                : "";
    }

    private static String last(String versions) {
        String[] all = versions.split(", *");
        return all.length <= 3 ? versions : "many, the newest " + all[all.length - 1];
    }
}
