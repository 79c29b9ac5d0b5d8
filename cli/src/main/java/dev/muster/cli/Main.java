package dev.muster.cli;

/** Entry point of the command line. */
public final class Main {
    private Main() {}

    /** Runs one command and ends the JVM with its exit code. */
    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    /** Runs one command in this JVM and returns its exit code. */
    public static int run(String... arguments) {
        System.out.println("muster " + System.getProperty("muster.build", "of an unknown build"));
        return 0;
    }
}
