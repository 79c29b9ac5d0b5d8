package dev.muster.testkit;

/** A program that waits for ever for a child that is busy, and tells its stack as those do that use the package {@code muster}. */
public final class WaitingProgram {
    /** Says {@code ready} once it waits, in a function {@code waits_here}. */
    public static final String PYTHON = """
            import faulthandler, os, signal, subprocess, sys, time
            number = signal.SIGRTMIN + 7
            file = open(os.path.dirname(os.environ['MUSTER_REPORT_FILE']) + '/stacks-%d' % os.getpid(), 'w')
            faulthandler.register(number, file=file, all_threads=True, chain=False)
            start = open('/proc/self/stat').read().rpartition(')')[2].split()[19]
            file.write('muster-stacks %d %s %d\\n' % (os.getpid(), start, number))
            file.flush()
            def waits_here():
                print('ready', flush=True)
                child.wait()
            child = subprocess.Popen([sys.executable, '-c', 'while True: pass'], env={})
            waits_here()
            """;

    private WaitingProgram() {}
}
