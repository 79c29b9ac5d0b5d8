package dev.muster.frameworks;

import dev.muster.model.Join;
import dev.muster.model.LaunchPlan;
import dev.muster.model.ProcessName;
import dev.muster.model.ProcessPlan;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/** A launch plan as JSON text, two blanks a level, so that a change of a plan can be read as a change of a file. */
final class GoldenPlan {
    private final StringBuilder json = new StringBuilder();
    private final Site site;

    private GoldenPlan(Site site) {
        this.site = site;
    }

    static String text(LaunchPlan plan, Site site) {
        GoldenPlan golden = new GoldenPlan(site);
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("worldSize", plan.worldSize());
        root.put("processes", plan.processes().stream().map(golden::process).toList());
        golden.write(root, "");
        return golden.json.append('\n').toString();
    }

    private Map<String, Object> process(ProcessPlan process) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", process.name().toString());
        map.put("rank", number(process.rank()));
        map.put("localRank", number(process.localRank()));
        map.put("chief", process.chief());
        map.put("argv", site.argv(process));
        map.put("env", site.env(process));
        map.put("files", files(process));
        map.put("ports", process.ports());
        map.put("join", join(process.join()));
        if (!process.after().isEmpty()) {
            map.put("after", process.after().stream().map(ProcessName::toString).toList());
        }
        if (process.essential()) {
            map.put("essential", true);
        }
        return map;
    }

    /** A file of many lines, such as a program of ours, stands for itself by its first one. */
    private Map<String, String> files(ProcessPlan process) {
        Map<String, String> files = new TreeMap<>();
        process.files()
                .forEach((path, template) -> site.text(template).ifPresent(text -> {
                    long lines = text.lines().count();
                    files.put(path, lines <= 8 ? text : text.lines().findFirst().orElse("") + " …");
                }));
        return files;
    }

    private static Object number(OptionalInt number) {
        return number.isPresent() ? (Object) number.getAsInt() : "none";
    }

    private static String join(Join join) {
        return switch (join) {
            case Join.Started() -> "started";
            case Join.Listens(String port) -> "listens on " + port;
            case Join.Connected(var member, String port) -> "connected to " + member + " " + port;
        };
    }

    private void write(Object value, String indent) {
        switch (value) {
            case Map<?, ?> map -> block(map.entrySet().iterator(), "{", "}", indent);
            case List<?> list -> block(list.iterator(), "[", "]", indent);
            case Map.Entry<?, ?> entry -> {
                write(entry.getKey(), indent);
                json.append(": ");
                write(entry.getValue(), indent);
            }
            case String text ->
                json.append('"')
                        .append(text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"))
                        .append('"');
            default -> json.append(value);
        }
    }

    private void block(Iterator<?> items, String open, String close, String indent) {
        json.append(open);
        boolean any = items.hasNext();
        while (items.hasNext()) {
            json.append("\n  ").append(indent);
            write(items.next(), indent + "  ");
            json.append(items.hasNext() ? "," : "");
        }
        json.append(any ? "\n" + indent : "").append(close);
    }
}
