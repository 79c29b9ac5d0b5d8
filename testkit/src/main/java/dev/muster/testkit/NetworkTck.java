package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Join;
import dev.muster.model.Member;
import dev.muster.model.Placement;
import dev.muster.model.ProcessKey;
import dev.muster.spi.BackendException;
import dev.muster.spi.Sighting.Seen;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The part of {@link BackendTck} about addresses: where members are, that they reach each other, and how it is seen that they have. */
public abstract class NetworkTck extends ContactTck {
    protected static final Member FIRST = new Member("worker", 0);

    /** Listens once it may. */
    protected static final String LISTEN = "import os, socket, time\n"
            + "while not os.path.exists(os.environ['MUSTER_CONTROL_DIR'] + '/stop'): time.sleep(0.02)\n"
            + "s = socket.create_server(('', int(os.environ['PORT_a'])))\n"
            + "print('listens', flush=True); time.sleep(600)";

    protected static final String CONNECT = "import os, socket, time; c = None\n"
            + "while not c:\n"
            + "  try: c = socket.create_connection((os.environ['FIRST_HOST'], int(os.environ['FIRST_a'])))\n"
            + "  except OSError: time.sleep(0.05)\n"
            + "time.sleep(600)";

    /** The first tells who asks its job and what it is called itself; the second asks at the address it was given. */
    private static final String MEET = "import os, socket, time\n"
            + "if os.environ['MUSTER_INDEX'] == '0':\n"
            + "  s = socket.create_server(('', int(os.environ['PORT_a']))); c, _ = s.accept()\n"
            + "  c.sendall(os.environ['MUSTER_JOB_ID'].encode()); c.close()\n"
            + "else:\n"
            + "  host, port = os.environ['FIRST_ADDRESS'].rsplit(':', 1); c = None\n"
            + "  while not c:\n"
            + "    try: c = socket.create_connection((host.strip('[]'), int(port)))\n"
            + "    except OSError: time.sleep(0.05)\n"
            + "  print(c.recv(100).decode())";

    @Test
    void a20_everyMemberHasItsOwnAddress() throws Exception {
        TrialJob job = job("exit 0").withWorkers(3).withPorts("a", "b");
        Placement placement = place(job);
        List<String> addresses = new ArrayList<>();
        placement
                .ports()
                .forEach((member, ports) -> ports.values()
                        .forEach(port -> addresses.add(placement.hosts().get(member) + " " + port)));
        assertThat(addresses).hasSize(6).doesNotHaveDuplicates();
    }

    @Test
    void theSameAttemptIsPlacedTheSameAlsoByANewService() throws Exception {
        TrialJob job = job("exit 0").withWorkers(2).withPorts("a");
        Placement first = place(job);
        assertThat(backend.place(job.id(), 1, job.spec(), job.plan())).isEqualTo(first);
        assertThat(restarted().place(job.id(), 1, job.spec(), job.plan())).isEqualTo(first);
        backend.release(job.id());
        backend.release(job.id());
    }

    @Test
    void a21_twoJobsAtOnceDoNotClash() throws Exception {
        TrialJob one = job("").withWorkers(2).withArgv("python3", "-c", MEET).withPorts("a");
        TrialJob two = job("").withWorkers(2).withArgv("python3", "-c", MEET).withPorts("a");
        start(one);
        start(two);
        for (TrialJob job : List.of(one, two)) {
            assertThat(awaitEnd(job.key(0, 1)).code()).isZero();
            assertThat(awaitEnd(job.key(1, 1)).code()).isZero();
            assertThat(log(job.key(1, 1))).isEqualTo(job.id() + "\n");
        }
    }

    /** B05 and B06: the one name by which all call a member is one that it can be reached by, by itself too, and after a restart. */
    @Test
    void b05_b06_aMemberIsReachedByTheNameItIsCalled() throws Exception {
        String script = "import os, socket\n"
                + "s = socket.create_server(('', int(os.environ['PORT_a'])))\n"
                + "c = socket.create_connection((os.environ['FIRST_HOST'], int(os.environ['FIRST_a'])))\n"
                + "print(s.accept()[1][0] == c.getsockname()[0], socket.gethostbyname(socket.gethostname()) != '')";
        TrialJob job = job("").withArgv("python3", "-c", script).withPorts("a");
        Placement placement = start(job);
        assertThat(awaitEnd(job.key(0, 1)).code()).isZero();
        startAgain(job, placement);
        assertThat(awaitEnd(job.key(0, 2)).code()).isZero();
        assertThat(log(job.key(0, 1))).isEqualTo("True True\n");
        assertThat(log(job.key(0, 2))).isEqualTo("True True\n");
    }

    @Test
    void aSampleHasTheFormOfAPlacement() throws Exception {
        TrialJob job = job("exit 0").withWorkers(2).withPorts("a", "b");
        Placement sample = backend.sample(job.spec(), job.plan());
        Placement real = place(job);
        assertThat(sample.hosts().keySet()).isEqualTo(real.hosts().keySet());
        assertThat(sample.ports().keySet()).isEqualTo(real.ports().keySet());
        assertThat(backend.render(job.launch(1, 1, sample, "/")).env().keySet())
                .isEqualTo(backend.render(job.launch(1, 1, real, "/")).env().keySet());
    }

    @Test
    void a24_aProcessHasJoinedOnceItsOwnPortListens() throws Exception {
        TrialJob job = job("").withArgv("python3", "-c", LISTEN).withPorts("a").withJoin(new Join.Listens("a"));
        AtomicBoolean toldOfJoined = new AtomicBoolean();
        backend.listen(changed -> {
            if (isJoined(job.key(0, 1))) {
                toldOfJoined.set(true);
            }
        });
        start(job);
        assertThat(awaitRunning(job.key(0, 1)).joined()).isFalse();
        letGo(job);
        awaitJoined(job.key(0, 1));
        Await.until("it is told", soon(), toldOfJoined::get);
        restarted();
        awaitJoined(job.key(0, 1));
    }

    private boolean isJoined(ProcessKey key) {
        try {
            return seen(key)
                    .filter(state -> state instanceof Seen.Running running && running.joined())
                    .isPresent();
        } catch (BackendException unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    private void awaitJoined(ProcessKey key) {
        Await.until(key + " has joined", soon(), () -> awaitRunning(key).joined());
    }

    @Test
    void a24_aPeerHasJoinedOnceItIsConnectedToTheCoordinator() throws Exception {
        TrialJob job = job("").withWorkers(2)
                .withArgv("python3", "-c", CONNECT)
                .withPorts("a")
                .withJoin(new Join.Connected(FIRST, "a"));
        TrialJob first = job.withArgv("python3", "-c", LISTEN).withJoin(new Join.Listens("a"));
        Placement placement = place(job);
        backend.start(job.launch(1, 1, placement, "/"));
        awaitRunning(job.key(1, 1));
        backend.start(first.launch(0, 1, placement, "/"));
        assertThat(awaitRunning(job.key(1, 1)).joined()).isFalse();
        letGo(job);
        awaitJoined(job.key(0, 1));
        awaitJoined(job.key(1, 1));
    }
}
