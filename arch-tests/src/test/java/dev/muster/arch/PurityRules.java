package dev.muster.arch;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What computes only from its arguments: the same input gives the same plan and the same decision, today and in a replay. */
final class PurityRules {
    /** Pure packages, each with the module it belongs to. */
    private static final Map<String, String> PURE = Map.of(
            "dev.muster.model..", "model",
            "dev.muster.frameworks..", "frameworks",
            "dev.muster.control.decide..", "control",
            "dev.muster.control.schedule..", "control");

    private static final Set<String> EFFECTS_BY_PACKAGE = Set.of(
            "java.nio.channels",
            "java.net.http",
            "java.sql",
            "java.lang.foreign",
            "java.util.concurrent.locks",
            "org.slf4j");
    private static final Set<String> EFFECTS = Set.of(
            "java.io.File",
            "java.io.FileInputStream",
            "java.io.FileOutputStream",
            "java.io.FileReader",
            "java.io.FileWriter",
            "java.io.RandomAccessFile",
            "java.lang.Process",
            "java.lang.ProcessBuilder",
            "java.lang.ProcessHandle",
            "java.lang.Runtime",
            "java.lang.Thread",
            "java.net.InetAddress",
            "java.net.NetworkInterface",
            "java.net.ServerSocket",
            "java.net.Socket",
            "java.net.URL",
            "java.net.URLConnection",
            "java.nio.file.FileSystems",
            "java.nio.file.Files",
            "java.util.Timer",
            "java.util.concurrent.CompletableFuture",
            "java.util.concurrent.ExecutorService",
            "java.util.concurrent.Executors");

    private PurityRules() {}

    static List<Rule> all() {
        return PURE.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(pure -> pure(pure.getKey(), pure.getValue()))
                .toList();
    }

    private static Rule pure(String packages, String module) {
        String inside = packages.replace("..", "");
        return new Rule(
                packages + " does no input or output",
                noClasses()
                        .that()
                        .resideInAPackage(packages)
                        .should()
                        .dependOnClassesThat(describe("touch the world outside", PurityRules::touchesTheWorld))
                        .because("plans and decisions are values computed from values: only so do simulation and replay"
                                + " show what will happen")
                        .allowEmptyShould(House.isEmpty(module)),
                List.of(
                        Planted.in(inside, "Object a(java.nio.file.Path p) { return java.nio.file.Files.exists(p); }"),
                        Planted.in(inside, "Object a() { return Thread.currentThread(); }"),
                        Planted.in(
                                inside, "Object a() throws Exception { return java.net.InetAddress.getByName(\"\"); }"),
                        Planted.in(inside, "java.net.http.HttpClient a;")));
    }

    private static boolean touchesTheWorld(JavaClass type) {
        return EFFECTS.contains(type.getName())
                || EFFECTS_BY_PACKAGE.stream()
                        .anyMatch(prefix -> type.getPackageName().startsWith(prefix));
    }
}
