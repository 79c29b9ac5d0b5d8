package dev.muster.backend.local;

import dev.muster.model.Capacity;
import dev.muster.spi.CodeStore;
import dev.muster.spi.JobFolders;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * How the local backend is set up.
 *
 * @param folders     where files of jobs are
 * @param code        snapshots of training code
 * @param environment the service's environment, from which base variables are taken
 * @param gpus        devices of this machine, as CUDA_VISIBLE_DEVICES names them
 * @param capacity    what jobs may take together
 * @param shared      folder in which every service of this machine tells what it holds
 * @param firstPort   first port given to jobs
 * @param lastPort    last port given to jobs; the range should not meet the kernel's {@code ip_local_port_range}
 * @param cgroups     control groups that may be made
 * @param shell       command that runs a shell script named as its last argument
 * @param subreaper   whether shims adopt orphans of their program where there are no control groups to hold them
 * @param runAs       as whom processes run
 */
public record LocalConfig(
        JobFolders folders,
        CodeStore code,
        Map<String, String> environment,
        List<String> gpus,
        Capacity capacity,
        Path shared,
        int firstPort,
        int lastPort,
        Cgroups cgroups,
        List<String> shell,
        boolean subreaper,
        RunAs runAs) {
    /** The folder that all services of a machine share unless told otherwise. */
    public static final Path SHARED = Path.of("/tmp/muster-ports");

    public static final int FIRST_PORT = 20_000;
    public static final int LAST_PORT = 29_999;

    public LocalConfig {
        environment = Map.copyOf(environment);
        gpus = List.copyOf(gpus);
        shell = List.copyOf(shell);
        if (firstPort < 1024 || lastPort > 65_535 || firstPort > lastPort) {
            throw new IllegalArgumentException(
                    "ports are given from 1024 to 65535, not " + firstPort + " to " + lastPort);
        }
    }

    /** As this machine allows: everything is found out, which takes some milliseconds, where there are GPUs up to seconds. */
    public static LocalConfig ofThisMachine(JobFolders folders, CodeStore code, Map<String, String> environment) {
        List<String> gpus = Machine.gpus(environment);
        return new LocalConfig(
                folders,
                code,
                environment,
                gpus,
                Machine.capacity(gpus),
                SHARED,
                FIRST_PORT,
                LAST_PORT,
                CgroupDetection.ofThisMachine().detect(),
                List.of("/bin/sh"),
                true,
                RunAs.NOBODY_ELSE);
    }

    /** The same with another capacity, such as {@link CapacityText} reads. */
    public LocalConfig withCapacity(Capacity other) {
        return new LocalConfig(
                folders, code, environment, gpus, other, shared, firstPort, lastPort, cgroups, shell, subreaper, runAs);
    }

    /** The same with processes that run as other users. */
    public LocalConfig withRunAs(RunAs other) {
        return new LocalConfig(
                folders,
                code,
                environment,
                gpus,
                capacity,
                shared,
                firstPort,
                lastPort,
                cgroups,
                shell,
                subreaper,
                other);
    }
}
