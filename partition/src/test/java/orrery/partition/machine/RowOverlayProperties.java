package orrery.partition.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import orrery.model.Bytes;
import orrery.storage.Cursor;
import orrery.storage.Table;

/** Rows over rows, held against one sorted map. */
class RowOverlayProperties {
    /** Each number is a change: its tens say of which row, its ones whether it is a delete. */
    @Property
    void readsAsOneTable(
            @ForAll @Size(max = 30) List<@IntRange(min = 0, max = 199) Integer> below,
            @ForAll @Size(max = 30) List<@IntRange(min = 0, max = 199) Integer> above,
            @ForAll @IntRange(min = 0, max = 21) int from,
            @ForAll @IntRange(min = 0, max = 21) int to,
            @ForAll @IntRange(min = 0, max = 21) int sought) {
        NavigableMap<Bytes, Bytes> model = new TreeMap<>();
        RowOverlay lower = new RowOverlay(NoRows.NONE);
        RowOverlay upper = new RowOverlay(lower);
        change(lower, model, below, 1);
        change(upper, model, above, 2);

        byte[] low = key(Math.min(from, to));
        byte[] high = key(Math.max(from, to));
        NavigableMap<Bytes, Bytes> wanted =
                model.subMap(Bytes.wrap(low), true, Bytes.wrap(high), false);
        for (int i = 0; i < 20; i++) {
            byte[] value = upper.get(Table.INDEX, key(i));
            assertThat(value == null ? null : Bytes.wrap(value))
                    .isEqualTo(model.get(Bytes.wrap(key(i))));
        }
        try (Cursor rows = upper.scan(Table.INDEX, low, high)) {
            assertThat(rest(rows)).isEqualTo(text(wanted));
        }
        try (Cursor rows = upper.scanBackward(Table.INDEX, low, high)) {
            assertThat(rest(rows)).isEqualTo(text(wanted.descendingMap()));
        }
        byte[] at = key(sought);
        try (Cursor rows = upper.scan(Table.INDEX, low, high)) {
            rows.next();
            assertThat(restFrom(rows, at)).isEqualTo(text(from(wanted, at, 1)));
        }
        try (Cursor rows = upper.scanBackward(Table.INDEX, low, high)) {
            assertThat(restFrom(rows, at)).isEqualTo(text(from(wanted.descendingMap(), at, -1)));
        }
    }

    /** The rows that do not lie before a key in the direction of the walk. */
    private static NavigableMap<Bytes, Bytes> from(
            NavigableMap<Bytes, Bytes> rows, byte[] key, int direction) {
        NavigableMap<Bytes, Bytes> rest = new TreeMap<>(rows.comparator());
        rows.forEach(
                (row, value) -> {
                    if (direction * row.compareTo(Bytes.wrap(key)) >= 0) {
                        rest.put(row, value);
                    }
                });
        return rest;
    }

    private static void change(
            RowOverlay rows, NavigableMap<Bytes, Bytes> model, List<Integer> changes, int mark) {
        for (int change : changes) {
            byte[] key = key(change / 10);
            if (change % 10 < 3) {
                rows.delete(Table.INDEX, key);
                model.remove(Bytes.wrap(key));
            } else {
                byte[] value = {(byte) mark, (byte) change};
                rows.put(Table.INDEX, key, value);
                model.put(Bytes.wrap(key), Bytes.wrap(value));
            }
        }
    }

    private static byte[] key(int number) {
        return new byte[] {1, (byte) number};
    }

    private static List<String> rest(Cursor rows) {
        List<String> found = new ArrayList<>();
        while (rows.next()) {
            found.add(row(rows));
        }
        return found;
    }

    private static List<String> restFrom(Cursor rows, byte[] key) {
        List<String> found = new ArrayList<>();
        if (rows.seek(key)) {
            found.add(row(rows));
            found.addAll(rest(rows));
        }
        return found;
    }

    private static String row(Cursor rows) {
        return Bytes.wrap(rows.key()).toHex() + "=" + Bytes.wrap(rows.value()).toHex();
    }

    private static List<String> text(NavigableMap<Bytes, Bytes> rows) {
        return rows.entrySet().stream()
                .map(row -> row.getKey().toHex() + "=" + row.getValue().toHex())
                .toList();
    }
}
