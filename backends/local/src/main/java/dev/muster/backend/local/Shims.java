package dev.muster.backend.local;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Starts shims, the parents of local processes; {@code shim.sh} beside this class tells what one does.
 */
final class Shims {
    private static final long ANSWER_SECONDS = 30;

    private final Path script;
    private final List<String> command;
    private final LaunchText text;
    private final boolean lingers;

    /**
     * Puts the script in place; one of another build stays for the shims that read it.
     *
     * @param folder where the script goes
     * @param shell  the shell that runs it
     * @param reap   whether a shim shall become the parent of its program's orphans, where perl or python3 can arrange that
     */
    Shims(Path folder, List<String> shell, Programs programs, boolean reap) throws IOException {
        script = install(folder);
        Optional<List<String>> reaper = reap ? Subreaper.command(programs) : Optional.empty();
        lingers = reaper.isPresent();
        command = new ArrayList<>();
        command.add(programs.require("setsid").toString());
        command.addAll(DefaultSignals.command(programs, DefaultSignals.ignoredHere()));
        reaper.ifPresent(command::addAll);
        command.addAll(shell);
        command.add(script.toString());
        text = new LaunchText(programs.require("env"), programs.require("setsid"));
    }

    private static Path install(Path folder) throws IOException {
        byte[] content;
        try (InputStream resource = Shims.class.getResourceAsStream("shim.sh")) {
            content = resource.readAllBytes();
        }
        Path file = folder.resolve("shim-" + digest(content) + ".sh");
        if (!Files.exists(file)) {
            Files.createDirectories(folder);
            Path fresh = Files.createTempFile(folder, "shim", ".new");
            Files.write(fresh, content);
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        }
        return file;
    }

    private static String digest(byte[] content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
            return HexFormat.of().formatHex(digest, 0, 6);
        } catch (NoSuchAlgorithmException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }

    LaunchText text() {
        return text;
    }

    /** Whether orphans of a program become children of its shim. */
    boolean lingers() {
        return lingers;
    }

    /** What a shim said first. */
    enum Answer {
        /** The attempt is this shim's; it waits for the launch text. */
        CLAIMED,
        /** Another shim has it. */
        TAKEN,
        /** It could not write its claim; shim.log tells why. */
        FAILED
    }

    /** A shim that was just started. */
    record Shim(Process process, Answer answer) {
        /** Sends the launch text; the program runs soon after. */
        void launch(String text) throws IOException {
            try (var pipe = process.getOutputStream()) {
                pipe.write(text.getBytes(StandardCharsets.UTF_8));
            }
        }

        /** Goes away without a launch; returns once the claim is taken back. */
        void abandon() throws IOException {
            process.getOutputStream().close();
            try {
                process.waitFor(ANSWER_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** After setsid, so that the session stays the shim's. */
    private List<String> inOwnMounts() {
        List<String> line = new ArrayList<>(command);
        line.addAll(1, Confinement.ownMounts());
        return line;
    }

    /**
     * Starts a shim and waits for its answer.
     *
     * @param attempt folder of the attempt, which is there
     * @param log     output of the program
     * @param events  path prefix of the files that wake the service
     * @param ownMounts whether it is to have a mount namespace of its own
     */
    Shim spawn(Path attempt, Path log, Path events, boolean ownMounts) throws IOException {
        List<String> line = new ArrayList<>(ownMounts ? inOwnMounts() : command);
        line.add(attempt.toString());
        line.add(log.toString());
        line.add(events.toString());
        ProcessBuilder builder = new ProcessBuilder(line);
        builder.environment().clear();
        builder.directory(Path.of("/").toFile());
        builder.redirectError(
                ProcessBuilder.Redirect.appendTo(attempt.resolve("shim.log").toFile()));
        Process process = builder.start();
        try (InputStream output = process.getInputStream()) {
            return new Shim(process, answer(output));
        }
    }

    private static Answer answer(InputStream output) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = output.read(); next >= 0 && next != '\n'; next = output.read()) {
            line.write(next);
        }
        return switch (line.toString(StandardCharsets.US_ASCII)) {
            case "claimed" -> Answer.CLAIMED;
            case "taken" -> Answer.TAKEN;
            default -> Answer.FAILED;
        };
    }
}
