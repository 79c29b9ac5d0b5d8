package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Join;
import dev.muster.model.LaunchPlan;
import dev.muster.model.Member;
import dev.muster.model.Placement;
import dev.muster.model.ProcessKey;
import dev.muster.spi.Backend.StopHow;
import dev.muster.spi.BackendException;
import dev.muster.spi.Sighting.Seen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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

    /** Tells whoever asks which attempt of which member it is; asks every member whose address is put into a file {@code ask-} and tells the answer. */
    private static final String ASK = """
            import glob, os, socket, threading, time
            s = socket.create_server(('', int(os.environ['PORT_a'])))
            me = 'worker-' + os.environ['MUSTER_INDEX'] + ' attempt ' + os.environ['MUSTER_ATTEMPT']
            def answer():
              while True:
                c, _ = s.accept(); c.sendall(me.encode()); c.close()
            threading.Thread(target=answer, daemon=True).start()
            asked = set()
            while True:
              for file in set(glob.glob(os.environ['MUSTER_CONTROL_DIR'] + '/ask-?-?')) - asked:
                host, port = open(file).read().split()
                try: print(os.path.basename(file), socket.create_connection((host, int(port)), 1).recv(100).decode(), flush=True)
                except OSError: continue
                asked.add(file)
              time.sleep(0.05)
            """;

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

    /** An elastic group grows and shrinks: for those who stay nothing changes, and they reach each newcomer where its place says. */
    @Test
    void a45_membersComeAndGoWhileTheOthersKeepTheirPlaces() throws Exception {
        TrialJob two = job("").withWorkers(2)
                .withElastic(1, 3)
                .withArgv("python3", "-c", ASK)
                .withPorts("a");
        TrialJob three = two.withWorkers(3);
        Placement ofTwo = start(two);
        Seen.Running first = awaitRunning(two.key(0, 1));
        Placement ofThree = placeAgain(three, three.plan());
        assertThat(ofTwo.isPartOf(ofThree)).isTrue();
        assertThat(ofThree.hosts()).hasSize(3);
        assertThat(restarted().place(three.id(), 1, three.spec(), three.plan())).isEqualTo(ofThree);
        backend.start(three.launch(2, 1, ofThree, "/"));
        awaitAnswer(two, ofThree, 2, 1);

        end(three.key(2, 1));
        assertThat(placeAgain(two, two.plan())).isEqualTo(ofTwo);
        Placement again = placeAgain(three, three.plan());
        assertThat(ofTwo.isPartOf(again)).isTrue();
        backend.start(three.launch(2, 2, again, "/"));
        awaitAnswer(two, again, 2, 2);

        end(two.key(1, 1));
        backend.start(three.launch(1, 2, again, "/"));
        awaitAnswer(two, again, 1, 2);
        assertThat(placeAgain(three, three.plan().of(name -> name.index() != 1)))
                .isEqualTo(again.without(new Member("worker", 1)));
        assertThat(awaitRunning(two.key(0, 1)).startedAt()).isEqualTo(first.startedAt());
        assertThat(awaitRunning(two.key(0, 1)).pid()).isEqualTo(first.pid());
    }

    private Placement placeAgain(TrialJob job, LaunchPlan members) throws BackendException {
        return backend.place(job.id(), 1, job.spec(), members);
    }

    private void end(ProcessKey key) throws BackendException {
        backend.stop(key, StopHow.KILL);
        awaitEnd(key);
        backend.sweep(key);
    }

    /** The first worker, which runs since before that attempt, reaches it where its place says. */
    private void awaitAnswer(TrialJob job, Placement placement, int index, int attempt) throws IOException {
        Member asked = job.key(index, attempt).name().member();
        String file = "ask-" + index + "-" + attempt;
        Path control = Files.createDirectories(folders().control(job.id()));
        Path half = Files.writeString(
                control.resolve(".half"),
                placement.hosts().get(asked) + " "
                        + placement.ports().get(asked).get("a"));
        Files.move(half, control.resolve(file), StandardCopyOption.ATOMIC_MOVE);
        awaitLog(job.key(0, 1), file + " worker-" + index + " attempt " + attempt);
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
