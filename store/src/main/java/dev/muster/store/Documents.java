package dev.muster.store;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import dev.muster.model.JobId;
import dev.muster.model.Member;
import dev.muster.model.ModelVersion;
import dev.muster.model.Origin;
import dev.muster.model.Placement;
import dev.muster.model.ProcessName;
import dev.muster.model.Progress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The parts of a job that hold maps, as JSON documents and back. */
final class Documents {
    private Documents() {}

    static String write(Origin origin) {
        Json.Builder json = Json.object().put("owner", origin.owner()).put("project", origin.project());
        origin.host().ifPresent(host -> json.put("host", host));
        json.put("folder", origin.folder());
        origin.codeDigest().ifPresent(digest -> json.put("codeDigest", digest));
        origin.python().ifPresent(python -> json.put("python", python));
        return json.put("path", origin.path())
                .put("requirements", Json.ofTexts(new TreeMap<>(origin.requirements())))
                .build()
                .toString();
    }

    static Origin origin(String text) {
        JsonFields json = fields(text);
        return new Origin(
                json.text("owner"),
                json.optionalText("project").orElse(Origin.DEFAULT_PROJECT),
                json.optionalText("host"),
                json.text("folder"),
                json.optionalText("codeDigest"),
                json.optionalText("python"),
                json.text("path"),
                json.textMap("requirements"));
    }

    static String write(Placement placement) {
        return Json.object()
                .put("hosts", byName(placement.hosts(), Json::of))
                .put("ports", byName(placement.ports(), ports -> map(ports, name -> name, Json::of)))
                .put("gpus", byName(placement.gpus(), Json::of))
                .build()
                .toString();
    }

    static Placement placement(String text) {
        JsonFields json = fields(text);
        return new Placement(
                byMember(json.object("hosts"), JsonFields::text),
                byMember(json.object("ports"), (all, member) -> {
                    JsonFields ports = all.object(member);
                    Map<String, Integer> read = new LinkedHashMap<>();
                    ports.values().keySet().forEach(port -> read.put(port, ports.smallInteger(port)));
                    return read;
                }),
                byMember(json.object("gpus"), JsonFields::text));
    }

    static String write(ModelVersion model) {
        return Json.object()
                .put("name", model.name())
                .put("version", Json.of(model.version()))
                .put("digest", model.digest())
                .put("job", model.job().value())
                .put("createdAt", Json.of(model.createdAt()))
                .put("lineage", Json.ofTexts(model.lineage()))
                .build()
                .toString();
    }

    static ModelVersion model(String text) {
        JsonFields json = fields(text);
        return new ModelVersion(
                json.text("name"),
                json.smallInteger("version"),
                json.text("digest"),
                new JobId(json.text("job")),
                json.time("createdAt"),
                json.textMap("lineage"));
    }

    static String write(Progress progress) {
        Json.Builder json = Json.object();
        progress.step().ifPresent(step -> json.put("step", Json.of(step)));
        progress.total().ifPresent(total -> json.put("total", Json.of(total)));
        progress.epoch().ifPresent(epoch -> json.put("epoch", Json.of(epoch)));
        json.put("metrics", map(progress.metrics(), name -> name, Json::of));
        progress.etaSeconds().ifPresent(eta -> json.put("etaSeconds", Json.of(eta)));
        return json.build().toString();
    }

    static Progress progress(String text) {
        JsonFields json = fields(text);
        return new Progress(
                json.optionalInteger("step"),
                json.optionalInteger("total"),
                json.optionalNumber("epoch"),
                json.numberMap("metrics"),
                json.optionalNumber("etaSeconds"));
    }

    private static JsonFields fields(String text) {
        return (JsonFields) Json.parse(text);
    }

    private static <V> Json byName(Map<Member, V> map, Function<V, Json> value) {
        return map(map, Member::toString, value);
    }

    private static <K, V> Json map(Map<K, V> map, Function<K, String> key, Function<V, Json> value) {
        Json.Builder json = Json.object();
        map.forEach((each, its) -> json.put(key.apply(each), value.apply(its)));
        return json.build();
    }

    private static <V> Map<Member, V> byMember(JsonFields json, BiFunction<JsonFields, String, V> value) {
        Map<Member, V> read = new LinkedHashMap<>();
        json.values().keySet().forEach(name -> read.put(member(name), value.apply(json, name)));
        return read;
    }

    private static Member member(String text) {
        return ProcessName.parse(text)
                .orElseThrow(() -> new IllegalArgumentException("no member of a group: " + text))
                .member();
    }
}
