package dev.muster.backend.docker;

import dev.muster.backend.docker.DockerApi.Refusal;
import dev.muster.formats.proc.Accounts;
import dev.muster.formats.proc.Looked;
import dev.muster.spi.BackendException;
import dev.muster.spi.Evidence;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * A look at why the processes of a container do not go on, by a script that runs in it with no more rights than they have: so it sees them
 * wherever dockerd is, and may not see the stacks of the kernel. Process ids are the container's.
 *
 * @param freshName makes words that nobody in the container knows
 */
record Look(DockerApi api, Supplier<String> freshName) {
    private static final Duration LONGEST = Duration.ofSeconds(9);

    Evidence of(String container, Path folder) throws BackendException, Refusal, IOException {
        String boundary = "look-" + freshName.get();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new Exec(api).run(container, Looked.command(boundary, Places.ROOT, Places.RUN + "/pid"), out, LONGEST);
        Accounts accounts = Looked.parse(boundary, out.toString(StandardCharsets.ISO_8859_1))
                .accounts();
        accounts.write(folder);
        return Evidence.of(accounts);
    }
}
