package dev.muster.cli.doctor;

import dev.muster.api.ServiceDocument;
import dev.muster.cli.base.Failure;
import dev.muster.cli.base.Surroundings;
import dev.muster.cli.embedded.LocalService;
import java.util.List;
import java.util.Optional;

/** The embedded service, as it is. */
final class ServiceCheck {
    private final Surroundings surroundings;

    ServiceCheck(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    Finding look() {
        try {
            LocalService service = new LocalService(surroundings);
            ServiceDocument status = service.status();
            if (!status.running()) {
                return Finding.ok("service", "none runs; the next command that needs one starts it");
            }
            Optional<String> shared = service.sharedUrl();
            if (shared.isPresent()) {
                return Finding.limited(
                        "service",
                        "MUSTER_HOME is that of a service for several people at " + shared.get(),
                        "--server " + shared.get() + " and a token in MUSTER_TOKEN");
            }
            List<String> differences = service.differentSettings();
            String detail = "pid " + status.pid().getAsLong() + " at "
                    + status.address().orElse("");
            return differences.isEmpty()
                    ? Finding.ok("service", detail)
                    : Finding.limited("service", detail + "; " + String.join("; ", differences), "muster local stop");
        } catch (Failure failure) {
            return Finding.limited("service", failure.getMessage(), "muster local stop");
        }
    }
}
