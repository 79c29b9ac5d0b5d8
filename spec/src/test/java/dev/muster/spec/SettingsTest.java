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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code --set path=value}. */
class SettingsTest {
    @Test
    void aSuggestedAmountOfMemoryIsTheOneThatWasMeant() {
        assertThat(suggested("1EiB")).isEmpty();
        assertThat(suggested("0")).isEmpty();
        assertThat(suggested("2gib")).contains("2GiB");
        assertThat(suggested("512")).contains("512MiB, or another unit");
        assertThat(suggested("2147483648")).contains("2147483648B");
        assertThat(suggested("4gb")).contains("4GB or 4GiB");
        assertThat(suggested("4 GB")).contains("4GB or 4GiB");
        assertThat(suggested("1.5 gigabytes")).contains("1.5GB or 1.5GiB");
        assertThat(suggested("2 gibibytes")).contains("2GiB");
        assertThat(suggested("512m")).contains("512MB or 512MiB");
        assertThat(suggested("64kb")).contains("64kB or 64KiB");
        assertThat(suggested("many GB")).isEmpty();
    }

    /** What is proposed is right itself. */
    @ParameterizedTest
    @CsvSource({
        "10 min, 10m",
        "10min, 10m",
        "90, 90s",
        "1.5h, 1h30m",
        "1h 30m, 1h30m",
        "2 hours, 2h",
        "10M, 10m",
        "1 week, 7d",
        "90 seconds, 1m30s",
        "250 millis, 250ms",
        "soon,",
        "1 fortnight,",
        "10m ago,"
    })
    void aSuggestedDurationIsTheOneThatWasMeant(String text, String meant) {
        assertThat(Texts.problems(Texts.LEAST + "deadline: \"" + text + "\"\n")
                        .getFirst()
                        .suggestion()
                        .orElse(null))
                .isEqualTo(meant);
        if (meant != null) {
            Texts.job(Texts.LEAST + "deadline: " + meant + "\n");
        }
    }

    @ParameterizedTest
    @CsvSource({"workers, 2.0, 2", "priority, '1,000', 1000", "priority, high,", "workers, 0.5,"})
    void aSuggestedNumberIsTheOneThatWasMeant(String field, String text, String meant) {
        assertThat(Texts.problems(Texts.LEAST + field + ": \"" + text + "\"\n")
                        .getFirst()
                        .suggestion()
                        .orElse(null))
                .isEqualTo(meant);
    }

    @ParameterizedTest
    @CsvSource({"2 cores, 2", "1.5 CPUs, 1.5", "two,"})
    void aSuggestedNumberOfProcessorsIsTheOneThatWasMeant(String text, String meant) {
        assertThat(Texts.problems(Texts.LEAST + "resources: {cpus: \"" + text + "\"}\n")
                        .getFirst()
                        .suggestion()
                        .orElse(null))
                .isEqualTo(meant);
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
