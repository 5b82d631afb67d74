package orrery.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Rows as people and as programs read them. */
final class Table {
    private static final List<String> TITLES =
            List.of("name", "figure", "peer figure", "ratio", "target", "verdict");

    private Table() {}

    static String text(List<Row> rows) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(TITLES);
        rows.forEach(row -> lines.add(cells(row)));
        int[] widths = new int[TITLES.size()];
        for (List<String> line : lines) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], line.get(i).length());
            }
        }
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) {
            append(out, lines.get(i), widths);
            if (i == 0) {
                append(out, TITLES.stream().map(_ -> "").toList(), widths, '-');
            }
        }
        boolean hasNotes = rows.stream().anyMatch(row -> !row.note().isEmpty());
        if (hasNotes) {
            out.append('\n');
            for (Row row : rows) {
                if (!row.note().isEmpty()) {
                    out.append(row.name()).append(": ").append(row.note()).append('\n');
                }
            }
        }
        return out.toString();
    }

    private static List<String> cells(Row row) {
        return List.of(
                row.name(),
                row.unit().format(row.figure()),
                row.peer()
                        .map(peer -> row.unit().format(peer.figure()) + " " + peer.name())
                        .orElse("-"),
                row.ratio().map(ratio -> String.format(Locale.ROOT, "%.2f", ratio)).orElse("-"),
                row.target().map(target -> target(row, target)).orElse("-"),
                switch (row.verdict()) {
                    case MET -> "met";
                    case MISSED -> "MISSED";
                    case NONE -> "-";
                });
    }

    private static String target(Row row, Row.Target target) {
        return switch (target) {
            case Row.Target.RatioAtLeast(double bound) ->
                    String.format(Locale.ROOT, "ratio >= %.2f", bound);
            case Row.Target.AtMost(double bound) -> "<= " + row.unit().format(bound);
        };
    }

    private static void append(StringBuilder out, List<String> line, int[] widths) {
        append(out, line, widths, ' ');
    }

    private static void append(StringBuilder out, List<String> line, int[] widths, char filler) {
        int start = out.length();
        for (int i = 0; i < widths.length; i++) {
            String cell = line.get(i);
            String filling = String.valueOf(filler).repeat(widths[i] - cell.length());
            // Figures and ratios are right, words left.
            out.append(i == 1 || i == 3 ? filling + cell : cell + filling).append("  ");
        }
        int end = out.length();
        while (end > start && out.charAt(end - 1) == ' ') {
            end--;
        }
        out.setLength(end);
        out.append('\n');
    }

    /** One object per line. */
    static String json(List<Row> rows) {
        StringBuilder out = new StringBuilder();
        for (Row row : rows) {
            out.append("{\"measurement\":")
                    .append(quoted(row.measurement()))
                    .append(",\"name\":")
                    .append(quoted(row.name()))
                    .append(",\"figure\":")
                    .append(number(row.figure()))
                    .append(",\"unit\":")
                    .append(quoted(row.unit().symbol()))
                    .append(",\"peer\":")
                    .append(row.peer().map(peer -> quoted(peer.name())).orElse("null"))
                    .append(",\"peerFigure\":")
                    .append(row.peer().map(peer -> number(peer.figure())).orElse("null"))
                    .append(",\"ratio\":")
                    .append(row.ratio().map(Table::number).orElse("null"))
                    .append(",\"target\":")
                    .append(row.target().map(target -> quoted(target(row, target))).orElse("null"))
                    .append(",\"verdict\":")
                    .append(verdict(row).map(Table::quoted).orElse("null"))
                    .append(",\"note\":")
                    .append(quoted(row.note()))
                    .append("}\n");
        }
        return out.toString();
    }

    private static Optional<String> verdict(Row row) {
        return switch (row.verdict()) {
            case MET -> Optional.of("met");
            case MISSED -> Optional.of("missed");
            case NONE -> Optional.empty();
        };
    }

    private static String number(double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%.4f", value) : "null";
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }
}
