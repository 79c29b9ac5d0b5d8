package dev.muster.store;

import dev.muster.model.JobId;
import dev.muster.model.Member;
import dev.muster.model.ModelVersion;
import dev.muster.model.Origin;
import dev.muster.model.Placement;
import dev.muster.model.ProcessName;
import dev.muster.model.Progress;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;

/** The parts of a job that hold maps, as JSON documents and back. */
final class Documents {
    private Documents() {}

    static String write(Origin origin) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("owner", origin.owner());
        json.put("project", origin.project());
        origin.host().ifPresent(host -> json.put("host", host));
        json.put("folder", origin.folder());
        origin.codeDigest().ifPresent(digest -> json.put("codeDigest", digest));
        origin.python().ifPresent(python -> json.put("python", python));
        json.put("path", origin.path());
        json.put("requirements", new TreeMap<>(origin.requirements()));
        return Json.write(json);
    }

    static Origin origin(String text) {
        Map<String, Object> json = Json.read(text);
        return new Origin(
                text(json, "owner"),
                maybe(json, "project").orElse(Origin.DEFAULT_PROJECT),
                maybe(json, "host"),
                text(json, "folder"),
                maybe(json, "codeDigest"),
                maybe(json, "python"),
                text(json, "path"),
                map(json.get("requirements"), name -> name, String.class::cast));
    }

    static String write(Placement placement) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("hosts", byName(placement.hosts()));
        json.put("ports", byName(placement.ports()));
        json.put("gpus", byName(placement.gpus()));
        return Json.write(json);
    }

    static Placement placement(String text) {
        Map<String, Object> json = Json.read(text);
        return new Placement(
                map(json.get("hosts"), Documents::member, String.class::cast),
                map(
                        json.get("ports"),
                        Documents::member,
                        ports -> map(ports, name -> name, port -> Math.toIntExact(number(port)))),
                map(json.get("gpus"), Documents::member, String.class::cast));
    }

    static String write(ModelVersion model) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", model.name());
        json.put("version", model.version());
        json.put("digest", model.digest());
        json.put("job", model.job().value());
        json.put("createdAt", model.createdAt().toString());
        json.put("lineage", model.lineage());
        return Json.write(json);
    }

    static ModelVersion model(String text) {
        Map<String, Object> json = Json.read(text);
        return new ModelVersion(
                text(json, "name"),
                Math.toIntExact(number(json.get("version"))),
                text(json, "digest"),
                new JobId(text(json, "job")),
                Instant.parse(text(json, "createdAt")),
                map(json.get("lineage"), name -> name, String.class::cast));
    }

    static String write(Progress progress) {
        Map<String, Object> json = new LinkedHashMap<>();
        progress.step().ifPresent(step -> json.put("step", step));
        progress.total().ifPresent(total -> json.put("total", total));
        progress.epoch().ifPresent(epoch -> json.put("epoch", epoch));
        json.put("metrics", progress.metrics());
        progress.etaSeconds().ifPresent(eta -> json.put("etaSeconds", eta));
        return Json.write(json);
    }

    static Progress progress(String text) {
        Map<String, Object> json = Json.read(text);
        return new Progress(
                maybeNumber(json.get("step")),
                maybeNumber(json.get("total")),
                maybeReal(json.get("epoch")),
                map(json.get("metrics"), name -> name, Documents::real),
                maybeReal(json.get("etaSeconds")));
    }

    private static Map<String, Object> byName(Map<Member, ?> map) {
        Map<String, Object> byName = new LinkedHashMap<>();
        map.forEach((member, value) -> byName.put(member.toString(), value));
        return byName;
    }

    private static Member member(String text) {
        return ProcessName.parse(text)
                .orElseThrow(() -> new IllegalArgumentException("no member of a group: " + text))
                .member();
    }

    private static <K, V> Map<K, V> map(Object json, Function<String, K> key, Function<Object, V> value) {
        if (!(json instanceof Map<?, ?> map)) {
            throw new IllegalArgumentException("an object is missing");
        }
        Map<K, V> read = new LinkedHashMap<>();
        map.forEach((name, each) -> read.put(key.apply((String) name), value.apply(each)));
        return read;
    }

    private static String text(Map<String, Object> json, String field) {
        return maybe(json, field).orElseThrow(() -> new IllegalArgumentException(field + " is missing"));
    }

    private static Optional<String> maybe(Map<String, Object> json, String field) {
        return Optional.ofNullable((String) json.get(field));
    }

    private static long number(Object value) {
        if (value instanceof Long number) {
            return number;
        }
        throw new IllegalArgumentException("a whole number is missing");
    }

    private static OptionalLong maybeNumber(Object value) {
        return value == null ? OptionalLong.empty() : OptionalLong.of(number(value));
    }

    private static double real(Object value) {
        return value instanceof Number number ? number.doubleValue() : Double.parseDouble((String) value);
    }

    private static OptionalDouble maybeReal(Object value) {
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(real(value));
    }
}
