package dev.muster.store;

/** The end of a thread of the store. */
final class Ending {
    private Ending() {}

    /** Returns when the thread has ended, whatever interrupts the wait; the interrupt is passed on afterwards. */
    static void await(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
