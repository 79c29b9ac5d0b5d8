package dev.muster.backend.local;

import java.nio.file.Path;

/** Configurations with something changed that a service never changes. */
final class Configs {
    private Configs() {}

    /** With other control groups; {@link Cgroups.None} forces the other ways of holding processes together. */
    static LocalConfig withCgroups(LocalConfig config, Cgroups cgroups) {
        return with(config, config.shared(), cgroups);
    }

    /** With another folder for what is held on this machine. */
    static LocalConfig withShared(LocalConfig config, Path shared) {
        return with(config, shared, config.cgroups());
    }

    private static LocalConfig with(LocalConfig config, Path shared, Cgroups cgroups) {
        return new LocalConfig(
                config.folders(),
                config.code(),
                config.environment(),
                config.gpus(),
                config.capacity(),
                shared,
                config.firstPort(),
                config.lastPort(),
                cgroups,
                config.shell(),
                config.subreaper(),
                config.runAs());
    }
}
