package dev.muster.server.jobs;

import dev.muster.api.JobRequest;
import dev.muster.model.Problem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a request says besides the job text: that it can be the folder, the program and the values of processes. */
final class RequestCheck {
    private final List<Problem> problems = new ArrayList<>();

    private RequestCheck() {}

    /** Everything that is wrong, in the order of the fields. */
    static List<Problem> of(JobRequest request) {
        RequestCheck check = new RequestCheck();
        check.absolute("folder", request.folder(), "folder must be the absolute folder of the job file");
        request.python().ifPresent(python -> check.absolute("python", python, "python must be an absolute path"));
        check.plain("path", request.path());
        check.plain("code", request.code());
        check.plain("key", request.key());
        check.plain("requirements", request.requirements());
        check.plain("secrets", request.secrets());
        return check.problems;
    }

    private void absolute(String field, String path, String otherwise) {
        if (plain(field, path) && !Path.of(path).isAbsolute()) {
            problems.add(Problem.of(field, otherwise));
        }
    }

    private void plain(String field, Optional<String> text) {
        text.ifPresent(given -> plain(field, given));
    }

    /** Values are never shown: they may be secrets. */
    private void plain(String field, Map<String, String> texts) {
        texts.forEach((name, value) -> {
            if (plain(field, name)) {
                plain(field + "." + name, value);
            }
        });
    }

    private boolean plain(String field, String text) {
        boolean plain = text.indexOf('\0') < 0;
        if (!plain) {
            problems.add(Problem.of(field, field + " holds the character NUL, which no process can be given"));
        }
        return plain;
    }
}
