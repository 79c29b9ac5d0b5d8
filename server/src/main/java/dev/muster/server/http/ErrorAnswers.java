package dev.muster.server.http;

import dev.muster.api.ProblemDocument;
import dev.muster.api.ProblemType;
import dev.muster.formats.json.JsonException;
import dev.muster.spi.JobStore.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Turns whatever a handler throws into a problem document. What went wrong inside is logged and never shown. */
public final class ErrorAnswers implements Handler {
    private static final Logger LOG = System.getLogger(ErrorAnswers.class.getName());

    private final Handler inside;
    private final AtomicLong faults = new AtomicLong();

    public ErrorAnswers(Handler inside) {
        this.inside = inside;
    }

    @Override
    public void handle(Exchange exchange, PathVariables variables) throws IOException {
        try {
            handleWhole(exchange, variables);
        } catch (ProblemException problem) {
            send(exchange, problem.problem(), problem.headers());
        } catch (JsonException wrong) {
            send(exchange, ProblemException.invalid(wrong).problem(), Map.of());
        } catch (StoreException store) {
            send(exchange, store(exchange, store), Map.of());
        } catch (BrokenBodyException broken) {
            refuse(exchange, broken);
        } catch (RuntimeException | IOException fault) {
            if (exchange.isAnswered()) {
                throw fault;
            }
            send(exchange, fault(exchange, fault), Map.of());
        }
    }

    /** An answer that has begun can only be cut; the next request about the same is told why. */
    private void handleWhole(Exchange exchange, PathVariables variables) throws IOException {
        try {
            inside.handle(exchange, variables);
        } catch (ProblemException | JsonException | StoreException problem) {
            if (exchange.isAnswered()) {
                throw new UncheckedIOException(new IOException("the answer was cut: " + problem.getMessage(), problem));
            }
            throw problem;
        }
    }

    /** Most often nobody is there any more to read it. */
    private static void refuse(Exchange exchange, BrokenBodyException broken) throws IOException {
        if (exchange.isAnswered()) {
            throw broken;
        }
        try {
            send(
                    exchange,
                    ProblemDocument.of(
                            ProblemType.INVALID,
                            "The body of the request broke off, or is no proper HTTP/1.1.",
                            List.of()),
                    Map.of("Connection", "close"));
        } catch (RuntimeException gone) {
            broken.addSuppressed(gone);
            throw broken;
        }
    }

    private ProblemDocument store(Exchange exchange, StoreException store) {
        return switch (store.kind()) {
            case DISK_FULL -> diskFull();
            case UNREADABLE -> ProblemDocument.of(ProblemType.STATE, sentence(store.getMessage()));
            case UNREACHABLE -> ProblemDocument.of(ProblemType.UNAVAILABLE, sentence(store.getMessage()));
            case DAMAGED -> ProblemDocument.of(ProblemType.INTERNAL, sentence(store.getMessage()));
            case REFUSED, OTHER -> fault(exchange, store);
        };
    }

    private static String sentence(String message) {
        return Character.toUpperCase(message.charAt(0)) + message.substring(1) + ".";
    }

    private static ProblemDocument diskFull() {
        return ProblemDocument.of(
                ProblemType.DISK_FULL,
                "Nothing was stored, because the disk of MUSTER_HOME is full. Make room and try again.");
    }

    private ProblemDocument fault(Exchange exchange, Exception fault) {
        long number = faults.incrementAndGet();
        LOG.log(Level.ERROR, "fault " + number + " at " + exchange.method() + " " + exchange.path(), fault);
        return ProblemDocument.of(
                ProblemType.INTERNAL,
                "Muster could not answer; the log of the service tells more under fault " + number + ".");
    }

    private static void send(Exchange exchange, ProblemDocument problem, Map<String, String> headers) {
        exchange.send(
                problem.status(), "application/problem+json", problem.toJson().toString(), headers);
    }
}
