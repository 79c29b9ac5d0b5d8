package dev.muster.server.config;

import dev.muster.backend.local.RunAs;
import dev.muster.model.BackendKind;
import dev.muster.model.Keep;
import dev.muster.model.Queues;
import dev.muster.model.Quota;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How a service for several people is set up. Paths are absolute.
 *
 * @param home     its state; held by one service at a time
 * @param listen   where it listens
 * @param tls      its certificate; absent = plain HTTP, on loopback only
 * @param url      how clients reach it, where that is not the address it listens at; without a path
 * @param store    where jobs are kept
 * @param host     this machine's name among the replicas of the service; jobs of backends that reach only their own host belong to it
 * @param capacity what jobs may take together of this machine; what is absent is as the machine has it
 * @param hostPaths folders of this machine that jobs may name, where several users share the service
 * @param backends those that are offered
 * @param settings of backends, as variables of the service's environment
 * @param runAs    as whom processes of backend local run
 * @param queues   queues that jobs wait in
 * @param tokens   file of tokens; absent = one token, in {@code home}
 * @param audit    file that tells who changed what
 * @param longest  how long logs and records of ended jobs are kept at most, whatever jobs ask for
 * @param log      file of its log; absent = standard output
 */
public record ServerConfig(
        Path home,
        InetSocketAddress listen,
        Optional<Tls> tls,
        Optional<URI> url,
        Store store,
        String host,
        Quota capacity,
        List<Path> hostPaths,
        Set<BackendKind> backends,
        Map<String, String> settings,
        RunAs runAs,
        Queues queues,
        Optional<Path> tokens,
        Path audit,
        Keep longest,
        Optional<Path> log) {

    /**
     * Files in PEM.
     *
     * @param certificate the service's certificate, then those between it and one that clients trust
     * @param key         its private key, PKCS #8, without a password
     */
    public record Tls(Path certificate, Path key) {}

    /** Where jobs are kept. */
    public sealed interface Store {
        /** One SQLite database in a folder of its own. */
        record Sqlite(Path folder) implements Store {}

        /**
         * A PostgreSQL database.
         *
         * @param url          {@code postgresql://HOST[:PORT]/DATABASE}, without a password
         * @param user         role to log in as
         * @param passwordFile file whose content is the password; absent = none is needed
         * @param keyFile      key that secrets are sealed with, the same for every replica
         */
        record Postgresql(String url, String user, Optional<Path> passwordFile, Path keyFile) implements Store {}
    }
}
