package orrery.frontend.table;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The content of the parentheses in a path. */
sealed interface KeyPredicate {
    /** {@code ()}. */
    record Nothing() implements KeyPredicate {}

    /** {@code ('T')}. */
    record Name(String name) implements KeyPredicate {}

    /** {@code (PartitionKey='..',RowKey='..')}, in either order. */
    record Keys(String partitionKey, String rowKey) implements KeyPredicate {}

    String PARTITION_KEY = "PartitionKey";
    String ROW_KEY = "RowKey";

    /**
     * @param segment decoded
     * @param open the place of the opening parenthesis
     */
    static KeyPredicate parse(String segment, int open) {
        if (!segment.endsWith(")")) {
            throw malformed();
        }
        Reader in = new Reader(segment, open + 1, segment.length() - 1);
        in.skipSpace();
        if (in.isAtEnd()) {
            return new Nothing();
        }
        if (in.isAtQuote()) {
            Name name = new Name(in.quoted());
            in.requireEnd();
            return name;
        }
        Map<String, String> keys = new LinkedHashMap<>();
        do {
            String name = in.name();
            if (keys.put(name, in.quoted()) != null) {
                throw malformed();
            }
        } while (in.skipComma());
        in.requireEnd();
        String partitionKey = keys.get(PARTITION_KEY);
        String rowKey = keys.get(ROW_KEY);
        if (keys.size() != 2 || partitionKey == null || rowKey == null) {
            throw malformed();
        }
        return new Keys(partitionKey, rowKey);
    }

    private static TableException malformed() {
        return TableException.of(
                TableErrorCode.INVALID_INPUT,
                "An entity is addressed as Table(PartitionKey='..',RowKey='..'), with quotes in"
                        + " keys doubled.");
    }

    /** Walks over the text between the parentheses. */
    final class Reader {
        private final String text;
        private final int end;
        private int at;

        Reader(String text, int from, int end) {
            this.text = text;
            this.at = from;
            this.end = end;
        }

        boolean isAtEnd() {
            return at == end;
        }

        boolean isAtQuote() {
            return at < end && text.charAt(at) == '\'';
        }

        void skipSpace() {
            while (at < end && text.charAt(at) == ' ') {
                at++;
            }
        }

        boolean skipComma() {
            skipSpace();
            return skip(',');
        }

        private boolean skip(char expected) {
            boolean isThere = at < end && text.charAt(at) == expected;
            at += isThere ? 1 : 0;
            return isThere;
        }

        void requireEnd() {
            skipSpace();
            if (!isAtEnd()) {
                throw malformed();
            }
        }

        /** A name and the sign behind it. */
        String name() {
            skipSpace();
            int start = at;
            while (at < end && Character.isLetter(text.charAt(at))) {
                at++;
            }
            String name = text.substring(start, at);
            skipSpace();
            if (!skip('=')) {
                throw malformed();
            }
            skipSpace();
            return name;
        }

        /** A text in quotes, in which two quotes stand for one. */
        String quoted() {
            if (!skip('\'')) {
                throw malformed();
            }
            @Nullable StringBuilder unescaped = null;
            int start = at;
            while (true) {
                int quote = text.indexOf('\'', at);
                if (quote < 0 || quote >= end) {
                    throw malformed();
                }
                boolean isDoubled = quote + 1 < end && text.charAt(quote + 1) == '\'';
                if (!isDoubled) {
                    at = quote + 1;
                    String rest = text.substring(start, quote);
                    return unescaped == null ? rest : unescaped.append(rest).toString();
                }
                if (unescaped == null) {
                    unescaped = new StringBuilder();
                }
                unescaped.append(text, start, quote + 1);
                at = quote + 2;
                start = at;
            }
        }
    }
}
