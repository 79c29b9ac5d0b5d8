package dev.muster.backend.docker;

class DockerMountedTest extends DockerContract {
    @Override
    DockerConfig.Files files() {
        return DockerConfig.Files.AUTO;
    }
}
