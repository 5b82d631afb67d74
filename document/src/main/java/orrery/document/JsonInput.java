package orrery.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import java.io.IOException;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

/**
 * Parsers over JSON bytes, and the rules that all readers of JSON here share: what a number may be,
 * and how a fault is told to the client.
 */
public final class JsonInput {
    private static final JsonFactory PLAIN = factory(false, JsonText.MAX_DEPTH);

    /** Stops at a name that comes twice in an object. */
    private static final JsonFactory WITHOUT_REPEATS = factory(true, JsonText.MAX_DEPTH);

    /** Reads an array of objects that hold items. */
    private static final JsonFactory ENVELOPE = factory(false, JsonText.MAX_DEPTH + 2);

    private static final String NOT_JSON = "It is not valid JSON";
    private static final String PAYLOAD_INVALID = "The request payload is invalid. ";

    /** Below this many characters only an exponent can make a number infinite. */
    private static final int DIGITS_SURELY_FINITE = 308;

    private static final int DIGITS_SURELY_LONG = 18;
    private static final String LONG_MAX_DIGITS = "9223372036854775807";
    private static final String LONG_MIN_DIGITS = "9223372036854775808";

    private JsonInput() {}

    private static JsonFactory factory(boolean checksDuplicates, int maxDepth) {
        return new JsonFactoryBuilder()
                .configure(StreamReadFeature.STRICT_DUPLICATE_DETECTION, checksDuplicates)
                // Names come from clients: interning them would keep them for ever.
                .configure(JsonFactory.Feature.INTERN_FIELD_NAMES, false)
                .streamReadConstraints(
                        StreamReadConstraints.builder()
                                .maxNestingDepth(maxDepth)
                                // The size of the whole text is limited before it comes here.
                                .maxStringLength(Integer.MAX_VALUE)
                                .maxNameLength(Integer.MAX_VALUE)
                                .maxNumberLength(Integer.MAX_VALUE)
                                .build())
                // The default pool is per thread, and every request has a thread of its own.
                .recyclerPool(JsonRecyclerPools.newConcurrentDequePool())
                .build();
    }

    /** Text from a client: everything about it is checked while it is read. */
    public static JsonParser open(byte[] text) throws IOException {
        return open(PLAIN, text);
    }

    /** Opens text in which a name that comes twice is a fault, see {@link #isRepeatedName}. */
    static JsonParser openWithoutRepeats(byte[] text) throws IOException {
        return open(WITHOUT_REPEATS, text);
    }

    /** Tells this fault from others by its text alone: the parser has no other mark for it. */
    static boolean isRepeatedName(IOException fault) {
        return fault instanceof JsonProcessingException known
                && known.getOriginalMessage().startsWith("Duplicate ");
    }

    /** Text in which others lie two levels deep. */
    static JsonParser openEnvelope(byte[] text) throws IOException {
        return open(ENVELOPE, text);
    }

    private static JsonParser open(JsonFactory factory, byte[] text) throws IOException {
        int fault = Utf8.findFault(text);
        if (fault >= 0) {
            throw invalid("It is not UTF-8 text", fault);
        }
        if (text.length > 0 && text[0] == (byte) 0xEF) {
            // A byte order mark would land in the middle of a feed.
            throw invalid("It begins with a character that is not JSON", 0);
        }
        return factory.createParser(text);
    }

    /** Text that has been checked before. */
    static JsonParser openTrusted(byte[] text) throws IOException {
        return PLAIN.createParser(text);
    }

    /** A part of such a text that is a value by itself. */
    static JsonParser openTrusted(byte[] text, int offset, int length) throws IOException {
        return PLAIN.createParser(text, offset, length);
    }

    public static void requireEnd(JsonParser parser) throws IOException {
        if (parser.nextToken() != null) {
            throw invalid("Something follows the end of the JSON text", offset(parser));
        }
    }

    /** Returns true if the current integer fits 64 bits. */
    static boolean isLong(JsonParser parser) throws IOException {
        int length = parser.getTextLength();
        if (length <= DIGITS_SURELY_LONG) {
            return true;
        }
        char[] text = parser.getTextCharacters();
        int start = parser.getTextOffset();
        boolean negative = text[start] == '-';
        String limit = negative ? LONG_MIN_DIGITS : LONG_MAX_DIGITS;
        int digits = negative ? start + 1 : start;
        int count = negative ? length - 1 : length;
        if (count != limit.length()) {
            return count < limit.length();
        }
        for (int i = 0; i < count; i++) {
            if (text[digits + i] != limit.charAt(i)) {
                return text[digits + i] < limit.charAt(i);
            }
        }
        return true;
    }

    /** The current number as a double; -0 keeps its sign. Throws BAD_REQUEST if out of range. */
    static double finiteDouble(JsonParser parser) throws IOException {
        double value = Double.parseDouble(parser.getText());
        if (Double.isInfinite(value)) {
            throw invalid("A number is beyond the range of a double", offset(parser));
        }
        return value;
    }

    /** Like {@link #finiteDouble}, but converts only where the result is in doubt. */
    static void requireFinite(JsonParser parser, JsonToken token) throws IOException {
        int length = parser.getTextLength();
        if (length > DIGITS_SURELY_FINITE
                || (token == JsonToken.VALUE_NUMBER_FLOAT && hasExponent(parser, length))) {
            finiteDouble(parser);
        }
    }

    private static boolean hasExponent(JsonParser parser, int length) throws IOException {
        char[] text = parser.getTextCharacters();
        int start = parser.getTextOffset();
        for (int i = start; i < start + length; i++) {
            if ((text[i] | 0x20) == 'e') {
                return true;
            }
        }
        return false;
    }

    static Value number(JsonParser parser, JsonToken token) throws IOException {
        return token == JsonToken.VALUE_NUMBER_INT && isLong(parser)
                ? Value.of(parser.getLongValue())
                : Value.of(finiteDouble(parser));
    }

    static long offset(JsonParser parser) {
        return parser.currentTokenLocation().getByteOffset();
    }

    static OrreryException invalid(String why, long offset) {
        return invalid(why + " (at byte " + offset + ")");
    }

    public static OrreryException invalid(String why) {
        return new OrreryException(ErrorCode.BAD_REQUEST, PAYLOAD_INVALID + why + ".");
    }

    /** Returns the reason alone, without the prefix that names the payload. */
    static String reason(OrreryException invalid) {
        String text = invalid.text();
        return text.startsWith(PAYLOAD_INVALID) ? text.substring(PAYLOAD_INVALID.length()) : text;
    }

    /** Describes the fault in our words: those of the parser name its settings and its source. */
    public static OrreryException invalid(IOException fault) {
        if (!(fault instanceof JsonProcessingException known)) {
            return invalid(NOT_JSON);
        }
        String why =
                switch (known) {
                    // Only our limit on nesting can be exceeded here; the others lie beyond 2 MB.
                    case StreamConstraintsException _ ->
                            "It is nested deeper than " + JsonText.MAX_DEPTH + " levels";
                    case JsonEOFException _ -> "It ends before it is complete";
                    default -> complaint(known.getOriginalMessage());
                };
        // For some faults the parser does not know the place.
        JsonLocation place = known.getLocation();
        return place == null || place.getByteOffset() < 0
                ? invalid(why)
                : invalid(why, place.getByteOffset());
    }

    /** The parser tells this fault from others in its text alone. */
    private static String complaint(String ofParser) {
        return ofParser.contains("surrogate") ? "It holds half a surrogate pair" : NOT_JSON;
    }
}
