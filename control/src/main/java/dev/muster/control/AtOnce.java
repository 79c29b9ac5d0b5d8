package dev.muster.control;

import java.util.List;

/** Runs pieces of work that need nothing of each other, and returns when all are done: together they share a commit of the store. */
@FunctionalInterface
interface AtOnce {
    /** One after the other, in the caller's thread. */
    AtOnce IN_TURN = works -> works.forEach(Runnable::run);

    void run(List<Runnable> works);

    /** Each on a virtual thread of its own. */
    static void onThreads(List<Runnable> works) {
        if (works.size() < 2) {
            IN_TURN.run(works);
            return;
        }
        List<Thread> threads = works.stream()
                .map(work -> Thread.ofVirtual().name("muster-control-together").start(work))
                .toList();
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
