package dev.muster.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.JobId;
import dev.muster.model.Join;
import dev.muster.model.Member;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HeadStartTest {
    private static final JobId JOB = new JobId("aaaaaaaaaa");
    private static final JobId OTHER_JOB = new JobId("bbbbbbbbbb");
    private static final Member FIRST = new Member("worker", 0);
    private static final Join LISTENS = new Join.Listens("master");
    private static final Join CONNECTED = new Join.Connected(FIRST, "master");

    private long now = Long.MAX_VALUE - 5;
    private final HeadStart headStart = new HeadStart(() -> now);

    private void pass(int millis) {
        now += Duration.ofMillis(millis).toNanos();
    }

    @Test
    void whoConnectsComesATenthOfASecondAfterWhomItConnectsTo() {
        headStart.started(JOB, FIRST, LISTENS);
        assertThat(headStart.left(JOB, CONNECTED)).isEqualTo(Duration.ofMillis(100));

        pass(60);
        assertThat(headStart.left(JOB, CONNECTED)).isEqualTo(Duration.ofMillis(40));

        pass(41);
        assertThat(headStart.left(JOB, CONNECTED)).isZero();
    }

    @Test
    void aNewAttemptHasItAgain() {
        headStart.started(JOB, FIRST, LISTENS);
        pass(5000);
        headStart.started(JOB, FIRST, LISTENS);

        assertThat(headStart.left(JOB, CONNECTED)).isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void othersWaitForNobody() {
        headStart.started(JOB, FIRST, LISTENS);

        assertThat(headStart.left(JOB, new Join.Started())).isZero();
        assertThat(headStart.left(JOB, LISTENS)).isZero();
        assertThat(headStart.left(JOB, new Join.Connected(new Member("worker", 1), "master")))
                .isZero();
        assertThat(headStart.left(OTHER_JOB, CONNECTED)).isZero();
    }

    @Test
    void whoSharesAMemberWithTheFirstDoesNotDelayTheNext() {
        headStart.started(JOB, FIRST, LISTENS);
        pass(99);
        headStart.started(JOB, FIRST, CONNECTED);

        assertThat(headStart.left(JOB, CONNECTED)).isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void nothingIsKeptOfAJobThatIsForgotten() {
        headStart.started(JOB, FIRST, LISTENS);
        headStart.forget(JOB);

        assertThat(headStart.left(JOB, CONNECTED)).isZero();
    }
}
