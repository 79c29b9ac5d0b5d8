package dev.muster.spec;

import static dev.muster.spec.Texts.LEAST;
import static dev.muster.spec.Texts.fields;
import static dev.muster.spec.Texts.job;
import static dev.muster.spec.Texts.problems;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.frameworks.Frameworks;
import dev.muster.model.Command;
import dev.muster.model.JobSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code --set path=value}. */
class SettingsTest {
    @Test
    void aSuggestedAmountOfMemoryIsTheOneThatWasMeant() {
        assertThat(suggested("1EiB")).isEmpty();
        assertThat(suggested("0")).isEmpty();
        assertThat(suggested("2gib")).contains("2GiB");
        assertThat(suggested("512")).contains("512MiB, or another unit");
    }

    private static java.util.Optional<String> suggested(String memory) {
        return Texts.problems(Texts.LEAST + "resources: {memory: " + memory + "}\n")
                .getFirst()
                .suggestion();
    }

    @Test
    void valuesAreYaml() {
        JobSpec spec = job(LEAST, "workers=3", "command=[a, 'b c']", "grace=5s", "suspended=true", "model={name: m}");
        assertThat(spec.role("worker").count()).isEqualTo(3);
        assertThat(spec.role("worker").command()).isEqualTo(new Command.Exec(List.of("a", "b c")));
        assertThat(spec.limits().grace()).isEqualTo(Duration.ofSeconds(5));
        assertThat(spec.suspended()).isTrue();
        assertThat(spec.model()).contains("m");
    }

    @Test
    void valuesOfVariablesAreTexts() {
        JobSpec spec = job(LEAST, "env.A={x: [", "env.B=", "env.C=a=b", "env.D= 0.10 ", "secrets.T.env=HF_TOKEN");
        assertThat(spec.role("worker").env()).isEqualTo(Map.of("A", "{x: [", "B", "", "C", "a=b", "D", " 0.10 "));
        assertThat(spec.secrets()).isEqualTo(Map.of("T", "HF_TOKEN"));
        assertThat(job(LEAST, "roles.worker.env.A=~").role("worker").env()).isEqualTo(Map.of("A", "~"));
    }

    @Test
    void aWholeSecretIsYaml() {
        assertThat(job(LEAST, "secrets.T={env: HF_TOKEN}").secrets()).isEqualTo(Map.of("T", "HF_TOKEN"));
    }

    @Test
    void mappingsAndItemsOnTheWayAreMade() {
        JobSpec spec = job(
                LEAST,
                "environment.python.requirements=r.txt",
                "restart.rules[0].exitCodes[0]=7",
                "restart.rules[0].exitCodes[1]=8",
                "restart.rules[0].exitCodes[0]=9");
        assertThat(spec.role("worker").environment().python().orElseThrow().requirements())
                .contains("r.txt");
        assertThat(spec.restart().rules().getFirst().exitCodes()).isEqualTo(Set.of(8, 9));
    }

    @Test
    void theLastOfTwoSettingsHolds() {
        assertThat(job(LEAST, "priority=1", "priority=2").priority()).isEqualTo(2);
    }

    @Test
    void anEmptyValueTakesAFieldBack() {
        assertThat(job(LEAST + "code: .", "code=").code()).isEmpty();
    }

    @Test
    void workersAndRolesAreRefusedTogetherWhicheverOfThemIsSet() {
        assertThat(fields(LEAST + "workers: 2", "roles.worker.count=3")).containsExactly("workers");
        assertThat(fields(LEAST + "workers: 2", "roles.worker.env.A=1")).containsExactly("workers");
        assertThat(fields(LEAST + "roles: {worker: {count: 2}}", "workers=3")).containsExactly("workers");
        assertThat(problems(LEAST, "workers=3", "roles={chief: {}}"))
                .singleElement()
                .asString()
                .contains("cannot stand beside roles");
        assertThat(job(LEAST + "workers: 2", "workers=", "roles.worker.count=3")
                        .role("worker")
                        .count())
                .isEqualTo(3);
    }

    @Test
    void whatIsStoredTakesEitherWord() {
        for (String text : List.of("workers: 2", "roles: {worker: {count: 2}}")) {
            String stored = new SpecWriter().write(job(LEAST + text));
            for (String set : List.of("workers=5", "roles.worker.count=5")) {
                Parsed changed = JobText.change(stored, List.of(set), Frameworks::of);
                assertThat(changed.problems()).isEmpty();
                assertThat(changed.spec().orElseThrow().role("worker").count()).isEqualTo(5);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"workers", "=3", "", "a..b=1", ".a=1", "a.=1", "a[x]=1", "a[0=1", "[0]=1", "a[99999]=1"})
    void whatIsNoPathIsToldAsTheOption(String set) {
        assertThat(problems(LEAST, set)).singleElement().satisfies(problem -> {
            String path = set.indexOf('=') > 0 ? set.substring(0, set.indexOf('=')) : set;
            assertThat(problem.field()).isEqualTo("--set " + path);
            assertThat(problem.message()).startsWith("must be path=value");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"name.first=a", "name[0]=a", "command.a=b", "command[3]=a", "command=[a", "command=a: b: c"})
    void aPathThatLeadsNowhereIsToldAsTheOption(String set) {
        assertThat(fields(LEAST, set)).containsExactly("--set " + set.substring(0, set.indexOf('=')));
    }

    @Test
    void anUnknownFieldIsToldAsInTheText() {
        assertThat(problems(LEAST, "restrat.max=3")).singleElement().satisfies(problem -> {
            assertThat(problem.field()).isEqualTo("restrat");
            assertThat(problem.suggestion()).contains("restart");
        });
    }

    @Test
    void everyBadSettingIsToldAtOnce() {
        assertThat(fields(LEAST, "x", "name[0]=a", "workers=0")).containsExactly("--set x", "--set name[0]", "workers");
    }
}
