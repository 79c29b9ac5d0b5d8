package dev.muster.server.config;

import dev.muster.model.Keep;
import dev.muster.model.Problem;
import dev.muster.model.Queue;
import dev.muster.model.Queues;
import dev.muster.model.Quota;
import dev.muster.server.config.ServerConfig.Store;
import dev.muster.server.config.ServerConfig.Tls;
import dev.muster.spec.form.At;
import dev.muster.spec.form.Field;
import dev.muster.spec.form.Reading;
import dev.muster.spec.form.Values;
import dev.muster.spec.tree.Tree;
import dev.muster.spec.tree.TreeReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the configuration of a service for several people. Looks at no file but the text, and asks the system for the users of the
 * machine that it names: that files are there and can be read is seen when the service starts, and by {@link ConfigFiles}.
 */
public final class ConfigText {
    static final String LISTEN = "127.0.0.1:8470";

    private final Path folder;
    private final Reading reading = new Reading(ServerFields.VOCABULARY);

    private ConfigText(Path folder) {
        this.folder = folder;
    }

    /**
     * What was read.
     *
     * @param config   the configuration as far as it could be read, to be used only when there are no problems
     * @param problems every one, each with its field
     */
    public record Read(Optional<ServerConfig> config, List<Problem> problems) {
        public Read {
            problems = List.copyOf(problems);
        }
    }

    /**
     * Reads a configuration.
     *
     * @param folder absolute folder from which its relative paths are read
     */
    public static Read read(String text, Path folder) {
        return new ConfigText(folder).read(text);
    }

    private Read read(String text) {
        if (text.lines().allMatch(line -> line.isBlank() || line.strip().startsWith("#"))) {
            return new Read(
                    Optional.empty(), List.of(Problem.of("", "the configuration is empty", "home: /var/lib/muster")));
        }
        Optional<Tree> tree = TreeReader.read(text, reading::problem);
        Optional<ServerConfig> config = tree.flatMap(root -> ServerFields.BLOCK.read(new At("", root, reading)))
                .flatMap(this::config);
        return new Read(config, reading.problems());
    }

    private Optional<ServerConfig> config(Values values) {
        values.require(ServerFields.HOME, "home: /var/lib/muster");
        Path home = path(values, ServerFields.HOME).orElse(folder);
        Optional<InetSocketAddress> listen = listen(values);
        Optional<Tls> tls = tls(values);
        Optional<URI> url = url(values);
        secured(values, url);
        listen.ifPresent(address -> exposure(values, address));
        Optional<Path> log =
                values.get(ServerFields.LOG).filter("stdout"::equals).isPresent()
                        ? Optional.empty()
                        : path(values, ServerFields.LOG);
        return listen.map(address -> new ServerConfig(
                home,
                address,
                tls,
                url,
                store(values, home),
                values.get(ServerFields.HOST).orElseGet(ConfigText::hostName),
                values.get(ServerFields.CAPACITY).map(ServerFields::quota).orElse(Quota.NONE),
                values.get(ServerFields.HOST_PATHS, List.of()).stream()
                        .map(Path::of)
                        .toList(),
                Backends.offered(values),
                Backends.settings(values, folder),
                Backends.runAs(values),
                queues(values),
                path(values, ServerFields.TOKENS),
                path(values, ServerFields.AUDIT).orElse(home.resolve("logs").resolve("audit.jsonl")),
                longest(values),
                log));
    }

    private Optional<Path> path(Values values, Field<String> field) {
        return values.get(field).flatMap(text -> {
            try {
                return Optional.of(folder.resolve(text).normalize());
            } catch (InvalidPathException unspeakable) {
                return values.at(field).wrong("must be a path");
            }
        });
    }

    private Optional<InetSocketAddress> listen(Values values) {
        return Addresses.read(values.at(ServerFields.LISTEN), values.get(ServerFields.LISTEN, LISTEN));
    }

    private Optional<Tls> tls(Values values) {
        Optional<Values> block = values.get(ServerFields.TLS);
        block.ifPresent(tls -> {
            tls.require(ServerFields.CERTIFICATE, "certificate: muster.crt");
            tls.require(ServerFields.KEY, "key: muster.key");
        });
        return block.flatMap(tls -> path(tls, ServerFields.CERTIFICATE)
                .flatMap(certificate -> path(tls, ServerFields.KEY).map(key -> new Tls(certificate, key))));
    }

    private Optional<URI> url(Values values) {
        return values.get(ServerFields.URL).flatMap(text -> Addresses.url(values.at(ServerFields.URL), text));
    }

    /** Clients that are sent to an address without TLS would not be understood by a listener that speaks only TLS. */
    private static void secured(Values values, Optional<URI> url) {
        if (values.has(ServerFields.TLS) && url.map(URI::getScheme).equals(Optional.of("http"))) {
            values.at(ServerFields.URL)
                    .wrong(
                            "must begin with https://, as tls is given and plain HTTP is not answered",
                            Optional.of("url: https" + url.get().toString().substring("http".length())));
        }
    }

    /** What is needed where others than this machine's users can come in. */
    private void exposure(Values values, InetSocketAddress address) {
        if (address.getAddress().isLoopbackAddress()) {
            return;
        }
        String others = address.getAddress().isAnyLocalAddress()
                ? "listen is every address of this machine"
                : "listen " + address.getAddress().getHostAddress() + " can be reached from other machines";
        if (!values.has(ServerFields.TLS)) {
            values.at(ServerFields.TLS)
                    .wrong(
                            "is required, as " + others
                                    + ", and without TLS everybody on the way reads tokens and jobs",
                            Optional.of("tls: {certificate: muster.crt, key: muster.key}, or listen: " + LISTEN));
        }
        if (!values.has(ServerFields.TOKENS)) {
            values.at(ServerFields.TOKENS)
                    .wrong(
                            "is required, as " + others,
                            Optional.of("tokens: tokens.json, made by: muster server token create"));
        }
        if (!values.has(ServerFields.URL)) {
            values.at(ServerFields.URL)
                    .wrong(
                            "is required, as " + others + ", and requests for another host are refused",
                            Optional.of("url: https://muster.example.org:" + address.getPort()));
        }
    }

    private Store store(Values values, Path home) {
        Optional<Values> store = values.get(ServerFields.STORE);
        Optional<Values> postgresql = store.flatMap(block -> block.get(ServerFields.POSTGRESQL));
        if (postgresql.isPresent()) {
            Values database = postgresql.get();
            if (store.get().has(ServerFields.SQLITE)) {
                store.get().at(ServerFields.SQLITE).wrong("stands beside postgresql; keep one of the two");
            }
            database.require(ServerFields.DATABASE_URL, "url: postgresql://HOST/DATABASE");
            database.require(ServerFields.DATABASE_USER, "user: muster");
            return new Store.Postgresql(
                    database.get(ServerFields.DATABASE_URL, ""),
                    database.get(ServerFields.DATABASE_USER, ""),
                    path(database, ServerFields.PASSWORD_FILE),
                    path(database, ServerFields.KEY_FILE)
                            .orElse(home.resolve("store").resolve("secret.key")));
        }
        return new Store.Sqlite(
                store.flatMap(block -> path(block, ServerFields.SQLITE)).orElse(home.resolve("store")));
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unnamed) {
            return "localhost";
        }
    }

    private Queues queues(Values values) {
        List<Queue> queues = new ArrayList<>();
        for (Map.Entry<String, Values> each :
                values.get(ServerFields.QUEUES, Map.of()).entrySet()) {
            Queue queue = ServerFields.queue(each.getKey(), each.getValue());
            Queues.check("queues." + each.getKey(), queue).forEach(reading::problem);
            queues.add(queue);
        }
        return Queues.of(queues);
    }

    private static Keep longest(Values values) {
        Optional<Values> retention = values.get(ServerFields.RETENTION);
        return new Keep(
                Optional.empty(),
                bound(retention, ServerFields.KEEP_LOGS),
                bound(retention, ServerFields.KEEP_RECORDS));
    }

    private static Optional<Duration> bound(Optional<Values> retention, Field<Optional<Duration>> field) {
        return retention.flatMap(block -> block.get(field)).flatMap(duration -> duration);
    }
}
