package dev.muster.server;

/** Entry point of the service. */
public final class Main {
    private Main() {}

    /** Runs the service until it is told to stop. */
    public static void main(String[] arguments) {
        System.out.println("muster service " + System.getProperty("muster.build", "of an unknown build"));
    }
}
