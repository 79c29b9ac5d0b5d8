package dev.muster.backend.docker;

import dev.muster.model.Part;

/** Where a process finds things in its container. */
final class Places {
    static final String ROOT = "/muster";
    static final String CODE = "/muster/code";
    static final String MODEL = "/muster/model";
    static final String CHECKPOINTS = "/muster/checkpoints";
    static final String CONTROL = "/muster/control";
    static final String REPORTS = "/muster/reports.jsonl";
    static final String LOG = "/muster/log";
    /** The log of an attempt whose process was held ready before, and has said things of its own. */
    static final String TAKEN_LOG = "/muster/taken.log";

    static final String DATA = "/muster/data";
    /** What the wrapper writes down. */
    static final String RUN = "/muster/run";
    /** Requirements, installed. */
    static final String PYTHON = "/muster/python";

    private Places() {}

    static String of(Part.Place place) {
        return switch (place) {
            case CODE -> CODE;
            case MODEL -> MODEL;
            case CHECKPOINTS -> CHECKPOINTS;
            case CONTROL -> CONTROL;
            case REPORT_FILE -> REPORTS;
        };
    }
}
