package dev.muster.cli.doctor;

import dev.muster.cli.base.Surroundings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Looks at everything. */
public final class Doctor {
    private Doctor() {}

    /** Every finding, good and bad. */
    public static List<Finding> look(Surroundings surroundings) {
        List<Finding> findings = new ArrayList<>(new ProgramChecks(surroundings).look());
        findings.add(new CgroupCheck(Path.of("/")).look());
        findings.addAll(new PlaceChecks(surroundings).look());
        findings.add(new ServiceCheck(surroundings).look());
        return findings;
    }
}
