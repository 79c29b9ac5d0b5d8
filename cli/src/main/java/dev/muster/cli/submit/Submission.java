package dev.muster.cli.submit;

import dev.muster.api.FieldProblem;
import dev.muster.api.JobRequest;
import dev.muster.api.Needs;
import dev.muster.api.ProblemDocument;
import dev.muster.api.ProblemType;
import dev.muster.api.StoredCode;
import dev.muster.api.Submitted;
import dev.muster.cli.archive.CodeArchive;
import dev.muster.cli.base.Failure;
import dev.muster.cli.base.Notes;
import dev.muster.cli.base.Surroundings;
import dev.muster.cli.client.Api;
import dev.muster.formats.json.JsonFields;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Posts a job text and, as often as the service asks for more, what it asks for. The key makes a request that has to be sent again,
 * because an answer was lost, the same submission.
 */
public final class Submission {
    private static final int MOST_ROUNDS = 4;

    private final Api api;
    private final Surroundings surroundings;
    private final Notes notes;
    private final Supplier<List<String>> differences;

    /** @param differences how the settings of the service differ from those here, a sentence each; asked when a job does not suit it */
    public Submission(Api api, Surroundings surroundings, Notes notes, Supplier<List<String>> differences) {
        this.api = api;
        this.surroundings = surroundings;
        this.notes = notes;
        this.differences = differences;
    }

    /**
     * Hands the job in.
     *
     * @param sets overrides {@code path=value}
     * @param key  new for every submission
     * @return the id of the stored job
     */
    public String submit(JobFile file, List<String> sets, String key) {
        return Submitted.of(send(file, request(file, sets, Optional.of(key)), api::submit))
                .id();
    }

    /** What would be launched. */
    public JsonFields plan(JobFile file, List<String> sets) {
        return send(file, request(file, sets, Optional.empty()), api::plan);
    }

    /** The job as a file of another system. */
    public JsonFields export(JobFile file, List<String> sets, String as) {
        return send(file, request(file, sets, Optional.empty()), request -> api.export(request, as));
    }

    private JobRequest request(JobFile file, List<String> sets, Optional<String> key) {
        return new JobRequest(
                file.text(),
                file.folder().toString(),
                sets,
                surroundings.program("python3").map(Path::toString),
                surroundings.variable("PATH").orElse(""),
                Optional.empty(),
                Map.of(),
                Map.of(),
                key,
                surroundings.variable("MUSTER_PROJECT"));
    }

    private JsonFields send(JobFile file, JobRequest first, Function<JobRequest, JsonFields> post) {
        JobRequest request = first;
        for (int round = 1; ; round++) {
            try {
                return post.apply(request);
            } catch (Failure refused) {
                Optional<Needs> needs = refused.problem().needs();
                if (needs.isEmpty() || round == MOST_ROUNDS) {
                    throw InFile.of(OtherSettings.told(refused, differences), file);
                }
                if (!refused.problem().type().equals(ProblemType.NEEDS.urn())) {
                    throw InFile.of(OtherSettings.told(withMissing(refused, request, needs.get()), differences), file);
                }
                request = withNeeds(request, needs.get());
            }
        }
    }

    /** The text is wrong; what it names and is not here is told along. */
    private Failure withMissing(Failure refused, JobRequest request, Needs needs) {
        List<FieldProblem> missing = new Supplies(request, needs, surroundings).missing();
        if (missing.isEmpty()) {
            return refused;
        }
        ProblemDocument problem = refused.problem();
        List<FieldProblem> all = new ArrayList<>(problem.problems());
        all.addAll(missing);
        return Failure.of(problem.with(all.size() + " fields are wrong; nothing was stored.", all));
    }

    private JobRequest withNeeds(JobRequest request, Needs needs) {
        Supplies supplies = new Supplies(request, needs, surroundings);
        Optional<CodeArchive> archive = supplies.code();
        Map<String, String> requirements = plus(request.requirements(), supplies.requirements());
        Map<String, String> secrets = plus(request.secrets(), supplies.secrets());
        supplies.check();
        Optional<String> code = request.code();
        if (archive.isPresent()) {
            CodeSize.check(needs.code().get(), archive.get(), notes);
            code = Optional.of(StoredCode.of(api.storeCode(archive.get())).digest());
        }
        return new JobRequest(
                request.text(),
                request.folder(),
                request.sets(),
                request.python(),
                request.path(),
                code,
                requirements,
                secrets,
                request.key(),
                request.project());
    }

    private static Map<String, String> plus(Map<String, String> some, Map<String, String> more) {
        Map<String, String> all = new HashMap<>(some);
        all.putAll(more);
        return all;
    }
}
