package dev.muster.cli.screen;

import dev.muster.api.EventDocument;
import dev.muster.cli.format.Table;
import dev.muster.cli.format.TextWidth;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Events for people: a table of those that are there, or a line for each as it comes. */
public final class EventTable {
    private static final String JOB = "job";

    private final DateTimeFormatter clock;

    /**
     * @param zone in which times are shown
     */
    public EventTable(ZoneId zone) {
        this.clock = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS").withZone(zone);
    }

    public void write(List<EventDocument> events, int columns, Consumer<String> lines) {
        Table table = new Table()
                .optionalColumn("SEQ")
                .column("TIME")
                .column("OF")
                .optionalColumn("FROM")
                .column("TO")
                .flexibleColumn("REASON");
        for (EventDocument event : events) {
            table.row(
                    Long.toString(event.seq()),
                    clock.format(event.at()),
                    event.process().orElse(JOB),
                    event.from().orElse("-"),
                    event.to(),
                    event.reason().orElse(""));
        }
        table.writeTo(columns, lines);
    }

    /** Whether it is no step of a process but something about it, such as a report that was refused. */
    static boolean isRemark(EventDocument event) {
        return event.process().isPresent() && event.from().equals(Optional.of(event.to()));
    }

    static String remark(EventDocument event) {
        return event.process().orElseThrow() + ": " + event.reason().orElse("");
    }

    public String line(EventDocument event, int columns) {
        String from = event.from().isPresent() ? event.from().get() + " -> " : "";
        String reason = event.reason().isPresent() ? "  " + event.reason().get() : "";
        return TextWidth.cut(
                clock.format(event.at()) + "  " + event.process().orElse(JOB) + "  " + from + event.to() + reason,
                columns);
    }
}
