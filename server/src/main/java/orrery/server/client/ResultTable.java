package orrery.server.client;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import orrery.document.JsonText;
import orrery.document.Value;

/**
 * Results in columns, a page at a time. The first page decides the columns; a later one that has
 * others begins a new table.
 */
final class ResultTable {
    private static final int WIDEST = 48;
    private static final String BARE = "value";

    /** Properties that every item has and nobody asked for. */
    private static final Set<String> SYSTEM =
            Set.of("_rid", "_self", "_etag", "_attachments", "_ts");

    private final PrintWriter out;
    private List<String> columns = List.of();
    private int[] widths = {};

    ResultTable(PrintWriter out) {
        this.out = out;
    }

    void print(List<Value> results) {
        if (results.isEmpty()) {
            return;
        }
        Set<String> names = new LinkedHashSet<>();
        results.forEach(result -> names.addAll(names(result)));
        if (!columns.containsAll(names)) {
            begin(List.copyOf(names), results);
        }
        for (Value result : results) {
            line(columns.stream().map(name -> cell(result, name)).toList());
        }
    }

    void end() {
        if (!columns.isEmpty()) {
            out.println();
        }
    }

    private void begin(List<String> names, List<Value> results) {
        end();
        columns = names;
        widths = new int[names.size()];
        for (int i = 0; i < widths.length; i++) {
            String name = names.get(i);
            widths[i] = width(name);
            for (Value result : results) {
                widths[i] = Math.max(widths[i], width(cell(result, name)));
            }
        }
        line(names);
        List<String> rule = new ArrayList<>();
        for (int width : widths) {
            rule.add("-".repeat(width));
        }
        line(rule);
    }

    private static Set<String> names(Value result) {
        if (!(result instanceof Value.Obj(Map<String, Value> properties))) {
            return Set.of(BARE);
        }
        Set<String> names = new LinkedHashSet<>(properties.keySet());
        if (names.containsAll(SYSTEM)) {
            names.removeAll(SYSTEM);
        }
        return names;
    }

    private static String cell(Value result, String name) {
        Value value =
                result instanceof Value.Obj(Map<String, Value> properties)
                        ? properties.getOrDefault(name, Value.Undefined.UNDEFINED)
                        : (name.equals(BARE) ? result : Value.Undefined.UNDEFINED);
        String text =
                switch (value) {
                    case Value.Undefined _ -> "";
                    case Value.Text(String plain) -> plain;
                    default -> JsonText.write(value);
                };
        String visible = text.replaceAll("\\p{Cntrl}", " ");
        int length = visible.codePointCount(0, visible.length());
        return length <= WIDEST
                ? visible
                : visible.substring(0, visible.offsetByCodePoints(0, WIDEST - 1)) + "…";
    }

    private static int width(String text) {
        return text.codePointCount(0, text.length());
    }

    private void line(List<String> cells) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            String cell = cells.get(i);
            line.append(cell).append(" ".repeat(Math.max(0, widths[i] - width(cell)) + 2));
        }
        out.println(line.toString().stripTrailing());
    }
}
