package dev.muster.arch;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Which module may use which library. A library that no row names may be used nowhere. */
final class LibraryRules {
    private record Library(String packages, Set<String> homes, String reason) {}

    private static final Set<String> WITH_JSON = Set.of(
            "spec",
            "store",
            "artifacts",
            "telemetry",
            "control",
            "server",
            "backend.local",
            "backend.docker",
            "backend.kubernetes");
    private static final Set<String> WITH_LOG =
            Set.of("store", "artifacts", "telemetry", "control", "server", "backend.local");

    private static final List<Library> LIBRARIES = List.of(
            new Library("io.helidon", Set.of("server"), "only the server speaks HTTP to users"),
            new Library("tools.jackson", WITH_JSON, "the ports and the command line must not cost a JSON binder"),
            new Library("com.fasterxml.jackson.annotation", WITH_JSON, "it belongs to Jackson 3"),
            new Library("io.fabric8", Set.of("backend.kubernetes"), "the cluster is a detail of its backend"),
            new Library("org.snakeyaml", Set.of("spec"), "only spec reads job text"),
            new Library("org.jdbi", Set.of("store"), "SQL lies in one place"),
            new Library("org.flywaydb", Set.of("store"), "migrations belong to the store"),
            new Library("org.sqlite", Set.of("store"), "a database is a detail of the store"),
            new Library("org.postgresql", Set.of("store"), "a database is a detail of the store"),
            new Library("com.zaxxer", Set.of("store"), "connections belong to the store"),
            new Library("java.sql", Set.of("store"), "SQL lies in one place"),
            new Library("org.slf4j", WITH_LOG, "values, ports and pure code have nothing to log"),
            new Library("ch.qos.logback", Set.of("server"), "the process decides where its log goes"),
            new Library("io.micrometer", Set.of("server", "telemetry"), "metrics are measured where they are shown"),
            new Library(
                    "java.net.http",
                    Set.of("server", "artifacts", "backend.local", "backend.kubernetes", "telemetry"),
                    "the JDK's HTTP client costs the command line 0.2 CPU seconds at every start"),
            new Library("org.tukaani", Set.of("testkit"), "tests only: unpacks the PostgreSQL they start"),
            new Library("org.junit", Set.of("testkit"), "tests only"),
            new Library("org.assertj", Set.of("testkit"), "tests only"),
            new Library("net.jqwik", Set.of("testkit"), "tests only"),
            new Library("org.opentest4j", Set.of("testkit"), "tests only"));

    private LibraryRules() {}

    static List<Rule> all() {
        List<Rule> rules = new ArrayList<>();
        LIBRARIES.forEach(library -> rules.add(staysHome(library)));
        rules.add(noneBesides());
        return rules;
    }

    private static Rule staysHome(Library library) {
        List<Planted> planted = House.MODULES.keySet().stream()
                .filter(module -> !library.homes().contains(module))
                .map(module -> violation("dev.muster." + module, library.packages()))
                .toList();
        return new Rule(
                library.packages() + " stays in " + library.homes(),
                noClasses()
                        .that(not(resideInAnyPackage(House.packages(library.homes()))))
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage(library.packages() + "..")
                        .because(library.reason())
                        .allowEmptyShould(true),
                planted);
    }

    private static Planted violation(String inPackage, String packages) {
        return switch (packages) {
            case "java.sql" -> Planted.in(inPackage, "java.sql.Connection used;");
            case "java.net.http" -> Planted.in(inPackage, "java.net.http.HttpClient used;");
            default -> Planted.between(inPackage, packages);
        };
    }

    private static Rule noneBesides() {
        String[] known = Stream.concat(
                        Stream.of("java..", "javax..", "jdk..", "dev.muster.."),
                        LIBRARIES.stream().map(library -> library.packages() + ".."))
                .toArray(String[]::new);
        DescribedPredicate<JavaClass> foreign = describe(
                "are of a library that LibraryRules does not name",
                type -> !type.getBaseComponentType().isPrimitive()
                        && !resideInAnyPackage(known).test(type.getBaseComponentType()));
        return new Rule(
                "no other library is used",
                noClasses()
                        .should()
                        .dependOnClassesThat(foreign)
                        .because("every library has a home, so that its types do not spread: give it a row"),
                List.of(Planted.between("dev.muster.server", "org.unheardof")));
    }
}
