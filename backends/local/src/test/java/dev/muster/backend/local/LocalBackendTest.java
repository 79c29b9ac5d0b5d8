package dev.muster.backend.local;

/** Processes held by control groups, where this machine allows them. */
class LocalBackendTest extends LocalBackendContract {
    @Override
    LocalConfig adapt(LocalConfig config) {
        return config;
    }
}
