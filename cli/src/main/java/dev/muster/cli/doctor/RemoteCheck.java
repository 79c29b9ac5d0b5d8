package dev.muster.cli.doctor;

import dev.muster.api.ServiceDocument;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.base.Failure;
import dev.muster.cli.client.Api;
import java.util.function.Supplier;

/** The service elsewhere that commands speak to. */
final class RemoteCheck {
    private final String address;
    private final Supplier<Api> api;

    RemoteCheck(String address, Supplier<Api> api) {
        this.address = address;
        this.api = api;
    }

    Finding look() {
        try {
            ServiceDocument service = ServiceDocument.of(api.get().service());
            String build = service.build().map(text -> ", build " + text).orElse("");
            return Finding.ok(
                    "server",
                    address + " answers" + build
                            + "; jobs run there, and what is said here of this machine does not count for them");
        } catch (Failure failure) {
            String fix = failure.exitCode() == ExitCode.REFUSED
                    ? "export MUSTER_TOKEN=... with a token of that service"
                    : "correct MUSTER_SERVER (or --server), or unset it to use the service of this machine";
            return Finding.missing("server", failure.getMessage(), fix);
        }
    }
}
