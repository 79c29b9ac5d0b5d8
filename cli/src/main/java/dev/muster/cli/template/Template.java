package dev.muster.cli.template;

import java.util.List;
import java.util.Optional;

/**
 * A job folder that can be begun with.
 *
 * @param strategy  how the training is split
 * @param framework of the job
 * @param folder    of the example, below {@code examples/}
 */
public record Template(String strategy, String framework, String folder) {
    private static final String DATA_PARALLEL = "data-parallel";
    private static final String PYTORCH = "pytorch";
    private static final String TENSORFLOW = "tensorflow";

    /** One for each strategy and framework that {@code examples/} carries. */
    public static final List<Template> ALL = List.of(
            new Template(DATA_PARALLEL, TENSORFLOW, "fashion-mnist"),
            new Template(DATA_PARALLEL, PYTORCH, "pytorch-ddp"),
            new Template(DATA_PARALLEL, "horovod", "horovod"),
            new Template(DATA_PARALLEL, "jax", "jax-two-process"),
            new Template(DATA_PARALLEL, "mpi", "mpi"),
            new Template(DATA_PARALLEL, "xgboost", "xgboost"),
            new Template(DATA_PARALLEL, "plain", "plain/hello"),
            new Template("elastic", PYTORCH, "pytorch-elastic"),
            new Template("elastic", TENSORFLOW, "tensorflow-elastic"),
            new Template("parameter-server", TENSORFLOW, "tensorflow-parameter-server"),
            new Template("sharded-parameter-server", TENSORFLOW, "strategies/sharded-parameter-server"),
            new Template("gradient-accumulation", PYTORCH, "strategies/gradient-accumulation"),
            new Template("model-parallel", PYTORCH, "strategies/model-parallel"),
            new Template("pipeline", PYTORCH, "strategies/pipeline"),
            new Template("memory-swapping", PYTORCH, "strategies/memory-swapping"),
            new Template("sharded-optimizer", PYTORCH, "strategies/sharded-optimizer"),
            new Template("fully-sharded", PYTORCH, "strategies/fully-sharded"));

    /** Those that fit what was asked for; where nothing was, all fit. */
    public static List<Template> fitting(Optional<String> strategy, Optional<String> framework) {
        return ALL.stream()
                .filter(one -> strategy.isEmpty() || one.strategy().equals(strategy.get()))
                .filter(one -> framework.isEmpty() || one.framework().equals(framework.get()))
                .toList();
    }
}
