package dev.muster.backend.docker;

class DockerCopiedTest extends DockerContract {
    @Override
    DockerConfig.Files files() {
        return DockerConfig.Files.COPIED;
    }
}
