package orrery.frontend.http;

import io.netty.util.AsciiString;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Header fields in the order they came, found by name without regard to case. Immutable. A field
 * with an empty value counts as absent in the lookups: SDKs send empty continuation headers.
 */
public final class Headers {
    public static final Headers EMPTY = new Headers(new CharSequence[0], 0);

    /** Name, value, name, value; a request has some twenty, for which a scan beats a hash. */
    private final CharSequence[] fields;

    private final int used;

    private Headers(CharSequence[] fields, int used) {
        this.fields = fields;
        this.used = used;
    }

    /** Pairs of name and value. */
    public static Headers of(String... namesAndValues) {
        if (namesAndValues.length % 2 != 0) {
            throw new IllegalArgumentException("a header name without a value");
        }
        var builder = new Builder();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            builder.add(namesAndValues[i], namesAndValues[i + 1]);
        }
        return builder.build();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** The first non-empty value of that name. */
    public Optional<String> find(CharSequence name) {
        return Optional.ofNullable(get(name));
    }

    /** Like {@link #find}, but returns null when absent; meant for hot paths. */
    public @Nullable String get(CharSequence name) {
        for (int i = 0; i < used; i += 2) {
            if (AsciiString.contentEqualsIgnoreCase(fields[i], name) && !fields[i + 1].isEmpty()) {
                return text(fields[i + 1]);
            }
        }
        return null;
    }

    /** All values of that name that are not empty, in order. */
    public List<String> all(CharSequence name) {
        var values = new ArrayList<String>(1);
        for (int i = 0; i < used; i += 2) {
            if (AsciiString.contentEqualsIgnoreCase(fields[i], name) && !fields[i + 1].isEmpty()) {
                values.add(text(fields[i + 1]));
            }
        }
        return values;
    }

    /** Returns true if a field of that name is there, even with an empty value. */
    public boolean contains(CharSequence name) {
        for (int i = 0; i < used; i += 2) {
            if (AsciiString.contentEqualsIgnoreCase(fields[i], name)) {
                return true;
            }
        }
        return false;
    }

    /** The number of fields. */
    public int size() {
        return used / 2;
    }

    public void forEach(BiConsumer<? super String, ? super String> visitor) {
        for (int i = 0; i < used; i += 2) {
            visitor.accept(fields[i].toString(), text(fields[i + 1]));
        }
    }

    /**
     * A value as text. It was received as one character per byte, since HTTP leaves open what bytes
     * beyond ASCII mean. Clients that send keys unescaped send UTF-8; what is not UTF-8 stays
     * Latin-1, as HTTP had it once.
     */
    private static String text(CharSequence value) {
        String received = value.toString();
        for (int i = 0; i < received.length(); i++) {
            if (received.charAt(i) >= 0x80) {
                return decoded(received);
            }
        }
        return received;
    }

    private static String decoded(String received) {
        ByteBuffer bytes = ByteBuffer.wrap(received.getBytes(StandardCharsets.ISO_8859_1));
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
        } catch (CharacterCodingException notUtf8) {
            return received;
        }
    }

    CharSequence name(int index) {
        return fields[2 * index];
    }

    CharSequence value(int index) {
        return fields[2 * index + 1];
    }

    @Override
    public String toString() {
        var text = new StringBuilder();
        forEach((name, value) -> text.append(name).append(": ").append(value).append('\n'));
        return text.toString();
    }

    /** Collects fields. What it accepts cannot break the framing of a message. */
    public static final class Builder {
        /** The characters that a header name may hold; a table, because every reply asks. */
        private static final boolean[] NAME_CHARACTERS = nameCharacters();

        // Room for the headers of a usual SDK request or reply.
        private static final int INITIAL_FIELDS = 48;

        private CharSequence[] fields = new CharSequence[INITIAL_FIELDS];
        private int used;

        /**
         * Adds a field.
         *
         * @throws IllegalArgumentException for a name that is not a token, or a value with control
         *     characters or characters beyond Latin-1
         */
        public Builder add(CharSequence name, CharSequence value) {
            checkName(name);
            checkValue(name, value);
            return addUnchecked(name, value);
        }

        Builder addUnchecked(CharSequence name, CharSequence value) {
            if (used == fields.length) {
                fields = Arrays.copyOf(fields, Math.max(INITIAL_FIELDS, used * 2));
            }
            fields[used++] = name;
            fields[used++] = value;
            return this;
        }

        /** Gives the collected fields away; the builder begins anew. */
        public Headers build() {
            if (used == 0) {
                return EMPTY;
            }
            var headers = new Headers(fields, used);
            fields = new CharSequence[0];
            used = 0;
            return headers;
        }

        private static boolean[] nameCharacters() {
            boolean[] allowed = new boolean[128];
            for (char c = 0; c < allowed.length; c++) {
                allowed[c] =
                        (c >= 'a' && c <= 'z')
                                || (c >= 'A' && c <= 'Z')
                                || (c >= '0' && c <= '9')
                                || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
            }
            return allowed;
        }

        private static void checkName(CharSequence name) {
            if (name.isEmpty()) {
                throw new IllegalArgumentException("empty header name");
            }
            for (int i = 0; i < name.length(); i++) {
                char c = name.charAt(i);
                if (c >= NAME_CHARACTERS.length || !NAME_CHARACTERS[c]) {
                    throw new IllegalArgumentException("illegal character in a header name");
                }
            }
        }

        private static void checkValue(CharSequence name, CharSequence value) {
            for (int i = 0; i < value.length(); i++) {
                char c = value.charAt(i);
                if ((c < 0x20 && c != '\t') || c == 0x7f || c > 0xff) {
                    throw new IllegalArgumentException(
                            "illegal character in the value of header " + name);
                }
            }
        }
    }
}
