package dev.muster.arch;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;

/** How classes are named and made. */
final class StyleRules {
    private static final int MOST_PARAMETERS = 7;

    private StyleRules() {}

    static List<Rule> all() {
        return List.of(
                new Rule(
                        "names say what a thing is",
                        noClasses()
                                .should()
                                .haveNameMatching(".*(Manager|Helper|Utils?|Utilities)")
                                .because("a Manager or Helper takes in anything; the field has a word for the thing"),
                        List.of(
                                Planted.named("dev.muster.server.JobManager", ""),
                                Planted.named("dev.muster.server.TextHelper", ""),
                                Planted.named("dev.muster.server.FileUtils", ""),
                                Planted.named("dev.muster.server.FileUtil", ""))),
                new Rule(
                        "a constructor takes at most " + MOST_PARAMETERS + " parameters",
                        classes().should(haveShortConstructors()).because("more belong together in a record"),
                        List.of(Planted.named(
                                "dev.muster.server.Greedy",
                                "Greedy(int a, int b, int c, int d, int e, int f, int g, int h) {}"))));
    }

    private static ArchCondition<JavaClass> haveShortConstructors() {
        return new ArchCondition<>("have constructors of at most " + MOST_PARAMETERS + " parameters") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                if (type.isRecord() || type.isEnum() || type.isAnonymousClass() || type.isLocalClass()) {
                    return;
                }
                for (JavaConstructor constructor : type.getConstructors()) {
                    int count = constructor.getRawParameterTypes().size();
                    String found = constructor.getFullName() + " takes " + count + " parameters";
                    events.add(new SimpleConditionEvent(constructor, count <= MOST_PARAMETERS, found));
                }
            }
        };
    }
}
