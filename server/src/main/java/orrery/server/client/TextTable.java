package orrery.server.client;

import java.util.ArrayList;
import java.util.List;
import orrery.document.JsonText;
import orrery.document.Value;

/** Columns of text under a head, each as wide as its widest cell. */
final class TextTable {
    private final List<List<String>> rows = new ArrayList<>();

    TextTable(String... head) {
        rows.add(List.of(head));
    }

    void add(String... cells) {
        rows.add(List.of(cells));
    }

    /** The text of a value, so that it stays on its line. */
    static String cell(Value value) {
        String text =
                switch (value) {
                    case Value.Undefined _ -> "";
                    case Value.Text(String plain) -> plain;
                    default -> JsonText.write(value);
                };
        return text.replaceAll("\\p{Cntrl}", " ");
    }

    static int width(String text) {
        return text.codePointCount(0, text.length());
    }

    @Override
    public String toString() {
        int columns = rows.getFirst().size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], width(row.get(i)));
            }
        }
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                line.append(row.get(i)).append(" ".repeat(widths[i] - width(row.get(i)) + 2));
            }
            lines.add(line.toString().stripTrailing());
        }
        return String.join(System.lineSeparator(), lines);
    }
}
