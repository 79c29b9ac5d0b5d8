package dev.muster.store;

import dev.muster.model.JobId;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** Secrets of jobs that are not final, sealed before they come here. */
final class SecretTable {
    private final SecretBox box;

    SecretTable(SecretBox box) {
        this.box = box;
    }

    /** The values sealed for this job; done outside the transaction, since nobody else needs to wait for it. */
    Map<String, byte[]> seal(JobId job, Map<String, String> secrets) {
        Map<String, byte[]> sealed = new TreeMap<>();
        secrets.forEach((variable, value) -> sealed.put(variable, box.seal(value, boundTo(job, variable))));
        return sealed;
    }

    Map<String, String> open(JobId job, Map<String, byte[]> sealed) {
        Map<String, String> secrets = new LinkedHashMap<>();
        sealed.forEach((variable, value) -> secrets.put(variable, box.open(value, boundTo(job, variable))));
        return secrets;
    }

    static void add(Session session, JobId job, Map<String, byte[]> sealed) throws SQLException {
        for (Map.Entry<String, byte[]> secret : sealed.entrySet()) {
            session.update(
                    "insert into secret (job_id, variable, sealed) values (?, ?, ?)",
                    job.value(),
                    secret.getKey(),
                    secret.getValue());
        }
    }

    static Map<String, byte[]> of(Session session, JobId job) throws SQLException {
        Map<String, byte[]> sealed = new TreeMap<>();
        session.query(
                "select variable, sealed from secret where job_id = ?",
                row -> sealed.put(row.text("variable"), row.bytes("sealed")),
                job.value());
        return sealed;
    }

    static void remove(Session session, JobId job) throws SQLException {
        session.update("delete from secret where job_id = ?", job.value());
    }

    private static String boundTo(JobId job, String variable) {
        return "job " + job + ", variable " + variable;
    }
}
