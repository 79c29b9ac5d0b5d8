package dev.muster.arch;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Which module may know which. */
final class ModuleRules {
    private ModuleRules() {}

    static List<Rule> all() {
        List<Rule> rules = new ArrayList<>();
        House.MODULES.forEach((module, mayKnow) -> rules.add(knowsOnly(module, mayKnow)));
        rules.add(everyClassHasAHome());
        rules.add(frameworksDoNotKnowEachOther());
        return rules;
    }

    private static Rule knowsOnly(String module, Set<String> mayKnow) {
        Set<String> others = new TreeSet<>(House.MODULES.keySet());
        others.removeAll(mayKnow);
        others.remove(module);
        return new Rule(
                module + " knows " + (mayKnow.isEmpty() ? "no other module" : "only " + new TreeSet<>(mayKnow)),
                noClasses()
                        .that()
                        .resideInAPackage(House.packages(module))
                        .should()
                        .dependOnClassesThat(resideInAnyPackage(House.packages(others)))
                        .because("a leaf that knows only model and ports can be changed, tested and replaced alone;"
                                + " the server alone wires")
                        .allowEmptyShould(House.isEmpty(module)),
                others.stream()
                        .map(other -> Planted.between("dev.muster." + module, "dev.muster." + other))
                        .toList());
    }

    private static Rule everyClassHasAHome() {
        return new Rule(
                "every class lies in the package of a module",
                classes()
                        .should()
                        .resideInAnyPackage(House.packages(House.MODULES.keySet()))
                        .because(
                                "a class outside the packages named in House.MODULES escapes every rule about modules"),
                List.of(Planted.in("dev.muster.nowhere", "")));
    }

    private static Rule frameworksDoNotKnowEachOther() {
        return new Rule(
                "frameworks do not know each other",
                slices().matching("dev.muster.frameworks.(*)..")
                        .should()
                        .notDependOnEachOther()
                        .because("each framework's contract is read and changed alone; what two share lies in"
                                + " dev.muster.frameworks itself")
                        .allowEmptyShould(true),
                List.of(Planted.between("dev.muster.frameworks.one", "dev.muster.frameworks.two")));
    }
}
