package dev.muster.backend.docker;

import dev.muster.backend.docker.DockerApi.Refusal;
import dev.muster.formats.files.Folders;
import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import dev.muster.spi.BackendException;
import dev.muster.spi.CodeStore;
import dev.muster.spi.JobFolders;
import dev.muster.spi.Launch;
import dev.muster.spi.Rendered;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Where dockerd does not see the service's files: everything goes through its own API, as tar archives. What is the attempt's lies in the
 * container itself, what is the job's (checkpoints, data) in volumes of the job. While a container runs its log and reports are
 * followed by {@link TailedFile}, the folders of its job by {@link FolderExchange}.
 */
final class CopiedFiles implements Delivery {
    static final String WORD = "copied";

    private final JobFolders folders;
    private final CodeStore code;
    private final DockerApi api;
    private final Records records;
    private final Map<ProcessKey, List<TailedFile>> tails = new ConcurrentHashMap<>();
    private final Map<JobId, FolderExchange> exchanges = new ConcurrentHashMap<>();

    CopiedFiles(JobFolders folders, CodeStore code, DockerApi api, Records records) {
        this.folders = folders;
        this.code = code;
        this.api = api;
        this.records = records;
    }

    @Override
    public String word() {
        return WORD;
    }

    @Override
    public void prepare(Launch launch, Rendered rendered, ArrayNode mounts)
            throws IOException, BackendException, Refusal {
        JobId job = launch.key().job();
        DataPaths.of(launch);
        Path attempt = folders.process(launch.key());
        Folders.delete(attempt);
        Files.createDirectories(attempt);
        Files.createDirectories(folders.checkpoints(job));
        Files.createDirectories(folders.control(job));
        Files.createDirectories(folders.log(launch.key()).getParent());
        volume(launch, "checkpoints", Places.CHECKPOINTS, mounts);
        if (!launch.spec().data().isEmpty()) {
            volume(launch, "data", Places.DATA, mounts);
        }
    }

    private void volume(Launch launch, String what, String target, ArrayNode mounts) throws BackendException, Refusal {
        JobId job = launch.key().job();
        ObjectNode wanted = DockerApi.object().put("Name", Names.volume(job, what));
        wanted.putObject("Labels").put(Names.JOB, job.value());
        api.post("/volumes/create", wanted);
        mounts.add(DockerApi.object()
                .put("Type", "volume")
                .put("Source", Names.volume(job, what))
                .put("Target", target)
                .put("ReadOnly", false));
    }

    @Override
    public void deliver(Launch launch, Rendered rendered, String container)
            throws IOException, BackendException, Refusal {
        Path work = folders.process(launch.key()).resolve("sent");
        Folders.delete(work);
        Files.createDirectories(work);
        if (launch.codeDigest().isPresent()) {
            code.copyTo(launch.codeDigest().get(), work);
        }
        FileTree.write(work, rendered.files());
        put(container, "/", tar -> {
            tar.folder("muster");
            tar.tree("muster/code", work);
            tar.folder("muster/model");
            tar.folder("muster/run");
            tar.file("muster/log", new byte[0]);
            tar.file("muster/reports.jsonl", new byte[0]);
            tar.folder("muster/checkpoints");
            tar.folder("muster/control");
            resume(tar, launch);
        });
        Folders.delete(work);
        put(
                container,
                Places.CONTROL,
                tar -> tree(tar, folders.control(launch.key().job())));
        deliverData(launch, container);
    }

    /** A checkpoint of another job: the entry, and for TensorFlow all that begin with its name. */
    private void resume(OpenArchive tar, Launch launch) throws IOException {
        Optional<ResumePoint> other = ResumePoint.of(folders, launch).filter(point -> !point.own());
        if (other.isPresent()) {
            Path named = other.get().outside();
            tar.folder("muster/resume");
            try (var entries = Files.newDirectoryStream(
                    named.getParent(),
                    path -> path.getFileName()
                            .toString()
                            .startsWith(named.getFileName().toString()))) {
                for (Path entry : entries) {
                    tar.tree("muster/resume/" + entry.getFileName(), entry);
                }
            }
        }
    }

    /** Once a job: the mark lies in the volume itself. */
    private void deliverData(Launch launch, String container) throws BackendException, Refusal {
        Map<String, Path> data = DataPaths.of(launch);
        String mark = Places.DATA + "/.whole";
        if (data.isEmpty() || api.head("/containers/" + container + "/archive?path=" + DockerApi.encode(mark))) {
            return;
        }
        put(container, Places.DATA, tar -> {
            for (Map.Entry<String, Path> each : data.entrySet()) {
                tar.tree(each.getKey(), each.getValue().toRealPath());
            }
            tar.file(".whole", new byte[0]);
        });
    }

    private static void tree(OpenArchive tar, Path folder) throws IOException {
        try (var entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                tar.tree(entry.getFileName().toString(), entry);
            }
        }
    }

    /** Fills an archive. */
    interface Filling {
        void into(OpenArchive tar) throws IOException;
    }

    private void put(String container, String folder, Filling filling) throws BackendException, Refusal {
        put(api, container, folder, filling);
    }

    static void put(DockerApi api, String container, String folder, Filling filling) throws BackendException, Refusal {
        api.put("/containers/" + container + "/archive?path=" + DockerApi.encode(folder), out -> {
            OpenArchive tar = new OpenArchive(out);
            filling.into(tar);
            tar.end();
        });
    }

    @Override
    public void offer(Found held, ProcessKey to) throws IOException, BackendException, Refusal {
        Path attempt = folders.process(to);
        Folders.delete(attempt);
        Files.createDirectories(attempt);
        exchange(to.job()).renewControl(held);
    }

    @Override
    public void withdraw(Found held, ProcessKey to) {}

    @Override
    public void taken(Found held, ProcessKey to) {}

    @Override
    public void follow(Found running) {
        tails.computeIfAbsent(
                running.key(),
                key -> List.of(
                        TailedFile.follow(api, running.id(), running.log(), folders.log(key)),
                        TailedFile.follow(api, running.id(), Places.REPORTS, folders.reports(key))));
        exchange(running.key().job()).serve(running);
    }

    private FolderExchange exchange(JobId job) {
        return exchanges.computeIfAbsent(
                job, made -> new FolderExchange(api, folders.checkpoints(made), folders.control(made)));
    }

    @Override
    public void drain(Found ended) throws IOException, BackendException, Refusal {
        forget(ended.key());
        TailedFile.rest(api, ended.id(), ended.log(), folders.log(ended.key()));
        TailedFile.rest(api, ended.id(), Places.REPORTS, folders.reports(ended.key()));
    }

    @Override
    public void collect(JobId job, List<Found> containers) throws IOException, BackendException, Refusal {
        for (Found container : containers) {
            if (container.isOver() && !records.isCollected(container.key())) {
                Path model = folders.model(container.key());
                Path half = model.resolveSibling(".model");
                Folders.delete(half);
                FolderExchange.fetch(api, container.id(), Places.MODEL, half);
                Folders.delete(model);
                Files.move(half, model);
                records.collected(container.key());
            }
        }
        if (!containers.isEmpty()) {
            exchange(job).fetchAll(containers.getFirst());
        }
    }

    @Override
    public void remove(JobId job) throws BackendException, Refusal {
        FolderExchange exchange = exchanges.remove(job);
        if (exchange != null) {
            exchange.close();
        }
        for (String what : List.of("checkpoints", "data")) {
            try {
                api.delete("/volumes/" + Names.volume(job, what));
            } catch (Refusal refusal) {
                if (!refusal.isMissing()) {
                    throw refusal;
                }
            }
        }
    }

    @Override
    public void forget(ProcessKey key) {
        List<TailedFile> theirs = tails.remove(key);
        if (theirs != null) {
            theirs.forEach(TailedFile::close);
        }
    }

    @Override
    public void close() {
        List.copyOf(tails.keySet()).forEach(this::forget);
        exchanges.values().forEach(FolderExchange::close);
    }
}
