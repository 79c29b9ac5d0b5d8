package dev.muster.control.schedule;

import dev.muster.control.schedule.Claim.Member;
import dev.muster.model.Capacity;
import dev.muster.model.Queue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Sums up the queues for people. */
final class QueueViews {
    private final Situation situation;
    private final Ledger held;
    private final Shares shares;
    private final Loans loans;
    private final Map<String, Map<String, Counts>> counts = new TreeMap<>();

    private record Counts(int waiting, int active, Set<String> projects) {
        static final Counts NONE = new Counts(0, 0, Set.of());

        Counts plus(Counts other) {
            Set<String> all = new HashSet<>(projects);
            all.addAll(other.projects);
            return new Counts(waiting + other.waiting, active + other.active, all);
        }
    }

    QueueViews(Situation situation) {
        this.situation = situation;
        this.held = situation.holdings().held();
        this.shares = new Shares(situation.whole());
        this.loans = new Loans(situation.queues());
    }

    List<QueueView> all() {
        situation.queues().byName().keySet().forEach(queue -> counts.put(queue, new TreeMap<>()));
        for (String queue : situation.waiting().queues()) {
            situation
                    .waiting()
                    .of(queue)
                    .values()
                    .forEach(users -> users.forEach((user, line) ->
                            count(queue, user, new Counts(line.byTime().size(), 0, line.projects()))));
        }
        for (Holding holding : situation.holdings().all()) {
            count(
                    holding.claim().queue(),
                    holding.claim().user(),
                    new Counts(0, 1, Set.of(holding.claim().project())));
        }
        List<QueueView> views = new ArrayList<>();
        counts.forEach((queue, users) -> views.add(view(situation.queues().get(queue), users)));
        return views;
    }

    private void count(String queue, String user, Counts more) {
        counts.computeIfAbsent(queue, name -> new TreeMap<>()).merge(user, more, Counts::plus);
    }

    private QueueView view(Queue queue, Map<String, Counts> counted) {
        List<QueueView.User> users = new ArrayList<>();
        counted.forEach((name, count) -> {
            Member member = new Member(queue.name(), name);
            users.add(new QueueView.User(
                    name,
                    held.ofUser(member),
                    shares.ofUser(held, member),
                    situation.past().of(member),
                    count.waiting(),
                    count.active(),
                    count.projects()));
        });
        Counts sum = counted.values().stream().reduce(Counts.NONE, Counts::plus);
        Capacity borrowed = queue.quota().isEmpty() ? Capacity.ZERO : loans.lent(queue, held);
        return new QueueView(queue, held.ofQueue(queue.name()), borrowed, sum.waiting(), sum.active(), users);
    }
}
