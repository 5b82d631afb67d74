package orrery.query.evaluate;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.OrreryException;
import orrery.query.syntax.BuiltIn;

/** Functions on texts. Positions and lengths are in UTF-16 units, as in the clients. */
final class TextFunctions {
    private static final Value UNDEFINED = Value.Undefined.UNDEFINED;

    /** The longest result of REPLICATE; the service's documented limit. */
    private static final int MAX_REPLICATED = 10_000;

    private TextFunctions() {}

    static Value apply(BuiltIn function, List<Value> arguments) {
        return switch (function) {
            case CONCAT -> concat(arguments);
            case CONTAINS -> compare(arguments, TextFunctions::contains);
            case STARTSWITH -> compare(arguments, String::startsWith);
            case ENDSWITH -> compare(arguments, String::endsWith);
            case STRINGEQUALS -> compare(arguments, String::equals);
            case CONTAINS_ALL_CS -> containsAll(arguments, false);
            case CONTAINS_ALL_CI -> containsAll(arguments, true);
            case CONTAINS_ANY_CS -> containsAny(arguments, false);
            case CONTAINS_ANY_CI -> containsAny(arguments, true);
            case INDEX_OF -> indexOf(arguments);
            case LASTINDEXOF -> lastIndexOf(arguments);
            case LEFT -> part(arguments, (text, n) -> text.substring(0, n));
            case RIGHT -> part(arguments, (text, n) -> text.substring(text.length() - n));
            case SUBSTRING -> substring(arguments);
            case SUBSTRINGAFTER -> cut(arguments, TextFunctions::first, TextFunctions::after);
            case SUBSTRINGBEFORE -> cut(arguments, TextFunctions::first, TextFunctions::before);
            case LASTSUBSTRINGAFTER -> cut(arguments, TextFunctions::last, TextFunctions::after);
            case LASTSUBSTRINGBEFORE -> cut(arguments, TextFunctions::last, TextFunctions::before);
            case LENGTH -> unary(arguments, text -> Value.of(text.length()));
            case LOWER -> unary(arguments, text -> Value.of(lower(text)));
            case UPPER -> unary(arguments, text -> Value.of(upper(text)));
            case REVERSE ->
                    unary(
                            arguments,
                            text -> Value.of(new StringBuilder(text).reverse().toString()));
            case TRIM -> trim(arguments, true, true);
            case LTRIM -> trim(arguments, true, false);
            case RTRIM -> trim(arguments, false, true);
            case REPLACE -> replace(arguments);
            case REPLICATE -> replicate(arguments);
            case STRINGJOIN -> join(arguments);
            case STRINGSPLIT -> split(arguments);
            case TOSTRING -> toText(arguments.getFirst());
            case STRINGTOARRAY -> parse(arguments, Value.Array.class::isInstance);
            case STRINGTOBOOLEAN -> parse(arguments, Value.Bool.class::isInstance);
            case STRINGTONULL -> parse(arguments, Value.Null.class::isInstance);
            case STRINGTONUMBER -> parse(arguments, Value::isNumber);
            case STRINGTOOBJECT -> parse(arguments, Value.Obj.class::isInstance);
            default -> throw new IllegalStateException("no function on texts: " + function);
        };
    }

    private interface TextFunction {
        Value apply(String text);
    }

    private static Value unary(List<Value> arguments, TextFunction function) {
        return arguments.getFirst() instanceof Value.Text(String text)
                ? function.apply(text)
                : UNDEFINED;
    }

    private static Value concat(List<Value> arguments) {
        BoundedText result = new BoundedText();
        for (Value argument : arguments) {
            if (!(argument instanceof Value.Text(String text))) {
                return UNDEFINED;
            }
            result.append(text);
        }
        return result.toValue();
    }

    /** Two texts, and whether their case counts. */
    private static Value compare(List<Value> arguments, BiPredicate<String, String> test) {
        if (!(arguments.get(0) instanceof Value.Text(String text)
                && arguments.get(1) instanceof Value.Text(String other))) {
            return UNDEFINED;
        }
        if (arguments.size() < 3) {
            return Value.of(test.test(text, other));
        }
        return arguments.get(2) instanceof Value.Bool(boolean ignoresCase)
                ? Value.of(
                        ignoresCase ? test.test(upper(text), upper(other)) : test.test(text, other))
                : UNDEFINED;
    }

    private static boolean contains(String text, String wanted) {
        return TextSearch.indexOf(text, wanted, 0) >= 0;
    }

    private static Value containsAll(List<Value> arguments, boolean ignoresCase) {
        Value result = Value.of(true);
        for (Value term : arguments.subList(1, arguments.size())) {
            result = Operators.and(result, contains(arguments.getFirst(), term, ignoresCase));
        }
        return result;
    }

    private static Value containsAny(List<Value> arguments, boolean ignoresCase) {
        Value result = Value.of(false);
        for (Value term : arguments.subList(1, arguments.size())) {
            result = Operators.or(result, contains(arguments.getFirst(), term, ignoresCase));
        }
        return result;
    }

    private static Value contains(Value text, Value term, boolean ignoresCase) {
        return compare(List.of(text, term, Value.of(ignoresCase)), TextFunctions::contains);
    }

    private static Value indexOf(List<Value> arguments) {
        if (!(arguments.get(0) instanceof Value.Text(String text)
                && arguments.get(1) instanceof Value.Text(String wanted))) {
            return UNDEFINED;
        }
        if (arguments.size() < 3) {
            return Value.of(TextSearch.indexOf(text, wanted, 0));
        }
        if (!(arguments.get(2) instanceof Value.Int(long start))) {
            return UNDEFINED;
        }
        return Value.of(
                start > text.length() ? -1 : TextSearch.indexOf(text, wanted, clip(start, text)));
    }

    /** With a start, the match must end at or before that position. */
    private static Value lastIndexOf(List<Value> arguments) {
        if (!(arguments.get(0) instanceof Value.Text(String text)
                && arguments.get(1) instanceof Value.Text(String wanted))) {
            return UNDEFINED;
        }
        if (arguments.size() < 3) {
            return Value.of(TextSearch.lastIndexOf(text, wanted, text.length()));
        }
        if (!(arguments.get(2) instanceof Value.Int(long last))) {
            return UNDEFINED;
        }
        if (last < 0) {
            return Value.of(-1);
        }
        int end = last >= text.length() ? text.length() : (int) last + 1;
        return Value.of(TextSearch.lastIndexOf(text, wanted, end - wanted.length()));
    }

    private interface PartFunction {
        String apply(String text, int length);
    }

    private static Value part(List<Value> arguments, PartFunction function) {
        return arguments.get(0) instanceof Value.Text(String text)
                        && arguments.get(1) instanceof Value.Int(long length)
                ? Value.of(function.apply(text, clip(length, text)))
                : UNDEFINED;
    }

    private static Value substring(List<Value> arguments) {
        if (!(arguments.get(0) instanceof Value.Text(String text)
                && arguments.get(1) instanceof Value.Int(long start)
                && arguments.get(2) instanceof Value.Int(long length))) {
            return UNDEFINED;
        }
        if (start < 0 || start >= text.length() || length <= 0) {
            return Value.of("");
        }
        int from = (int) start;
        return Value.of(text.substring(from, from + (int) Math.min(length, text.length() - from)));
    }

    private interface Search {
        int indexOf(String text, String delimiter);
    }

    private interface Side {
        String of(String text, int at, String delimiter);
    }

    /** The text on one side of a delimiter. There is nothing beside one that does not occur. */
    private static Value cut(List<Value> arguments, Search search, Side side) {
        if (!(arguments.get(0) instanceof Value.Text(String text)
                && arguments.get(1) instanceof Value.Text(String delimiter))) {
            return UNDEFINED;
        }
        int at = search.indexOf(text, delimiter);
        return Value.of(at < 0 ? "" : side.of(text, at, delimiter));
    }

    private static int first(String text, String delimiter) {
        return TextSearch.indexOf(text, delimiter, 0);
    }

    private static int last(String text, String delimiter) {
        return TextSearch.lastIndexOf(text, delimiter, text.length());
    }

    private static String after(String text, int at, String delimiter) {
        return text.substring(at + delimiter.length());
    }

    private static String before(String text, int at, String delimiter) {
        return text.substring(0, at);
    }

    private static int clip(long position, String text) {
        return Math.clamp(position, 0, text.length());
    }

    /** Character by character, so that the length stays; also what ignoring case compares. */
    private static String upper(String text) {
        return text.codePoints()
                .map(
                        c ->
                                switch (c) {
                                    // The invariant culture has no upper case for micro sign,
                                    // dotless i and long s.
                                    case 0xB5, 0x131, 0x17F -> c;
                                    default -> Character.toUpperCase(c);
                                })
                .collect(
                        () -> new StringBuilder(text.length()),
                        StringBuilder::appendCodePoint,
                        StringBuilder::append)
                .toString();
    }

    private static String lower(String text) {
        return text.codePoints()
                // The invariant culture has no lower case for dotted capital I.
                .map(c -> c == 0x130 ? c : Character.toLowerCase(c))
                .collect(
                        () -> new StringBuilder(text.length()),
                        StringBuilder::appendCodePoint,
                        StringBuilder::append)
                .toString();
    }

    private static Value trim(List<Value> arguments, boolean start, boolean end) {
        if (!(arguments.get(0) instanceof Value.Text(String text))) {
            return UNDEFINED;
        }
        IntPredicate isTrimmed = c -> Character.isWhitespace(c) || Character.isSpaceChar(c);
        if (arguments.size() > 1) {
            if (!(arguments.get(1) instanceof Value.Text(String characters))) {
                return UNDEFINED;
            }
            BitSet wanted = new BitSet();
            characters.chars().forEach(wanted::set);
            isTrimmed = wanted::get;
        }
        int from = 0;
        int to = text.length();
        while (start && from < to && isTrimmed.test(text.charAt(from))) {
            from++;
        }
        while (end && from < to && isTrimmed.test(text.charAt(to - 1))) {
            to--;
        }
        return Value.of(text.substring(from, to));
    }

    private static Value replace(List<Value> arguments) {
        if (!(arguments.get(0) instanceof Value.Text(String text)
                && arguments.get(1) instanceof Value.Text(String wanted)
                && arguments.get(2) instanceof Value.Text(String replacement))) {
            return UNDEFINED;
        }
        if (wanted.isEmpty()) {
            return arguments.getFirst();
        }
        BoundedText result = new BoundedText();
        int from = 0;
        for (int at = TextSearch.indexOf(text, wanted, 0);
                at >= 0;
                at = TextSearch.indexOf(text, wanted, from)) {
            result.append(text.substring(from, at)).append(replacement);
            from = at + wanted.length();
        }
        return result.append(text.substring(from)).toValue();
    }

    private static Value replicate(List<Value> arguments) {
        if (!(arguments.get(0) instanceof Value.Text(String text) && arguments.get(1).isNumber())) {
            return UNDEFINED;
        }
        double times = Operators.toDouble(arguments.get(1));
        // Also false for NaN.
        if (!(times >= 0 && Math.floor(times) * text.length() <= MAX_REPLICATED)) {
            return UNDEFINED;
        }
        // An empty text may be asked for any number of times.
        return Value.of(text.isEmpty() ? "" : text.repeat((int) times));
    }

    private static Value join(List<Value> arguments) {
        if (!(arguments.get(0) instanceof Value.Array(List<Value> elements)
                && arguments.get(1) instanceof Value.Text(String separator))) {
            return UNDEFINED;
        }
        BoundedText result = new BoundedText();
        String before = "";
        for (Value element : elements) {
            if (!element.isDefined()) {
                continue;
            }
            if (!(element instanceof Value.Text(String text))) {
                return UNDEFINED;
            }
            result.append(before).append(text);
            before = separator;
        }
        return result.toValue();
    }

    private static Value split(List<Value> arguments) {
        if (!(arguments.get(0) instanceof Value.Text(String text)
                && arguments.get(1) instanceof Value.Text(String separator))) {
            return UNDEFINED;
        }
        List<Value> parts = new ArrayList<>();
        int from = 0;
        if (!separator.isEmpty()) {
            for (int at = TextSearch.indexOf(text, separator, 0);
                    at >= 0;
                    at = TextSearch.indexOf(text, separator, from)) {
                parts.add(Value.of(text.substring(from, at)));
                from = at + separator.length();
            }
        }
        parts.add(Value.of(text.substring(from)));
        return new Value.Array(parts);
    }

    private static Value toText(Value value) {
        if (value instanceof Value.Text) {
            return value;
        }
        BoundedText.checkJson(value);
        try {
            return Value.of(JsonText.write(value));
        } catch (OrreryException e) {
            // A number that is not finite has no text.
            return UNDEFINED;
        }
    }

    private static Value parse(List<Value> arguments, Predicate<Value> isWanted) {
        return unary(
                arguments,
                text -> {
                    try {
                        Value value = JsonText.parse(text);
                        return isWanted.test(value) ? value : UNDEFINED;
                    } catch (OrreryException e) {
                        // Text that is no JSON has no value; that is no failure of the query.
                        return UNDEFINED;
                    }
                });
    }
}
