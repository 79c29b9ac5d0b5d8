package dev.muster.spec.job;

import dev.muster.model.Options;
import dev.muster.spec.form.Sizes;
import java.util.Locale;
import java.util.TreeMap;

/** The blocks of single frameworks and backends as job text. */
final class OptionsForm {
    private OptionsForm() {}

    static void write(Options options, boolean tensorflow, boolean pytorch, JobForm form) {
        if (tensorflow) {
            form.put(
                    JobFields.TENSORFLOW,
                    new JobForm()
                            .put(OptionFields.EVALUATOR_IN_CLUSTER, options.evaluatorInCluster())
                            .put(OptionFields.SPARSE_CLUSTER, options.sparseCluster())
                            .fields());
        }
        if (pytorch) {
            OptionFields.Launcher launcher =
                    options.torchrun() ? OptionFields.Launcher.TORCHRUN : OptionFields.Launcher.DIRECT;
            form.put(
                    JobFields.PYTORCH,
                    new JobForm()
                            .put(OptionFields.LAUNCHER, launcher.name().toLowerCase(Locale.ROOT))
                            .fields());
        }
        if (!options.localAddress().equals(Options.DEFAULT.localAddress())) {
            form.put(
                    JobFields.LOCAL,
                    new JobForm()
                            .put(OptionFields.ADDRESS, options.localAddress())
                            .fields());
        }
        options.network()
                .ifPresent(network -> form.put(
                        JobFields.NETWORK,
                        new JobForm()
                                .put(OptionFields.NETWORK_INTERFACE, network.networkInterface())
                                .put(OptionFields.HOST_NETWORK, network.hostNetwork())
                                .put(
                                        OptionFields.RDMA,
                                        network.rdma()
                                                .map(rdma -> new JobForm()
                                                        .put(OptionFields.RDMA_RESOURCE, rdma.resource())
                                                        .put(OptionFields.RDMA_COUNT, rdma.count())
                                                        .fields()))
                                .fields()));
        options.docker().ifPresent(docker -> {
            JobForm block = new JobForm();
            docker.shmSize().ifPresent(bytes -> block.put(OptionFields.SHM_SIZE, Sizes.write(bytes)));
            form.put(
                    JobFields.DOCKER,
                    block.put(OptionFields.MOUNTS, docker.mounts())
                            .put(OptionFields.RUNTIME, docker.runtime())
                            .fields());
        });
        options.kubernetes().ifPresent(block -> form.put(JobFields.KUBERNETES, new TreeMap<>(block)));
    }
}
