package dev.muster.server.jobs;

import dev.muster.api.AmountDocument;
import dev.muster.api.Page;
import dev.muster.api.QueueDocument;
import dev.muster.control.Jobs;
import dev.muster.control.schedule.QueueView;
import dev.muster.model.Capacity;
import dev.muster.model.Quota;
import dev.muster.server.access.Caller;
import dev.muster.server.access.Scope;
import dev.muster.server.http.Exchange;
import dev.muster.server.http.PathVariables;
import dev.muster.server.http.Route;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** The queues: what they may hold, what they hold, and who waits. */
final class QueueRoutes {
    private static final double THOUSANDTHS = 1000;

    private final Jobs jobs;

    QueueRoutes(Jobs jobs) {
        this.jobs = jobs;
    }

    List<Route> routes() {
        return List.of(new Route("GET", "/v1/queues", Scope.READ, this::queues));
    }

    private void queues(Exchange exchange, PathVariables variables) {
        exchange.send(
                200,
                new Page<>(
                        jobs.queues().stream()
                                .map(view -> document(view, exchange.caller()))
                                .toList(),
                        Optional.empty()));
    }

    /** What the queue holds is everybody's to see; who holds it is for those who may see a job of theirs. */
    private static QueueDocument document(QueueView view, Caller caller) {
        return new QueueDocument(
                view.queue().name(),
                view.queue().weight(),
                quota(view.queue().quota()),
                amount(view.used()),
                amount(view.borrowed()),
                view.waiting(),
                view.active(),
                view.users().stream()
                        .filter(user -> user.projects().stream().anyMatch(caller.projects()::allow))
                        .map(QueueRoutes::user)
                        .toList());
    }

    private static QueueDocument.User user(QueueView.User user) {
        return new QueueDocument.User(
                user.name(), user.waiting(), user.active(), amount(user.used()), user.share(), user.past());
    }

    private static AmountDocument amount(Capacity amount) {
        return new AmountDocument(
                OptionalInt.of(amount.processes()),
                OptionalDouble.of(amount.milliCpus() / THOUSANDTHS),
                OptionalLong.of(amount.memoryBytes()),
                OptionalInt.of(amount.gpus()));
    }

    private static AmountDocument quota(Quota quota) {
        return new AmountDocument(
                quota.processes(),
                quota.milliCpus().isPresent()
                        ? OptionalDouble.of(quota.milliCpus().getAsLong() / THOUSANDTHS)
                        : OptionalDouble.empty(),
                quota.memoryBytes(),
                quota.gpus());
    }
}
