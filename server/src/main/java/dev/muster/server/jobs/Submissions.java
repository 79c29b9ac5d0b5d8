package dev.muster.server.jobs;

import dev.muster.api.FieldProblem;
import dev.muster.api.JobRequest;
import dev.muster.api.Needs;
import dev.muster.api.ProblemDocument;
import dev.muster.control.StartingPoint;
import dev.muster.frameworks.Frameworks;
import dev.muster.model.JobSpec;
import dev.muster.model.Origin;
import dev.muster.model.Problem;
import dev.muster.server.access.Caller;
import dev.muster.server.http.ProblemException;
import dev.muster.spec.JobText;
import dev.muster.spec.Parsed;
import dev.muster.spi.CodeStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Turns what a client hands in into a job that may be accepted, or into an answer that tells all that is wrong, or all that has still
 * to be sent. Stores nothing.
 */
final class Submissions {
    private final SpecCheck check;
    private final CodeStore code;
    private final StartingPoint startingPoint;
    private final LocalUse localUse;
    private final HostPaths hostPaths;
    private final Optional<String> host;

    /** @param host host that accepts jobs, where several share a store */
    Submissions(
            SpecCheck check,
            CodeStore code,
            StartingPoint startingPoint,
            LocalUse localUse,
            HostPaths hostPaths,
            Optional<String> host) {
        this.check = check;
        this.code = code;
        this.startingPoint = startingPoint;
        this.localUse = localUse;
        this.hostPaths = hostPaths;
        this.host = host;
    }

    /** A job with all that belongs to it. */
    record Ready(JobSpec spec, Origin origin, Map<String, String> secrets) {
        @Override
        public String toString() {
            return "Ready[" + spec.name() + "]";
        }
    }

    /**
     * The job to accept.
     *
     * @throws ProblemException what is wrong or has to be sent
     */
    Ready toAccept(JobRequest request, Caller caller) {
        String project = project(request, caller);
        JobSpec spec =
                spec(request, project, caller.user(), this::scriptsWithoutCode, draft -> allNeeds(request, draft));
        Needs needs = allNeeds(request, spec);
        Ready ready = ready(request, spec, needs, caller.user(), project);
        refuse(ScriptCheck.of(spec, ready.origin().codeDigest(), code));
        return ready;
    }

    private Needs allNeeds(JobRequest request, JobSpec spec) {
        Optional<String> neededCode =
                spec.code().filter(folder -> request.code().filter(code::has).isEmpty());
        Map<String, String> neededSecrets = new TreeMap<>(spec.secrets());
        neededSecrets.keySet().removeAll(request.secrets().keySet());
        return new Needs(
                neededCode,
                neededCode.isPresent() ? ScriptCheck.scripts(spec) : List.of(),
                requirements(request, spec),
                neededSecrets);
    }

    private static Needs planNeeds(JobRequest request, JobSpec spec) {
        return new Needs(Optional.empty(), List.of(), requirements(request, spec), Map.of());
    }

    private static void refuse(List<Problem> problems) {
        if (!problems.isEmpty()) {
            throw ProblemException.invalid(once(problems));
        }
    }

    /** The job to plan: only what decides what processes are given has to be there. That is no script: it may still be to be written. */
    Ready toPlan(JobRequest request, Caller caller) {
        String project = project(request, caller);
        JobSpec spec = spec(request, project, caller.user(), draft -> List.of(), draft -> planNeeds(request, draft));
        return ready(request, spec, planNeeds(request, spec), caller.user(), project);
    }

    /** The job to write for another system: only its text is asked about, not whether it could run here. */
    JobSpec toExport(JobRequest request, Caller caller) {
        project(request, caller);
        List<Problem> problems = new ArrayList<>(RequestCheck.of(request));
        Parsed parsed = JobText.parse(request.text(), request.sets(), Frameworks::of);
        problems.addAll(parsed.problems());
        refuse(problems);
        return parsed.spec().orElseThrow();
    }

    /** What a caller may not use is not told from what does not exist. */
    private static String project(JobRequest request, Caller caller) {
        return caller.project(request.project())
                .orElseThrow(() -> ProblemException.invalid(
                        "project",
                        caller.projects().all()
                                ? "a project is 1 to 64 letters, digits, . _ @ or -, with a letter or digit at both ends"
                                : "token " + caller.token() + " has no project '"
                                        + request.project().orElse("") + "'; it has "
                                        + String.join(
                                                ", ",
                                                new TreeSet<>(caller.projects().names()))));
    }

    /** A stored job with changes, read and checked as a whole. */
    JobSpec changed(String stored, List<String> sets, Origin origin) {
        Parsed parsed = JobText.change(stored, sets, Frameworks::of);
        List<Problem> problems = problems(parsed, origin, List.of());
        if (parsed.spec().isEmpty()) {
            refuse(problems);
        }
        JobSpec spec = parsed.spec().orElseThrow();
        problems.addAll(ScriptCheck.of(spec, origin.codeDigest(), code));
        refuse(problems);
        return spec;
    }

    /**
     * The job that the text describes.
     *
     * @param more  what else is wrong with it
     * @param needs what has still to be sent for it; told beside what is wrong, so that the client can see at once what it lacks
     */
    private JobSpec spec(
            JobRequest request,
            String project,
            String owner,
            Function<JobSpec, List<Problem>> more,
            Function<JobSpec, Needs> needs) {
        Parsed parsed = JobText.parse(request.text(), request.sets(), Frameworks::of);
        Origin origin = new Origin(
                owner, project, host, request.folder(), Optional.empty(), request.python(), request.path(), Map.of());
        List<Problem> before = RequestCheck.of(request);
        List<Problem> problems = problems(parsed, origin, before);
        if (before.isEmpty()
                && problems.stream().noneMatch(problem -> problem.field().startsWith("code"))) {
            parsed.draft().map(more).ifPresent(problems::addAll);
        }
        if (problems.isEmpty()) {
            return parsed.spec().orElseThrow();
        }
        throw ProblemException.invalid(once(problems), parsed.draft().map(needs));
    }

    /**
     * Everything wrong with a text, with what only this service can check.
     *
     * @param origin where the job comes from, as far as known
     * @param before problems found already
     */
    private List<Problem> problems(Parsed parsed, Origin origin, List<Problem> before) {
        List<Problem> problems = new ArrayList<>(before);
        problems.addAll(parsed.problems());
        parsed.draft().ifPresent(draft -> problems.addAll(unless(parsed.problems(), check.of(draft))));
        parsed.draft().flatMap(draft -> localUse.refusal(draft, origin.owner())).ifPresent(problems::add);
        parsed.draft().ifPresent(draft -> problems.addAll(hostPaths.problems(draft, origin.folder())));
        if (before.isEmpty()) {
            parsed.draft().ifPresent(draft -> problems.addAll(DataCheck.of(draft, origin.folder())));
            parsed.draft()
                    .flatMap(draft -> startingPoint.wrong(draft, origin.folder(), origin.project()))
                    .ifPresent(problems::add);
            parsed.draft().ifPresent(draft -> problems.addAll(check.interpreters(draft, origin)));
        }
        return problems;
    }

    /** A field that could not be read is absent from the draft; that it lacks is no second problem. */
    private static List<Problem> unless(List<Problem> unread, List<Problem> more) {
        Set<String> fields = unread.stream().map(Problem::field).collect(Collectors.toSet());
        return more.stream()
                .filter(problem -> !fields.contains(problem.field()))
                .toList();
    }

    /** Told with all else that is wrong; scripts of a job that has code are looked for once it was sent. */
    private List<Problem> scriptsWithoutCode(JobSpec draft) {
        return draft.code().isPresent() ? List.of() : ScriptCheck.of(draft, Optional.empty(), code);
    }

    /** What several checks found is told once: a field with the same message. */
    private static List<FieldProblem> once(List<Problem> problems) {
        Map<String, Problem> distinct = new LinkedHashMap<>();
        problems.forEach(problem -> distinct.putIfAbsent(problem.field() + "\n" + problem.message(), problem));
        return JobRoutes.fields(List.copyOf(distinct.values()));
    }

    private static List<String> requirements(JobRequest request, JobSpec spec) {
        Set<String> needed = new HashSet<>(dev.muster.spec.Needs.of(spec).requirements());
        needed.removeAll(request.requirements().keySet());
        return needed.stream().sorted().toList();
    }

    private Ready ready(JobRequest request, JobSpec spec, Needs needs, String owner, String project) {
        if (!needs.isEmpty()) {
            throw new ProblemException(
                    ProblemDocument.needs(needs, "The job text names what was not sent along; nothing was stored."));
        }
        Map<String, String> secrets = new TreeMap<>(request.secrets());
        secrets.keySet().retainAll(spec.secrets().keySet());
        Map<String, String> requirements = new TreeMap<>(request.requirements());
        requirements.keySet().retainAll(dev.muster.spec.Needs.of(spec).requirements());
        Optional<String> digest = spec.code().isPresent() ? request.code() : Optional.empty();
        Origin origin = new Origin(
                owner, project, host, request.folder(), digest, request.python(), request.path(), requirements);
        return new Ready(spec, origin, secrets);
    }
}
