package dev.muster.frameworks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.FrameworkKind;
import dev.muster.model.Group;
import dev.muster.model.JobSpec;
import dev.muster.model.RestartScope;
import dev.muster.model.SuccessPolicy;
import dev.muster.spi.Framework;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FrameworksTest {
    @Test
    void everyKindHasItsFramework() {
        assertThat(Frameworks.all()).extracting(Framework::kind).containsExactly(FrameworkKind.values());
    }

    @Test
    void rankedRolesAreRoles() {
        assertThat(Frameworks.all())
                .allSatisfy(framework -> assertThat(framework.roles()).containsAll(framework.rankedRoles()));
    }

    @ParameterizedTest
    @EnumSource(names = {"JVM"})
    void whatCannotBeLaunchedYetIsRefusedByName(FrameworkKind kind) {
        JobSpec spec = Jobs.of(kind).role("worker", 2).spec();
        assertThat(Frameworks.of(kind).check(spec)).singleElement().satisfies(problem -> {
            assertThat(problem.field()).isEqualTo("framework");
            assertThat(problem.message()).isEqualTo("framework " + kind.text() + " is not yet on this backend (local)");
        });
        assertThatThrownBy(() -> Frameworks.of(kind).plan(spec, Group.of(spec)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @EnumSource(names = {"PYTORCH", "HOROVOD", "JAX", "XGBOOST", "PLAIN"})
    void collectivesSucceedAndRestartTogether(FrameworkKind kind) {
        JobSpec spec = Jobs.of(kind).role("worker", 2).spec();
        assertThat(Frameworks.of(kind).success(spec)).isEqualTo(new SuccessPolicy.All());
        assertThat(Frameworks.of(kind).restartScope(spec)).isEqualTo(RestartScope.GROUP);
        assertThat(Frameworks.of(kind).check(spec)).isEmpty();
    }

    @Test
    void theUsersPathAndBufferingStayTheUsers() {
        var plan = Jobs.of(FrameworkKind.PLAIN)
                .role("worker", 1)
                .env("PATH", "/opt/bin")
                .env("PYTHONUNBUFFERED", "")
                .plan();
        assertThat(Site.FRESH.env(plan.processes().getFirst()))
                .containsEntry("PATH", "/opt/bin")
                .containsEntry("PYTHONUNBUFFERED", "");
    }
}
