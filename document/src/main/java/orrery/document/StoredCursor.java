package orrery.document;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * A place in the text of a body that was checked before it was stored. To make a parser, and to
 * take all tokens apart that nobody wants, would be most of the work of who looks for a few. Not
 * for use by two threads at once.
 */
public final class StoredCursor {
    /** Longer integers may not fit 64 bits. */
    private static final int MAX_DIGITS = 18;

    private byte[] body;
    private int at;

    public StoredCursor(byte[] body) {
        this.body = body;
    }

    /** Goes to the beginning of another text. */
    public void open(byte[] other) {
        body = other;
        at = 0;
    }

    /** The bytes before the present place. */
    public int at() {
        return at;
    }

    /** Goes back to a place. */
    public void reset(int place) {
        at = place;
    }

    public boolean isAt(char mark) {
        return body[at] == mark;
    }

    /** Enters an object and returns true if it has a member. */
    public boolean enter() {
        skipTo('{');
        skipSpace();
        return body[at] != '}';
    }

    /** Goes from the end of a member to the name of the next, if there is one. */
    public boolean nextMember() {
        skipSpace();
        if (body[at] == ',') {
            at++;
            skipSpace();
        }
        return body[at] != '}';
    }

    /** Goes from a name to its value. */
    public void toValue() {
        skipTo(':');
        skipSpace();
    }

    /** Passes over these bytes if they come next. */
    public boolean skipIf(byte[] expected) {
        int end = at + expected.length;
        if (end > body.length) {
            return false;
        }
        for (int i = 0; i < expected.length; i++) {
            if (body[at + i] != expected[i]) {
                return false;
            }
        }
        at = end;
        return true;
    }

    public void skipValue() {
        switch (body[at]) {
            case '"' -> skipText();
            case '{', '[' -> skipNested();
            default -> skipPlain();
        }
    }

    /** Passes over a text and returns whether it has escapes. */
    public boolean skipText() {
        byte[] bytes = body;
        boolean hasEscapes = false;
        int place = Utf8.findMark(bytes, at + 1);
        while (bytes[place] != '"') {
            hasEscapes = true;
            place = Utf8.findMark(bytes, place + 2);
        }
        at = place + 1;
        return hasEscapes;
    }

    private void skipNested() {
        int depth = 0;
        do {
            switch (body[at]) {
                case '"' -> skipText();
                case '{', '[' -> {
                    depth++;
                    at++;
                }
                case '}', ']' -> {
                    depth--;
                    at++;
                }
                default -> at++;
            }
        } while (depth > 0);
    }

    /** Passes over a number or a word. */
    public void skipPlain() {
        while (body[at] > ' ' && body[at] != ',' && body[at] != '}' && body[at] != ']') {
            at++;
        }
    }

    private void skipSpace() {
        while (body[at] <= ' ' && body[at] >= 0) {
            at++;
        }
    }

    private void skipTo(char mark) {
        skipSpace();
        if (body[at] != mark) {
            throw new IllegalStateException("a stored body is not JSON");
        }
        at++;
    }

    /** Passes over a value and returns it. */
    public Value value() {
        int start = at;
        switch (body[at]) {
            case '"' -> {
                return Value.of(text());
            }
            case '{' -> {
                return object();
            }
            case '[' -> {
                skipNested();
                return parse(start, at);
            }
            case 't' -> {
                skipPlain();
                return Value.of(true);
            }
            case 'f' -> {
                skipPlain();
                return Value.of(false);
            }
            default -> {
                skipPlain();
                return plain(start);
            }
        }
    }

    /** The number or the word that ends here. */
    private Value plain(int start) {
        if (isInteger(start, at)) {
            return Value.of(integer(start, at));
        }
        boolean isNegative = body[start] == '-';
        if (isNegative && body[start + 1] != '0' && isInteger(start + 1, at)) {
            return Value.of(-integer(start + 1, at));
        }
        // A body was refused if a number in it is not finite.
        return isNegative || (body[start] >= '0' && body[start] <= '9')
                ? fraction(start)
                : parse(start, at);
    }

    private Value fraction(int start) {
        for (int i = start; i < at; i++) {
            if (body[i] == '.' || body[i] == 'e' || body[i] == 'E') {
                return Value.of(
                        Double.parseDouble(
                                new String(body, start, at - start, StandardCharsets.US_ASCII)));
            }
        }
        return parse(start, at);
    }

    /** Recursion is safe: what was stored is no deeper than {@link JsonText#MAX_DEPTH}. */
    private Value object() {
        Members.Builder members = new Members.Builder();
        for (boolean isMember = enter(); isMember; isMember = nextMember()) {
            String name = text();
            toValue();
            members.put(name, value());
        }
        at++;
        return new Value.Obj(members.build());
    }

    /** Passes over a text and returns it. */
    public String text() {
        int start = at;
        return skipText() ? ((Value.Text) parse(start, at)).value() : plain(start, at);
    }

    /** The text between two places, quotes among them, which has no escapes. */
    private String plain(int from, int to) {
        return new String(body, from + 1, to - from - 2, StandardCharsets.UTF_8);
    }

    /**
     * Returns true if only digits of an integer of 64 bits stand between two places. A sign may be
     * that of -0, which is no integer.
     */
    public boolean isInteger(int from, int to) {
        if (to == from || to - from > MAX_DIGITS) {
            return false;
        }
        for (int i = from; i < to; i++) {
            if (body[i] < '0' || body[i] > '9') {
                return false;
            }
        }
        return true;
    }

    /** The number whose digits stand between two places. */
    public long integer(int from, int to) {
        long number = 0;
        for (int i = from; i < to; i++) {
            number = number * 10 + (body[i] - '0');
        }
        return number;
    }

    /** The value between two places. */
    public Value parse(int from, int to) {
        try (JsonParser parser = JsonInput.openTrusted(body, from, to - from)) {
            return JsonText.read(parser, parser.nextToken());
        } catch (IOException e) {
            throw new IllegalStateException("a stored body is not JSON", e);
        }
    }
}
