package dev.muster.arch;

import static java.util.stream.Collectors.toCollection;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The modules of Muster: which may know which, and their compiled classes. A new module is one line here. */
final class House {
    /** Modules by the name of their package under {@code dev.muster}, each with the modules it may know. */
    static final TreeMap<String, Set<String>> MODULES = new TreeMap<>();

    static {
        MODULES.put("formats", Set.of());
        MODULES.put("model", Set.of());
        MODULES.put("api", Set.of("formats"));
        MODULES.put("spi", Set.of("formats", "model"));
        MODULES.put("spec", Set.of("model", "spi"));
        MODULES.put("frameworks", Set.of("model", "spi"));
        MODULES.put("backend.local", Set.of("formats", "model", "spi"));
        MODULES.put("backend.docker", Set.of("formats", "model", "spi"));
        MODULES.put("backend.kubernetes", Set.of("formats", "model", "spi"));
        MODULES.put("store", Set.of("formats", "model", "spi"));
        MODULES.put("artifacts", Set.of("formats", "model", "spi"));
        MODULES.put("telemetry", Set.of("model", "spi"));
        MODULES.put("control", Set.of("formats", "model", "spi"));
        MODULES.put("testkit", Set.of("model", "spi"));
        MODULES.put("cli", Set.of("api", "formats"));
        Set<String> notForTheServer = Set.of("cli", "testkit");
        MODULES.put(
                "server",
                MODULES.keySet().stream()
                        .filter(module -> !notForTheServer.contains(module))
                        .collect(toCollection(TreeSet::new)));
    }

    /** Every class of every module, without tests and these rules. */
    static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("/arch-tests/"))
            .importPackages("dev.muster");

    private House() {}

    /** Package pattern of a module, the packages below it included. */
    static String packages(String module) {
        return "dev.muster." + module + "..";
    }

    /** Package patterns of the modules. */
    static String[] packages(Set<String> modules) {
        return modules.stream().map(House::packages).toArray(String[]::new);
    }

    /** Whether a module has no code yet, so that a rule about it has nothing to look at. */
    static boolean isEmpty(String module) {
        DescribedPredicate<JavaClass> inside = JavaClass.Predicates.resideInAPackage(packages(module));
        return CLASSES.stream()
                .noneMatch(type -> inside.test(type) && !type.getSimpleName().equals("package-info"));
    }
}
