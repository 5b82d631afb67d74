package orrery.query.table;

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

    private static final int INT32 = EdmType.INT32.tag();

    /** So many digits are an Int32 in any case. */
    private static final int INT32_DIGITS = 9;

    /** What is compared. */
    private final List<Compared> properties = new ArrayList<>();

    private final Condition filter;

    /** Their names in items, with the quotes around them. */
    private final byte[][] names;

    /**
     * @param quoted the name in items, with the quotes around it
     */
    private record Compared(String property, Bytes quoted, boolean isKey) {
        static Compared of(String property) {
            return new Compared(
                    property,
                    Bytes.ofUtf8('"' + TableBoundQuery.stored(property) + '"'),
                    property.equals(StoredNames.PARTITION_KEY)
                            || property.equals(StoredNames.ROW_KEY));
        }
    }

    /** A filter made ready to be held against many items. */
    private sealed interface Condition {
        /**
         * @param at the place of the property among those that are compared
         * @param text what the content is compared with as it stands in the item, in its quotes;
         *     absent where it has to be read
         */
        record Test(int at, TableFilter.Operator operator, EdmValue constant, Optional<Bytes> text)
                implements Condition {}

        record All(List<Condition> conditions) implements Condition {}

        record Any(List<Condition> conditions) implements Condition {}

        record Not(Condition inner) implements Condition {}

        record Known(Verdict verdict) implements Condition {}
    }

    StoredFilter(TableFilter filter) {
        this.filter = condition(filter);
        this.names =
                properties.stream().map(each -> each.quoted.unsafeArray()).toArray(byte[][]::new);
    }

    private Condition condition(TableFilter part) {
        return switch (part) {
            // The body does not hold it.
            case TableFilter.Comparison(String property, _, _)
                    when property.equals(StoredNames.TIMESTAMP) ->
                    new Condition.Known(Verdict.OPEN);
            case TableFilter.Comparison(
                            String property,
                            TableFilter.Operator operator,
                            EdmValue constant) ->
                    new Condition.Test(
                            place(property), operator, constant, text(operator, constant));
            case TableFilter.Flag(String property) ->
                    condition(
                            new TableFilter.Comparison(
                                    property, TableFilter.Operator.EQ, new EdmValue.Bool(true)));
            case TableFilter.Not(TableFilter inner) -> new Condition.Not(condition(inner));
            case TableFilter.And(List<TableFilter> all) ->
                    new Condition.All(all.stream().map(this::condition).toList());
            case TableFilter.Or(List<TableFilter> any) ->
                    new Condition.Any(any.stream().map(this::condition).toList());
            case TableFilter.Constant(boolean value) -> new Condition.Known(Verdict.of(value));
        };
    }

    private int place(String property) {
        for (int i = 0; i < properties.size(); i++) {
            if (properties.get(i).property.equals(property)) {
                return i;
            }
        }
        properties.add(Compared.of(property));
        return properties.size() - 1;
    }

    /** Most filters name a key; no text is made to compare it. */
    private static Optional<Bytes> text(TableFilter.Operator operator, EdmValue constant) {
        boolean isEquality =
                operator == TableFilter.Operator.EQ || operator == TableFilter.Operator.NE;
        return isEquality
                        && constant instanceof EdmValue.Text(String wanted)
                        && wanted.chars().allMatch(c -> c <= 0x7F)
                ? Optional.of(Bytes.ofUtf8('"' + wanted + '"'))
                : Optional.empty();
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
        private final int[] tags = new int[properties.size()];
        private final int[] starts = new int[properties.size()];
        private final int[] ends = new int[properties.size()];
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
            for (int i = 0; i < names.length; i++) {
                byte[] name = names[i];
                if (name.length == to - from
                        && Arrays.equals(name, 0, name.length, text, from, to)) {
                    return i;
                }
            }
            return -1;
        }

        private void note(int at) {
            boolean isKey = properties.get(at).isKey;
            if (isKey && cursor.isAt('"')) {
                starts[at] = cursor.at();
                tags[at] = cursor.skipText() ? StoredContent.UNTYPED : KEY;
                ends[at] = cursor.at();
                return;
            }
            content.read(cursor);
            starts[at] = content.start();
            ends[at] = content.end();
            tags[at] = isKey ? StoredContent.UNTYPED : content.tag();
        }

        private Verdict verdict(Condition condition) {
            return switch (condition) {
                case Condition.Test test -> compare(test);
                case Condition.All(List<Condition> all) -> any(all, Verdict.FALSE);
                case Condition.Any(List<Condition> any) -> any(any, Verdict.TRUE);
                case Condition.Not(Condition inner) -> verdict(inner).negated();
                case Condition.Known(Verdict verdict) -> verdict;
            };
        }

        /** Returns the verdict that decides if one condition has it, and else what all say. */
        private Verdict any(List<Condition> conditions, Verdict decisive) {
            Verdict all = decisive.negated();
            for (int i = 0; i < conditions.size(); i++) {
                Verdict verdict = verdict(conditions.get(i));
                if (verdict == decisive) {
                    return decisive;
                }
                if (verdict == Verdict.OPEN) {
                    all = Verdict.OPEN;
                }
            }
            return all;
        }

        private Verdict compare(Condition.Test test) {
            steps++;
            int tag = tags[test.at];
            if (tag == ABSENT) {
                return Verdict.FALSE;
            }
            if (tag == StoredContent.UNTYPED) {
                return Verdict.OPEN;
            }
            int start = starts[test.at];
            int end = ends[test.at];
            if (test.text.isPresent() && tag == KEY && text[start] == '"') {
                byte[] wanted = test.text.get().unsafeArray();
                boolean isSame = Arrays.equals(text, start, end, wanted, 0, wanted.length);
                return Verdict.of(isSame == (test.operator == TableFilter.Operator.EQ));
            }
            if (tag == INT32
                    && test.constant instanceof EdmValue.Int32(int number)
                    && end - start <= INT32_DIGITS
                    && cursor.isInteger(start, end)) {
                return Verdict.of(
                        test.operator.accepts(Long.compare(cursor.integer(start, end), number)));
            }
            Optional<EdmType> type = EdmType.ofTag(tag);
            if (type.isEmpty() || !isComparable(type.get(), test.constant)) {
                return Verdict.FALSE;
            }
            return value(type.get(), start)
                    .map(
                            value ->
                                    Verdict.of(
                                            EdmComparison.holds(
                                                    value, test.operator, test.constant)))
                    .orElse(Verdict.OPEN);
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
