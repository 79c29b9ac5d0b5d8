package dev.muster.spec.job;

import dev.muster.model.Options;
import dev.muster.spec.form.At;
import dev.muster.spec.form.Block;
import dev.muster.spec.form.Field;
import dev.muster.spec.form.Forms;
import dev.muster.spec.form.Names;
import dev.muster.spec.form.Sizes;
import dev.muster.spec.form.Values;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** The blocks of single frameworks and backends. */
final class OptionFields {
    private static final Pattern INTERFACE = Pattern.compile("[\\x21-\\x2e\\x30-\\x7e]{1,15}");
    private static final Pattern RESOURCE =
            Pattern.compile("[a-z0-9]([a-z0-9.-]*[a-z0-9])?/[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?");
    private static final Pattern MOUNT = Pattern.compile("[^:\\p{Cntrl}]+:/[^:\\p{Cntrl}]*(:ro)?");

    static final Field<Boolean> EVALUATOR_IN_CLUSTER = new Field<>("evaluatorInCluster", Forms.truth());
    static final Field<Boolean> SPARSE_CLUSTER = new Field<>("sparseCluster", Forms.truth());
    static final Block TENSORFLOW = Block.of(EVALUATOR_IN_CLUSTER, SPARSE_CLUSTER);

    /** Who starts the ranks of a PyTorch job. */
    enum Launcher {
        DIRECT,
        TORCHRUN
    }

    static final Field<Launcher> LAUNCHER = new Field<>(
            "launcher",
            Forms.choice(Launcher.values(), launcher -> launcher.name().toLowerCase(Locale.ROOT)));
    static final Block PYTORCH = Block.of(LAUNCHER);

    static final Field<String> ADDRESS = new Field<>("address", OptionFields::address);
    static final Block LOCAL = Block.of(ADDRESS);

    static final Field<String> NETWORK_INTERFACE =
            new Field<>("interface", Forms.shaped(INTERFACE, "must be the name of a network interface such as eth0"));
    static final Field<Boolean> HOST_NETWORK = new Field<>("hostNetwork", Forms.truth());
    static final Field<String> RDMA_RESOURCE =
            new Field<>("resource", Forms.shaped(RESOURCE, "must be a Kubernetes resource name such as rdma/hca"));
    static final Field<Integer> RDMA_COUNT = new Field<>("count", Forms.whole(1, 1024));
    static final Field<Values> RDMA = new Field<>("rdma", Block.of(RDMA_RESOURCE, RDMA_COUNT));
    static final Block NETWORK = Block.of(NETWORK_INTERFACE, HOST_NETWORK, RDMA);

    static final Field<Long> SHM_SIZE = new Field<>("shmSize", Sizes.bytes());
    static final Field<List<String>> MOUNTS = new Field<>(
            "mounts",
            Forms.list(Forms.shaped(MOUNT, "must be SOURCE:TARGET or SOURCE:TARGET:ro, the target absolute")));
    static final Field<String> RUNTIME = new Field<>("runtime", Names.object());
    static final Block DOCKER = Block.of(SHM_SIZE, MOUNTS, RUNTIME);

    static final Block KUBERNETES = Block.of(
            new Field<>("namespace", Names.label(63)),
            new Field<>("nodeSelector", Anything.mapping()),
            new Field<>("tolerations", Anything.list()),
            new Field<>("affinity", Anything.mapping()),
            new Field<>("serviceAccount", Forms.text()),
            new Field<>("priorityClass", Forms.text()),
            new Field<>("imagePullSecrets", Forms.list(Forms.text())),
            new Field<>("volumes", Anything.list()),
            new Field<>("checkpointClaim", Forms.text()),
            new Field<>("kueueQueue", Forms.text()),
            new Field<>("podPatch", Anything.mapping()));

    private OptionFields() {}

    static Options options(Values job) {
        Optional<Values> tensorflow = job.get(JobFields.TENSORFLOW);
        return new Options(
                tensorflow.map(block -> block.get(EVALUATOR_IN_CLUSTER, false)).orElse(false),
                tensorflow.map(block -> block.get(SPARSE_CLUSTER, false)).orElse(false),
                job.get(JobFields.PYTORCH).flatMap(block -> block.get(LAUNCHER)).orElse(Launcher.DIRECT)
                        == Launcher.TORCHRUN,
                job.get(JobFields.LOCAL).flatMap(block -> block.get(ADDRESS)).orElse(Options.DEFAULT.localAddress()),
                job.get(JobFields.NETWORK).map(OptionFields::network),
                job.get(JobFields.DOCKER).map(OptionFields::docker),
                job.get(JobFields.KUBERNETES).map(Values::byName));
    }

    private static Options.Network network(Values block) {
        Optional<Options.Rdma> rdma = block.get(RDMA).flatMap(values -> {
            values.require(RDMA_RESOURCE, "rdma/hca");
            return values.get(RDMA_RESOURCE).map(resource -> new Options.Rdma(resource, values.get(RDMA_COUNT, 1)));
        });
        return new Options.Network(block.get(NETWORK_INTERFACE), block.get(HOST_NETWORK, false), rdma);
    }

    private static Options.Docker docker(Values block) {
        return new Options.Docker(
                block.get(SHM_SIZE).map(OptionalLong::of).orElseGet(OptionalLong::empty),
                block.get(MOUNTS, List.of()),
                block.get(RUNTIME));
    }

    /** An IPv4 or IPv6 address as numbers; no name is looked up. */
    private static Optional<String> address(At at) {
        String rule = "must be an IP address such as 127.0.0.1 or ::1";
        return at.scalar(rule).flatMap(scalar -> {
            String text = scalar.text();
            try {
                boolean full = text.contains(":")
                        || text.chars().filter(each -> each == '.').count() == 3;
                InetAddress.ofLiteral(text);
                return full && !text.startsWith("[") && !text.contains("%")
                        ? Optional.of(text)
                        : at.wrong(rule + ", not " + At.shown(text));
            } catch (IllegalArgumentException noAddress) {
                return at.wrong(rule + ", not " + At.shown(text));
            }
        });
    }
}
