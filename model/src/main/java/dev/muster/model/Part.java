package dev.muster.model;

/**
 * A piece of a value in a launch plan. Everything that is not plain text is known only where the process runs, so a plan stays a
 * pure value and only a backend turns it into strings.
 */
public sealed interface Part {
    /** Text as it is. */
    record Text(String text) implements Part {}

    /** The bare address of a member, such as {@code 127.0.0.1} or a DNS name; an IPv6 address has no brackets. */
    record HostOf(Member member) implements Part {}

    /** A reserved port of a member, in decimal. */
    record PortOf(Member member, String port) implements Part {}

    /** {@code host:port} of a member; an IPv6 address stands in brackets. */
    record AddressOf(Member member, String port) implements Part {}

    /** A folder or file that Muster makes for the process, as the process sees it. */
    record PathOf(Place place) implements Part {}

    /** Where the named data is, as the process sees it. */
    record DataPath(String name) implements Part {}

    /** The value of a secret, by the name of the variable that carries it. */
    record SecretValue(String variable) implements Part {}

    /** A fact about this launch. */
    record FactOf(Fact fact) implements Part {}

    /**
     * This text where {@link Fact#SHELL} is bash, absent where it is sh: how an option that only bash knows, such as
     * {@code -o pipefail}, is written in a plan that does not know yet which shell there will be. An argument that holds an absent
     * part is left out as a whole, as a variable is.
     */
    record WhereBash(String text) implements Part {}

    /** The places of a process. */
    enum Place {
        CODE,
        MODEL,
        CHECKPOINTS,
        CONTROL,
        REPORT_FILE
    }

    /** The facts of a launch. A value (variable, argument, file) that holds an absent fact is left out as a whole. */
    enum Fact {
        JOB_ID,
        /** The attempt of this process. */
        ATTEMPT,
        /** What the framework's restore takes; absent when there is no whole checkpoint. */
        RESUME_FROM,
        /** The program that {@code python} and {@code python3} mean. */
        PYTHON,
        /** {@code bash} with its path where there is one, else {@code sh}; see {@link Command.Shell} and {@link WhereBash}. */
        SHELL,
        /** Search path of programs, the Python environment's first. */
        PATH,
        /** The network interface through which peers are reached, such as {@code lo} or {@code eth0}; absent where it is not known. */
        INTERFACE,
        /** The same where it leads out of the machine; absent also where it is the loopback interface. */
        OUTWARD_INTERFACE
    }
}
