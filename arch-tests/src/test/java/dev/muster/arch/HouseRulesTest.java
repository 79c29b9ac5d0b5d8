package dev.muster.arch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Holds every rule against the house, and every rule against the violations planted for it. */
class HouseRulesTest {
    private static final Map<String, List<Rule>> GROUPS = new LinkedHashMap<>();

    static {
        GROUPS.put("modules", ModuleRules.all());
        GROUPS.put("libraries", LibraryRules.all());
        GROUPS.put("purity", PurityRules.all());
        GROUPS.put("calls", CallRules.all());
        GROUPS.put("style", StyleRules.all());
    }

    @TempDir
    private Path folder;

    @TestFactory
    Stream<DynamicContainer> theHouseKeepsEveryRule() {
        return everyRule(rule -> assertThat(rule.violations(House.CLASSES))
                .as("%s", rule.check().getDescription())
                .isEmpty());
    }

    @TestFactory
    Stream<DynamicContainer> everyRuleReportsWhatIsPlantedAgainstIt() throws IOException {
        List<Planted> all = GROUPS.values().stream()
                .flatMap(List::stream)
                .flatMap(rule -> rule.planted().stream())
                .toList();
        JavaClasses classes = Planted.compile(all, folder);
        return everyRule(rule -> {
            List<String> said = rule.violations(classes);
            assertThat(rule.planted())
                    .allSatisfy(planted -> assertThat(said)
                            .as("what the rule says about %s", planted)
                            .anyMatch(sentence -> Pattern.compile("\\b" + Pattern.quote(planted.type()) + "\\b")
                                    .matcher(sentence)
                                    .find()));
        });
    }

    @Test
    void rulesAndClassesAreThere() {
        assertThat(GROUPS)
                .allSatisfy((group, rules) -> assertThat(rules).as(group).isNotEmpty());
        assertThat(House.CLASSES).as("classes of the house on the class path").isNotEmpty();
    }

    private static Stream<DynamicContainer> everyRule(Consumer<Rule> test) {
        return GROUPS.entrySet().stream()
                .map(group -> dynamicContainer(
                        group.getKey(),
                        group.getValue().stream().map(rule -> dynamicTest(rule.name(), () -> test.accept(rule)))));
    }
}
