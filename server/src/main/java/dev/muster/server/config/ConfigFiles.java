package dev.muster.server.config;

import dev.muster.backend.local.RunAs;
import dev.muster.model.Problem;
import dev.muster.server.access.TokenFile;
import dev.muster.server.config.ServerConfig.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What is wrong with the files that a configuration names. Changes nothing. */
public final class ConfigFiles {
    private static final Set<PosixFilePermission> OF_OTHERS = Set.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);

    private final List<Problem> problems = new ArrayList<>();

    private ConfigFiles() {}

    public static List<Problem> check(ServerConfig config) {
        ConfigFiles files = new ConfigFiles();
        config.tls().ifPresent(tls -> {
            if (files.isReadable("tls.certificate", tls.certificate())) {
                files.certificate(tls.certificate());
            }
            if (files.isReadable("tls.key", tls.key())) {
                files.isOwnersOnly("tls.key", tls.key());
                files.key(tls);
            }
        });
        config.tokens().ifPresent(files::tokens);
        if (config.runAs().isOn()) {
            RunAs.lacking()
                    .ifPresent(lacking -> files.problems.add(Problem.of(
                            RunAs.FIELD,
                            "cannot be had: " + lacking,
                            "run the service as root, or share it by backends docker or kubernetes")));
            files.isReachable(config.home());
        }
        if (config.store() instanceof Store.Postgresql postgresql) {
            postgresql
                    .passwordFile()
                    .filter(file -> files.isReadable("store.postgresql.passwordFile", file))
                    .ifPresent(file -> files.isOwnersOnly("store.postgresql.passwordFile", file));
        }
        Map.of("KUBECONFIG", "kubernetes", "MUSTER_KUBEFLOW_KUBECONFIG", "kubeflow")
                .forEach((variable, backend) -> Optional.ofNullable(
                                config.settings().get(variable))
                        .ifPresent(file -> files.isReadable("backends." + backend + ".kubeconfig", Path.of(file))));
        return files.problems;
    }

    private boolean isReadable(String field, Path file) {
        if (!Files.isRegularFile(file)) {
            problems.add(Problem.of(field, Files.exists(file) ? file + " is no file" : "there is no file " + file));
            return false;
        }
        if (!Files.isReadable(file)) {
            problems.add(Problem.of(field, file + " cannot be read by the user of the service"));
            return false;
        }
        return true;
    }

    /** Processes of other users have their own folders of the home at their usual paths, and have to get there. */
    private void isReachable(Path home) {
        for (Path above = home.getParent(); above != null; above = above.getParent()) {
            try {
                if (Files.exists(above)
                        && !Files.getPosixFilePermissions(above).contains(PosixFilePermission.OTHERS_EXECUTE)) {
                    problems.add(Problem.of(
                            RunAs.FIELD,
                            "takes a home that others can get to, and " + above + " lets nobody through",
                            "chmod o+x " + above + ", or put home somewhere else"));
                }
            } catch (IOException gone) {
                problems.add(Problem.of(RunAs.FIELD, above + " cannot be looked at: " + gone.getMessage()));
            }
        }
    }

    private void isOwnersOnly(String field, Path file) {
        try {
            if (Files.getPosixFilePermissions(file).stream().anyMatch(OF_OTHERS::contains)) {
                problems.add(Problem.of(
                        field, file + " can be read or written by others than its owner", "chmod 600 " + file));
            }
        } catch (IOException gone) {
            problems.add(Problem.of(field, file + " cannot be looked at: " + gone.getMessage()));
        }
    }

    private void certificate(Path file) {
        try {
            PemIdentity.certificates(file);
        } catch (PemIdentity.UnusableException unusable) {
            problems.add(Problem.of("tls.certificate", unusable.getMessage()));
        }
    }

    /** The key alone, then that it fits the certificate. */
    private void key(ServerConfig.Tls tls) {
        try {
            PemIdentity.privateKey(tls.key());
            if (problems.stream().noneMatch(problem -> problem.field().startsWith("tls.certificate"))) {
                PemIdentity.check(tls);
            }
        } catch (PemIdentity.UnusableException unusable) {
            problems.add(Problem.of("tls.key", unusable.getMessage()));
        }
    }

    private void tokens(Path file) {
        try {
            if (new TokenFile(file).read().isEmpty()) {
                problems.add(Problem.of(
                        "tokens",
                        Files.exists(file)
                                ? file + " has no token, so that nobody could get in"
                                : "there is no file " + file,
                        "muster server token create --config FILE --name NAME"));
            }
        } catch (IOException unusable) {
            problems.add(Problem.of("tokens", unusable.getMessage()));
        }
    }
}
