package dev.muster.backend.kubernetes;

import dev.muster.frameworks.Frameworks;
import dev.muster.model.BackendKind;
import dev.muster.model.FrameworkKind;
import dev.muster.model.ProcessKey;
import dev.muster.spi.Backend;
import dev.muster.spi.Framework;
import dev.muster.spi.JobFolders;
import dev.muster.testkit.Ability;
import dev.muster.testkit.BackendTck;
import dev.muster.testkit.Snapshots;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The contract of every backend on a real cluster, with the rights of deploy/kubernetes/rbac.yaml and no more. */
@Tag("cluster")
class KubernetesBackendTest extends BackendTck {
    private final TestCluster cluster = TestCluster.get();
    private final Snapshots snapshots = new Snapshots();

    @TempDir
    Path home;

    @Override
    protected Backend open() {
        return new KubernetesBackend(cluster.config(folders(), snapshots, instance()));
    }

    private String instance() {
        return "t" + Names.digest(home.toString()).substring(0, 10);
    }

    @Override
    protected BackendKind kind() {
        return BackendKind.KUBERNETES;
    }

    @Override
    protected Framework framework(FrameworkKind kind) {
        return Frameworks.of(kind);
    }

    @Override
    protected JobFolders folders() {
        return new JobFolders(home);
    }

    @Override
    protected Optional<String> image() {
        return Optional.of(TestCluster.BASE);
    }

    @Override
    protected Duration soon() {
        return Duration.ofSeconds(60);
    }

    @Override
    protected String snapshot(Map<String, String> files) {
        return snapshots.add(files);
    }

    @Override
    protected Set<Ability> declines() {
        return Set.of(Ability.REMOTE_DATA);
    }

    @Override
    protected Optional<Outage> outage() {
        return Optional.of(cluster.outage());
    }

    @Override
    protected void removeByForce(ProcessKey key) throws Exception {
        try (Cluster admin = new Cluster(TestCluster.config(cluster.admin(), folders(), snapshots, instance()))) {
            admin.deletePod(Names.pod(key));
        }
    }
}
