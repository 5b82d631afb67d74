package orrery.query.table;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import orrery.document.StoredCursor;
import orrery.document.edm.EdmType;
import orrery.document.edm.EdmValue;
import orrery.document.edm.StoredContent;
import orrery.document.edm.StoredNames;
import orrery.model.Bytes;
import orrery.query.dialect.Effort;

/**
 * A filter that looks at the text of a stored entity. It rules out most of those that do not match,
 * which then need not be read; it decides nothing else. Safe to share between threads.
 */
final class StoredFilter {
    private static final int KEY = EdmType.STRING.tag();

    private final TableFilter filter;

    /** The names in items of what is compared, with the quotes around them. */
    private final List<String> properties = new ArrayList<>();

    private final List<byte[]> names = new ArrayList<>();

    StoredFilter(TableFilter filter) {
        this.filter = filter;
        collect(filter);
    }

    private void collect(TableFilter part) {
        switch (part) {
            case TableFilter.Comparison(String property, _, _) -> add(property);
            case TableFilter.Flag(String property) -> add(property);
            case TableFilter.Not(TableFilter inner) -> collect(inner);
            case TableFilter.And(List<TableFilter> all) -> all.forEach(this::collect);
            case TableFilter.Or(List<TableFilter> any) -> any.forEach(this::collect);
            case TableFilter.Constant _ -> {}
        }
    }

    private void add(String property) {
        if (!properties.contains(property)) {
            properties.add(property);
            names.add(
                    ('"' + TableBoundQuery.stored(property) + '"')
                            .getBytes(StandardCharsets.UTF_8));
        }
    }

    /** The answer that the text of an item gives to a condition. */
    private enum Verdict {
        TRUE,
        FALSE,
        /** The item has to be read. */
        OPEN;

        static Verdict of(boolean isTrue) {
            return isTrue ? TRUE : FALSE;
        }

        Verdict negated() {
            return switch (this) {
                case TRUE -> FALSE;
                case FALSE -> TRUE;
                case OPEN -> OPEN;
            };
        }
    }

    /** Returns a look at the items of one run, which is not for two threads. */
    Look look() {
        return new Look();
    }

    /** Looks at one item after the other. */
    final class Look {
        private static final int ABSENT = -2;

        private final StoredCursor cursor = new StoredCursor(new byte[0]);
        private final StoredContent content = new StoredContent();
        private final int[] tags = new int[names.size()];
        private final int[] starts = new int[names.size()];
        private final int[] ends = new int[names.size()];
        private byte[] text = new byte[0];
        private long steps;

        /**
         * Returns false for an entity that does not match; what that took is counted then. True
         * where the item has to be read.
         */
        boolean mayMatch(Bytes body, Effort effort) {
            text = body.unsafeArray();
            steps = 0;
            find();
            if (verdict(filter) != Verdict.FALSE) {
                return true;
            }
            effort.add(steps);
            return false;
        }

        private void find() {
            Arrays.fill(tags, ABSENT);
            cursor.open(text);
            int left = tags.length;
            boolean isMember = cursor.enter();
            while (isMember && left > 0) {
                int name = cursor.at();
                if (cursor.skipText()) {
                    // It may be any name.
                    Arrays.fill(tags, StoredContent.UNTYPED);
                    return;
                }
                int at = index(name, cursor.at());
                cursor.toValue();
                if (at < 0) {
                    cursor.skipValue();
                } else {
                    note(at);
                    left--;
                }
                isMember = cursor.nextMember();
            }
        }

        private int index(int from, int to) {
            for (int i = 0; i < names.size(); i++) {
                byte[] name = names.get(i);
                if (name.length == to - from
                        && Arrays.equals(name, 0, name.length, text, from, to)) {
                    return i;
                }
            }
            return -1;
        }

        private void note(int at) {
            if (isKey(properties.get(at)) && cursor.isAt('"')) {
                starts[at] = cursor.at();
                tags[at] = cursor.skipText() ? StoredContent.UNTYPED : KEY;
                ends[at] = cursor.at();
                return;
            }
            content.read(cursor);
            starts[at] = content.start();
            ends[at] = content.end();
            tags[at] = isKey(properties.get(at)) ? StoredContent.UNTYPED : content.tag();
        }

        private static boolean isKey(String property) {
            return property.equals(StoredNames.PARTITION_KEY)
                    || property.equals(StoredNames.ROW_KEY);
        }

        private Verdict verdict(TableFilter condition) {
            return switch (condition) {
                case TableFilter.Comparison(
                                String property,
                                TableFilter.Operator operator,
                                EdmValue constant) ->
                        compare(property, operator, constant);
                case TableFilter.Flag(String property) ->
                        compare(property, TableFilter.Operator.EQ, new EdmValue.Bool(true));
                case TableFilter.And(List<TableFilter> all) -> any(all, Verdict.FALSE);
                case TableFilter.Or(List<TableFilter> any) -> any(any, Verdict.TRUE);
                case TableFilter.Not(TableFilter inner) -> verdict(inner).negated();
                case TableFilter.Constant(boolean value) -> Verdict.of(value);
            };
        }

        /** Returns the verdict that decides if one condition has it, and else what all say. */
        private Verdict any(List<TableFilter> conditions, Verdict decisive) {
            Verdict all = decisive.negated();
            for (TableFilter each : conditions) {
                Verdict verdict = verdict(each);
                if (verdict == decisive) {
                    return decisive;
                }
                if (verdict == Verdict.OPEN) {
                    all = Verdict.OPEN;
                }
            }
            return all;
        }

        private Verdict compare(String property, TableFilter.Operator operator, EdmValue constant) {
            steps++;
            if (property.equals(StoredNames.TIMESTAMP)) {
                // The body does not hold it.
                return Verdict.OPEN;
            }
            int at = properties.indexOf(property);
            if (tags[at] == ABSENT) {
                return Verdict.FALSE;
            }
            if (tags[at] == StoredContent.UNTYPED) {
                return Verdict.OPEN;
            }
            Optional<EdmType> type = EdmType.ofTag(tags[at]);
            if (type.isEmpty() || !isComparable(type.get(), constant)) {
                return Verdict.FALSE;
            }
            boolean isEqual = operator == TableFilter.Operator.EQ;
            if ((isEqual || operator == TableFilter.Operator.NE)
                    && constant instanceof EdmValue.Text(String wanted)
                    && text[starts[at]] == '"'
                    && isAscii(wanted)) {
                // Most filters name a key; no text is made to compare it.
                return Verdict.of(isText(wanted, starts[at], ends[at]) == isEqual);
            }
            return value(type.get(), starts[at])
                    .map(value -> Verdict.of(EdmComparison.holds(value, operator, constant)))
                    .orElse(Verdict.OPEN);
        }

        private static boolean isAscii(String text) {
            for (int i = 0; i < text.length(); i++) {
                if (text.charAt(i) > 0x7F) {
                    return false;
                }
            }
            return true;
        }

        /** Returns true if these characters stand in quotes between two places. */
        private boolean isText(String ascii, int start, int end) {
            if (end - start - 2 != ascii.length()) {
                return false;
            }
            for (int i = 0; i < ascii.length(); i++) {
                if (text[start + 1 + i] != ascii.charAt(i)) {
                    return false;
                }
            }
            return true;
        }

        private static boolean isComparable(EdmType type, EdmValue constant) {
            return switch (constant) {
                case EdmValue.Int32 _, EdmValue.Real _ ->
                        type == EdmType.INT32 || type == EdmType.DOUBLE;
                default -> type == constant.type();
            };
        }

        /** The value, where it is quickly read from the text. */
        private Optional<EdmValue> value(EdmType type, int start) {
            cursor.reset(start);
            return switch (type) {
                case STRING, BOOLEAN, INT32, DOUBLE, INT64, DATETIME ->
                        EdmValue.ofContent(type, cursor.value());
                case GUID, BINARY -> Optional.empty();
            };
        }
    }
}
