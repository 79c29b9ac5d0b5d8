package dev.muster.cli.format;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Rows in columns, fitted to a width: first the columns that may be cut get narrower, the rightmost first, then columns that may be
 * left out go, the rightmost first.
 */
public final class Table {
    private static final int GAP = 2;
    private static final int NARROWEST = 10;

    /** What may happen to a column when there is no room. */
    private enum Fit {
        WHOLE,
        CUT,
        LEAVE_OUT
    }

    private record Column(String title, boolean toTheRight, Fit fit) {}

    private final List<Column> columns = new ArrayList<>();
    private final List<List<String>> rows = new ArrayList<>();

    /** A column that always shows whole. */
    public Table column(String title) {
        columns.add(new Column(title, false, Fit.WHOLE));
        return this;
    }

    /** A column that goes when there is no room. */
    public Table optionalColumn(String title) {
        columns.add(new Column(title, false, Fit.LEAVE_OUT));
        return this;
    }

    /** A column whose texts are cut when there is no room. */
    public Table flexibleColumn(String title) {
        columns.add(new Column(title, false, Fit.CUT));
        return this;
    }

    /** A column of numbers. */
    public Table numberColumn(String title) {
        columns.add(new Column(title, true, Fit.WHOLE));
        return this;
    }

    /** Adds a row, a text for each column. */
    public Table row(String... cells) {
        if (cells.length != columns.size()) {
            throw new IllegalArgumentException(cells.length + " cells for " + columns.size() + " columns");
        }
        rows.add(List.of(cells));
        return this;
    }

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /** Writes the titles and the rows, a line each, no line wider than that. */
    public void writeTo(int width, Consumer<String> lines) {
        int[] widths = fit(width);
        lines.accept(line(columns.stream().map(Column::title).toList(), widths));
        for (List<String> row : rows) {
            lines.accept(line(row, widths));
        }
    }

    private int[] fit(int width) {
        int[] widths = new int[columns.size()];
        for (int column = 0; column < widths.length; column++) {
            widths[column] = TextWidth.of(columns.get(column).title());
            for (List<String> row : rows) {
                widths[column] = Math.max(widths[column], TextWidth.of(row.get(column)));
            }
        }
        for (int column = widths.length - 1; column >= 0 && total(widths) > width; column--) {
            if (columns.get(column).fit() == Fit.CUT) {
                int least = Math.min(widths[column], NARROWEST);
                widths[column] = Math.max(least, widths[column] - (total(widths) - width));
            }
        }
        for (int column = widths.length - 1; column >= 0 && total(widths) > width; column--) {
            if (columns.get(column).fit() != Fit.WHOLE) {
                widths[column] = 0;
            }
        }
        return widths;
    }

    private static int total(int[] widths) {
        int total = -GAP;
        for (int width : widths) {
            total += width == 0 ? 0 : width + GAP;
        }
        return total;
    }

    private String line(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            if (widths[column] == 0) {
                continue;
            }
            String cell = TextWidth.cut(cells.get(column), widths[column]);
            String fill = " ".repeat(widths[column] - TextWidth.of(cell));
            line.append(columns.get(column).toTheRight() ? fill + cell : cell + fill);
            line.append(" ".repeat(GAP));
        }
        return line.toString().stripTrailing();
    }
}
