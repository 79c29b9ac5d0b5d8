package dev.muster.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.FieldProblem;
import dev.muster.api.ProblemDocument;
import dev.muster.api.ProblemType;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A backend that is not there is told with why, and with what makes it be there. */
class AbsentBackendsTest {
    private static final String TEXT = "{\"name\":\"a\",\"framework\":\"plain\",\"command\":[\"true\"],"
            + "\"backend\":\"kubernetes\",\"environment\":{\"image\":\"busybox\"}}";

    @TempDir
    private Path folder;

    private List<FieldProblem> problems(String kubeconfig) {
        Map<String, String> environment = Map.of("HOME", folder.toString(), "KUBECONFIG", kubeconfig);
        try (Served served = new Served(folder.resolve("home"), environment)) {
            HttpResponse<String> answer =
                    served.post("/v1/jobs", Served.jobRequest(TEXT).toString());
            AccessTest.assertProblem(answer, ProblemType.INVALID);
            return ProblemDocument.of(Served.json(answer)).problems();
        }
    }

    @Test
    void withoutAKubeconfigTheVariableAndTheFileAreNamed() {
        assertThat(problems("")).singleElement().satisfies(problem -> {
            assertThat(problem.message())
                    .isEqualTo(
                            "kubernetes is not available in this service: KUBECONFIG is not set and there is no file "
                                    + folder.resolve(".kube/config"));
            assertThat(problem.suggestion().orElseThrow()).contains("export KUBECONFIG=FILE", "muster local stop");
        });
    }

    @Test
    void aKubeconfigThatIsNotThereIsNamed() {
        assertThat(problems("/nowhere/kube.conf"))
                .singleElement()
                .satisfies(problem -> assertThat(problem.message())
                        .endsWith(": KUBECONFIG names /nowhere/kube.conf, and there is no such file"));
    }
}
