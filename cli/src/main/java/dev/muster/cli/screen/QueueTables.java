package dev.muster.cli.screen;

import dev.muster.api.AmountDocument;
import dev.muster.api.QueueDocument;
import dev.muster.cli.format.Counts;
import dev.muster.cli.format.Numbers;
import dev.muster.cli.format.Sizes;
import dev.muster.cli.format.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Queues, a line each, what is used of what is allowed; then their users. */
public final class QueueTables {
    private static final String NONE = "-";

    private QueueTables() {}

    public static void write(List<QueueDocument> queues, int columns, Consumer<String> lines) {
        Table table = new Table()
                .column("QUEUE")
                .numberColumn("QUEUED")
                .numberColumn("ACTIVE")
                .numberColumn("PROCESSES")
                .numberColumn("CPUS")
                .numberColumn("MEMORY")
                .numberColumn("GPUS")
                .flexibleColumn("BORROWED");
        for (QueueDocument queue : queues) {
            AmountDocument used = queue.used();
            AmountDocument quota = queue.quota();
            table.row(
                    queue.name(),
                    Integer.toString(queue.queued()),
                    Integer.toString(queue.active()),
                    of(processes(used), processes(quota)),
                    of(cpus(used), cpus(quota)),
                    of(memory(used), memory(quota)),
                    of(gpus(used), gpus(quota)),
                    borrowed(queue.borrowed()));
        }
        table.writeTo(columns, lines);
        users(queues, columns, lines);
    }

    private static void users(List<QueueDocument> queues, int columns, Consumer<String> lines) {
        Table table = new Table()
                .column("USER")
                .column("QUEUE")
                .numberColumn("QUEUED")
                .numberColumn("ACTIVE")
                .numberColumn("PROCESSES")
                .numberColumn("CPUS")
                .numberColumn("MEMORY")
                .numberColumn("GPUS")
                .numberColumn("SHARE")
                .numberColumn("PAST");
        for (QueueDocument queue : queues) {
            for (QueueDocument.User user : queue.users()) {
                table.row(
                        user.name(),
                        queue.name(),
                        Integer.toString(user.queued()),
                        Integer.toString(user.active()),
                        processes(user.used()),
                        cpus(user.used()),
                        memory(user.used()),
                        gpus(user.used()),
                        percent(user.share()),
                        percent(user.pastShare()));
            }
        }
        if (!table.isEmpty()) {
            lines.accept("");
            table.writeTo(columns, lines);
        }
    }

    private static String of(String used, String quota) {
        return quota.equals(NONE) ? used : used + " of " + quota;
    }

    private static String processes(AmountDocument amount) {
        return amount.processes().isPresent()
                ? Integer.toString(amount.processes().getAsInt())
                : NONE;
    }

    private static String cpus(AmountDocument amount) {
        return amount.cpus().isPresent() ? decimal(amount.cpus().getAsDouble()) : NONE;
    }

    private static String decimal(double cpus) {
        return cpus == Math.rint(cpus) ? Long.toString(Math.round(cpus)) : Numbers.fixed(cpus, 1);
    }

    private static String memory(AmountDocument amount) {
        if (amount.memory().isEmpty()) {
            return NONE;
        }
        long bytes = amount.memory().getAsLong();
        return bytes == 0 ? "0" : Sizes.show(bytes);
    }

    private static String gpus(AmountDocument amount) {
        return amount.gpus().isPresent() ? Integer.toString(amount.gpus().getAsInt()) : NONE;
    }

    private static String percent(double part) {
        return Math.round(part * 100) + "%";
    }

    private static String borrowed(AmountDocument amount) {
        List<String> things = new ArrayList<>();
        if (amount.processes().orElse(0) > 0) {
            things.add(Counts.of(amount.processes().getAsInt(), "process", "processes"));
        }
        if (amount.cpus().orElse(0) > 0) {
            things.add(cpus(amount) + (amount.cpus().getAsDouble() == 1 ? " cpu" : " cpus"));
        }
        if (amount.memory().orElse(0) > 0) {
            things.add(memory(amount));
        }
        if (amount.gpus().orElse(0) > 0) {
            things.add(Counts.of(amount.gpus().getAsInt(), "gpu", "gpus"));
        }
        return things.isEmpty() ? NONE : String.join(", ", things);
    }
}
