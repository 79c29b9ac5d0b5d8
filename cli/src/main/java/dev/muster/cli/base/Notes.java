package dev.muster.cli.base;

/** Where a command says what it does besides its answer: stderr for a person, nowhere for a script. Any thread may call. */
@FunctionalInterface
public interface Notes {
    void say(String line);
}
