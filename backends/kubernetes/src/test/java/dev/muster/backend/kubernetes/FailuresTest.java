package dev.muster.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Cause;
import dev.muster.spi.BackendException;
import dev.muster.spi.BackendException.Kind;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.junit.jupiter.api.Test;

class FailuresTest {
    private static String said(int code, String message) {
        KubernetesClientException answer = new KubernetesClientException(
                message,
                code,
                new StatusBuilder().withCode(code).withMessage(message).build());
        return Failures.of("pod a could not be made", answer).getMessage();
    }

    @Test
    void whoseRightsAreMissingIsShownWhereTheyAre() {
        assertThat(
                        said(
                                403,
                                "pods is forbidden: User \"system:serviceaccount:default:muster\" cannot create resource \"pods\""))
                .endsWith("(deploy/kubernetes/rbac.yaml holds what Muster needs)");
    }

    @Test
    void whatIsNoMatterOfRightsNamesTheFieldThatAsksForIt() {
        String priority = "pods \"a\" is forbidden: no PriorityClass with name high was found";
        assertThat(said(403, priority))
                .isEqualTo("pod a could not be made: " + priority
                        + " (kubernetes.priorityClass of the job: correct it, or make one of that name)");
        assertThat(
                        said(
                                403,
                                "pods \"a\" is forbidden: error looking up service account default/trainer: serviceaccount \"trainer\" not found"))
                .endsWith("(kubernetes.serviceAccount of the job: correct it, or make one of that name)");
        assertThat(said(403, "pods \"a\" is forbidden: violates PodSecurity \"restricted\""))
                .endsWith("\"restricted\"");
        assertThat(said(403, "pods \"a\" is forbidden: exceeded quota: few")).endsWith("exceeded quota: few");
    }

    @Test
    void aNamespaceThatIsBeingDeletedIsToldAsThatAndNotAsAMatterOfRights() {
        assertThat(
                        said(
                                403,
                                "pods \"a\" is forbidden: unable to create new content in namespace training because it is being terminated"))
                .contains("somebody is deleting that namespace", "MUSTER_KUBERNETES_NAMESPACE");
        assertThat(
                        said(
                                403,
                                "secrets is forbidden: User \"muster\" cannot create resource \"secrets\" in API group \"\" in the namespace \"training\""))
                .endsWith(
                        "(deploy/kubernetes/rbac.yaml holds what Muster needs; where that was applied somebody may be deleting the"
                                + " namespace: kubectl get namespace training)");
    }

    @Test
    void whereANamespaceIsMissingItsSettingIsNamed() {
        assertThat(said(404, "namespaces \"training\" not found")).contains("MUSTER_KUBERNETES_NAMESPACE");
        assertThat(said(404, "pods \"a\" not found")).doesNotContain("NAMESPACE");
    }

    @Test
    void whatWaitsInAPodThatIsNotReachedIsToldWithTheReasonAndOtherTroubleIsNot() {
        BackendException away = new BackendException(
                Kind.NO_CONTACT, Cause.INTERNAL, "the API server does not reach the containers of node n1");
        assertThat(Failures.unfetched(away)).hasValueSatisfying(told -> {
            assertThat(told.kind()).isEqualTo(Kind.NO_CONTACT);
            assertThat(told)
                    .hasMessage("the program is over, and what it left is not fetched yet: " + away.getMessage());
        });
        assertThat(Failures.unfetched(new BackendException(Kind.FAILED, Cause.INTERNAL, "no tar")))
                .isEmpty();
    }

    @Test
    void ofAPodThatIsNotReachedAUserIsToldWhatThatMeansForTheProgram() {
        BackendException away = new BackendException(Kind.NO_CONTACT, Cause.INTERNAL, "node n1 is not reached");
        assertThat(Failures.around(false, away))
                .contains("what it says and saves is not fetched at the moment: node n1 is not reached");
        assertThat(Failures.around(true, away))
                .contains("the program is over, and what it left is not fetched yet: node n1 is not reached");
        assertThat(Failures.around(true, new BackendException(Kind.FAILED, Cause.LAUNCH_FAILED, "its own fault")))
                .isEmpty();
    }
}
