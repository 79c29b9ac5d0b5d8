package dev.muster.backend.docker;

import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessName;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** How things of a job are called at a dockerd, and the labels by which they are found again. A name is the fence: it is made once. */
final class Names {
    /** Which installation of Muster made it: one MUSTER_HOME. */
    static final String HOME = "dev.muster.home";

    static final String JOB = "dev.muster.job";
    static final String PROCESS = "dev.muster.process";
    static final String ATTEMPT = "dev.muster.attempt";
    /** The program, to be named when it cannot be run. */
    static final String PROGRAM = "dev.muster.program";
    /** How it is seen that the process has joined. */
    static final String JOIN = "dev.muster.join";
    /** Where peers reach it. */
    static final String ADDRESS = "dev.muster.address";
    /** How its files get there and back. */
    static final String FILES = "dev.muster.files";
    /** On a volume that is there for this: a member and the GPUs that it holds. */
    static final String GPUS = "dev.muster.gpus";

    private Names() {}

    /** {@code JOB-ROLE-INDEX-aATTEMPT}. */
    static String container(ProcessKey key) {
        return key.job() + "-" + key.name() + "-a" + key.attempt();
    }

    static String network(JobId job) {
        return "muster-" + job;
    }

    static String volume(JobId job, String what) {
        return "muster-" + job + "-" + what;
    }

    /** Host name of a process, the same in every attempt: the member's for its first process, one of its own for each other. */
    static String host(ProcessName name) {
        String member = name.member().toString();
        int local = name.local().orElse(0);
        return local == 0 ? member : member + "-" + local;
    }

    /** The attempt of a job that a container's name tells. */
    static Optional<ProcessKey> named(JobId job, String name) {
        String start = job + "-";
        int attempt = name.lastIndexOf("-a");
        if (!name.startsWith(start) || attempt < start.length()) {
            return Optional.empty();
        }
        try {
            int number = Integer.parseInt(name.substring(attempt + 2));
            return ProcessName.parse(name.substring(start.length(), attempt))
                    .map(process -> new ProcessKey(job, process, number));
        } catch (IllegalArgumentException other) {
            return Optional.empty();
        }
    }

    static ObjectNode labels(String home, JobId job) {
        return DockerApi.object().put(HOME, home).put(JOB, job.value());
    }

    static String is(String label, String value) {
        return label + "=" + value;
    }

    /** The attempt an object's labels name. */
    static Optional<ProcessKey> key(JsonNode labels) {
        try {
            Optional<ProcessName> name = ProcessName.parse(labels.path(PROCESS).asString(""));
            int attempt = Integer.parseInt(labels.path(ATTEMPT).asString("0"));
            return name.map(process -> new ProcessKey(new JobId(labels.path(JOB).asString("")), process, attempt));
        } catch (IllegalArgumentException strange) {
            return Optional.empty();
        }
    }

    static Optional<JobId> job(JsonNode labels) {
        try {
            return Optional.of(new JobId(labels.path(JOB).asString("")));
        } catch (IllegalArgumentException strange) {
            return Optional.empty();
        }
    }
}
