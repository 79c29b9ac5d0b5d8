package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Placement;
import dev.muster.spi.Backend.StopHow;
import dev.muster.spi.Sighting.Seen;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The part of {@link BackendTck} about ends: by itself with children left behind, asked for, by force. */
public abstract class StopTck extends NetworkTck {
    @Test
    void b24_theEndIsThatOfTheMainProcessAndLeftoversAreSwept() throws Exception {
        TrialJob job = job("sleep 600 & echo $! >pid; echo done; exit 0");
        start(job);
        assertThat(awaitEnd(job.key(0, 1)).code()).isZero();
        backend.sweep(job.key(0, 1));
        assertNothingRuns(job.id());
        assertThat(awaitEnd(job.key(0, 1)).code()).isZero();
    }

    @Test
    void a48_askedToEndAProcessMaySave() throws Exception {
        TrialJob job = job("trap 'echo saved; exit 7' TERM; echo ready; while :; do sleep 0.05; done");
        start(job);
        awaitLog(job.key(0, 1), "ready");
        backend.stop(job.key(0, 1), StopHow.ASK);
        assertThat(awaitEnd(job.key(0, 1)).code()).isEqualTo(7);
        assertThat(log(job.key(0, 1))).isEqualTo("ready\nsaved\n");
    }

    @Test
    void b48_aShellDoesNotSwallowTheRequestToEnd() throws Exception {
        String training = "trap 'sleep 0.3; echo saved; exit 0' TERM; echo ready; while :; do sleep 0.05; done";
        TrialJob job = job("sh -c \"$TRAINING\" & wait").withEnv(Map.of("TRAINING", training));
        start(job);
        awaitLog(job.key(0, 1), "ready");
        backend.stop(job.key(0, 1), StopHow.ASK);
        awaitEnd(job.key(0, 1));
        assertThat(log(job.key(0, 1))).isEqualTo("ready\nsaved\n");
    }

    @Test
    void b47_nothingOfATreeIsLeft() throws Exception {
        TrialJob job = job("sh -c 'trap \"\" TERM; (setsid sleep 600 &) ; sleep 600 & sleep 600' & echo ready; wait");
        start(job);
        awaitLog(job.key(0, 1), "ready");
        Await.until("the tree is there", soon(), () -> processesOf(job.id()).size() >= 4);
        backend.stop(job.key(0, 1), StopHow.KILL);
        awaitEnd(job.key(0, 1));
        assertNothingRuns(job.id());
        backend.stop(job.key(0, 1), StopHow.KILL);
        backend.stop(job.key(0, 1), StopHow.ASK);
        backend.sweep(job.key(0, 1));
    }

    @Test
    void anAskedEndBeforeTheProgramRunsIsNotLost() throws Exception {
        TrialJob job = job("sleep 600").withWorkers(3);
        Placement placement = place(job);
        for (int index = 0; index < job.workers(); index++) {
            backend.start(job.launch(index, 1, placement, "/"));
            backend.stop(job.key(index, 1), StopHow.KILL);
        }
        for (int index = 0; index < job.workers(); index++) {
            assertThat(awaitEnd(job.key(index, 1)).code()).isEqualTo(137);
        }
        assertNothingRuns(job.id());
    }

    @Test
    void b47_whatIgnoresTheRequestLivesUntilItIsKilled() throws Exception {
        TrialJob job = job("trap '' TERM; sh -c 'trap \"\" TERM; sleep 600' & while :; do echo tick; sleep 0.05; done");
        start(job);
        awaitLog(job.key(0, 1), "tick");
        backend.stop(job.key(0, 1), StopHow.ASK);
        int said = log(job.key(0, 1)).length();
        Await.until("it goes on", soon(), () -> log(job.key(0, 1)).length() > said + 10);
        assertThat(seen(job.key(0, 1))).get().isInstanceOf(Seen.Running.class);
        backend.stop(job.key(0, 1), StopHow.KILL);
        assertThat(awaitEnd(job.key(0, 1)).code()).isEqualTo(137);
        assertNothingRuns(job.id());
    }

    @Test
    void a48_aDataLoaderIsNotAskedInPlaceOfItsProgram() throws Exception {
        // Not print: a handler that prints while a print is under way is an error in Python.
        String program = "import os, signal, subprocess, sys, time\n"
                + "child = subprocess.Popen(['sleep', '600'])\n"
                + "def save(*_):\n"
                + "  time.sleep(0.3); print('child', child.poll(), flush=True); child.kill(); sys.exit(0)\n"
                + "signal.signal(signal.SIGTERM, save); os.write(1, b'ready\\n'); signal.pause(); time.sleep(600)";
        TrialJob job = job("").withArgv("python3", "-c", program);
        start(job);
        awaitLog(job.key(0, 1), "ready");
        backend.stop(job.key(0, 1), StopHow.ASK);
        assertThat(awaitEnd(job.key(0, 1)).code()).isZero();
        assertThat(log(job.key(0, 1))).isEqualTo("ready\nchild None\n");
    }

    @Test
    void a48_aShellWithATrapIsAskedAlone() throws Exception {
        TrialJob job = job("trap 'sleep 0.2; kill -TERM $child; wait $child; exit 5' TERM\n"
                + "python3 -c 'import signal, time, sys; n = [];"
                + " signal.signal(signal.SIGTERM, lambda *_: n.append(1)); print(\"ready\", flush=True)\n"
                + "while not n: time.sleep(0.01)\n"
                + "time.sleep(0.6); print(\"asked\", len(n), flush=True)' & child=$!; wait $child");
        start(job);
        awaitLog(job.key(0, 1), "ready");
        backend.stop(job.key(0, 1), StopHow.ASK);
        assertThat(awaitEnd(job.key(0, 1)).code()).isEqualTo(5);
        assertThat(log(job.key(0, 1))).isEqualTo("ready\nasked 1\n");
    }

    @Test
    void b47_aShellThatIsKilledDoesNotGoOnWithItsNextCommand() throws Exception {
        TrialJob job = job("echo ready; sleep 600; echo next").withWorkers(3);
        start(job);
        for (int index = 0; index < job.workers(); index++) {
            awaitLog(job.key(index, 1), "ready");
            backend.stop(job.key(index, 1), StopHow.KILL);
            awaitEnd(job.key(index, 1));
            assertThat(log(job.key(index, 1))).isEqualTo("ready\n");
        }
    }

    @Test
    void aProcessLeadsASessionOfItsOwnAndMayKillItsGroup() throws Exception {
        TrialJob job = job("echo $$ >pid; kill -KILL 0");
        start(job);
        assertThat(awaitEnd(job.key(0, 1)).code()).isEqualTo(137);
    }
}
