package dev.muster.server;

import java.io.OutputStream;
import java.io.PrintStream;

/**
 * The run from which the build makes the ahead-of-time cache of the service. It must end by itself, leave no process
 * behind and keep its state under MUSTER_HOME, which is an empty folder that goes afterwards.
 */
final class Training {
    private Training() {}

    public static void main(String[] arguments) {
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        Main.main(new String[] {"--version"});
    }
}
