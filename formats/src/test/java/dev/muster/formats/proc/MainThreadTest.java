package dev.muster.formats.proc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The main thread's calls out of what three tools write. */
class MainThreadTest {
    @Test
    void faulthandlerTellsTheMainThreadLast() {
        assertThat(MainThread.calls("""
                        Thread 0x00007f0001 (most recent call first):
                          File "/usr/lib/python3.11/threading.py", line 324 in wait
                        Current thread 0x00007f0002 (most recent call first):
                          File "/usr/lib/python3/dist-packages/torch/distributed/c10d.py", line 1541 in all_reduce
                          File "/job/train it.py", line 46 in <module>
                        """))
                .containsExactly(
                        "all_reduce (/usr/lib/python3/dist-packages/torch/distributed/c10d.py:1541)",
                        "<module> (/job/train it.py:46)");
    }

    @Test
    void pySpyNamesIt() {
        assertThat(MainThread.calls("""
                        Process 123: python3 train.py
                        Python v3.11.2 (/usr/bin/python3.11)

                        Thread 123 (active): "MainThread"
                            spin (train.py:31)
                            <module> (train.py:50)
                        Thread 124 (idle): "Thread-1"
                            wait (threading.py:324)
                        """)).containsExactly("spin (train.py:31)", "<module> (train.py:50)");
    }

    @Test
    void jstackNamesIt() {
        assertThat(MainThread.calls("""
                        2026-01-31 12:00:00
                        Full thread dump OpenJDK 64-Bit Server VM:

                        "Reference Handler" #9 daemon prio=10
                        \tat java.lang.ref.Reference.waitForReferencePendingList(java.base@25/Native Method)
                        "main" #1 prio=5 os_prio=0
                           java.lang.Thread.State: RUNNABLE
                        \tat org.example.Train.step(Train.java:12)
                        \tat org.example.Train.main(Train.java:7)
                        "VM Thread" os_prio=0
                        """))
                .containsExactly("org.example.Train.step (Train.java:12)", "org.example.Train.main (Train.java:7)");
    }

    @Test
    void anythingElseTellsNothing() {
        assertThat(MainThread.calls("")).isEmpty();
        assertThat(MainThread.calls("no such process\n")).isEmpty();
    }
}
