package dev.muster.cli.screen;

import dev.muster.api.MetricDocument;
import dev.muster.cli.format.Numbers;
import dev.muster.cli.format.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Metrics for people: a line a step, a column a metric. */
public final class MetricTable {
    private MetricTable() {}

    /**
     * @param points in the order they were reported; steps that come again after a restart get a line again
     */
    public static void write(List<MetricDocument> points, int columns, Consumer<String> lines) {
        Set<String> names = new LinkedHashSet<>();
        List<Map<String, Double>> rows = new ArrayList<>();
        List<Long> steps = new ArrayList<>();
        for (MetricDocument point : points) {
            names.add(point.metric());
            boolean sameRow = !steps.isEmpty()
                    && steps.getLast() == point.step()
                    && !rows.getLast().containsKey(point.metric());
            if (!sameRow) {
                steps.add(point.step());
                rows.add(new LinkedHashMap<>());
            }
            rows.getLast().put(point.metric(), point.value());
        }
        Table table = new Table().numberColumn("STEP");
        names.forEach(table::numberColumn);
        for (int row = 0; row < rows.size(); row++) {
            List<String> cells = new ArrayList<>(List.of(Long.toString(steps.get(row))));
            for (String name : names) {
                Double value = rows.get(row).get(name);
                cells.add(value == null ? "" : Numbers.show(value));
            }
            table.row(cells.toArray(String[]::new));
        }
        table.writeTo(columns, lines);
    }
}
