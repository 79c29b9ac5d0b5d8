package dev.muster.frameworks;

import dev.muster.frameworks.horovod.HorovodFramework;
import dev.muster.frameworks.jax.JaxFramework;
import dev.muster.frameworks.later.LaterFramework;
import dev.muster.frameworks.mpi.MpiFramework;
import dev.muster.frameworks.plain.PlainFramework;
import dev.muster.frameworks.pytorch.PyTorchFramework;
import dev.muster.frameworks.tensorflow.TensorFlowFramework;
import dev.muster.frameworks.xgboost.XgboostFramework;
import dev.muster.model.FrameworkKind;
import dev.muster.spi.Framework;
import java.util.Arrays;
import java.util.List;

/** Every framework Muster knows: a new one is one package and one line here. */
public final class Frameworks {
    private Frameworks() {}

    /** The launch contract of a framework. */
    public static Framework of(FrameworkKind kind) {
        return switch (kind) {
            case TENSORFLOW -> new TensorFlowFramework();
            case PYTORCH -> new PyTorchFramework();
            case JAX -> new JaxFramework();
            case PLAIN -> new PlainFramework();
            case MPI -> new MpiFramework();
            case HOROVOD -> new HorovodFramework();
            case XGBOOST -> new XgboostFramework();
            case JVM -> new LaterFramework(kind);
        };
    }

    /** All of them, in the order of the kinds. */
    public static List<Framework> all() {
        return Arrays.stream(FrameworkKind.values()).map(Frameworks::of).toList();
    }
}
