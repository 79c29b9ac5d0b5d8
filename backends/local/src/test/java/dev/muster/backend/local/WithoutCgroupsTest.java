package dev.muster.backend.local;

/** Processes held by a shim that adopts orphans, as on a machine where the service may make no control groups. */
class WithoutCgroupsTest extends LocalBackendContract {
    @Override
    LocalConfig adapt(LocalConfig config) {
        return Configs.withCgroups(config, new Cgroups.None());
    }
}
