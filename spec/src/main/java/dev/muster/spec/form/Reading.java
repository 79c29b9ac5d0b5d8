package dev.muster.spec.form;

import dev.muster.model.Problem;
import java.util.ArrayList;
import java.util.List;

/** One reading of one text: what was found wrong so far, and which fields exist at all. For one thread. */
public final class Reading {
    private static final int MAX_PROBLEMS = 200;

    private final List<Problem> problems = new ArrayList<>();
    private final Vocabulary vocabulary;
    private int untold;

    public Reading(Vocabulary vocabulary) {
        this.vocabulary = vocabulary;
    }

    /** Notes a problem; the same one is noted once. */
    public void problem(Problem problem) {
        if (problems.contains(problem)) {
            return;
        }
        if (problems.size() < MAX_PROBLEMS) {
            problems.add(problem);
        } else {
            untold++;
        }
    }

    /** All problems in the order they were found; the answer to a text of nothing but mistakes is bounded. */
    public List<Problem> problems() {
        List<Problem> all = new ArrayList<>(problems);
        if (untold > 0) {
            all.add(Problem.of("", "and " + untold + " more problems"));
        }
        return List.copyOf(all);
    }

    Vocabulary vocabulary() {
        return vocabulary;
    }
}
