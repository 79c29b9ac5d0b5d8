package dev.muster.cli.doctor;

import dev.muster.cli.base.Surroundings;
import dev.muster.cli.client.Api;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Looks at everything. */
public final class Doctor {
    private Doctor() {}

    /**
     * Every finding, good and bad.
     *
     * @param server the service elsewhere that commands speak to
     * @param api    asks it; not called without {@code server}
     */
    public static List<Finding> look(Surroundings surroundings, Optional<String> server, Supplier<Api> api) {
        List<Finding> findings = new ArrayList<>(new ProgramChecks(surroundings).look());
        findings.add(new CgroupCheck(Path.of("/")).look());
        findings.addAll(new PlaceChecks(surroundings).look());
        findings.add(new DockerCheck(surroundings).look());
        findings.add(new ClusterCheck(surroundings).look());
        findings.add(new ServiceCheck(surroundings).look());
        server.map(address -> new RemoteCheck(address, api).look()).ifPresent(findings::add);
        return findings;
    }
}
