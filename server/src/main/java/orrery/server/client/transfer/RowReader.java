package orrery.server.client.transfer;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import orrery.document.ByteSink;
import orrery.model.Bytes;
import orrery.model.SizeLimits;

/**
 * Cuts JSON into rows as it comes: the elements of an array, the lines of JSON Lines, or whole
 * objects over several lines. It holds one row at a time, so the size of the file does not matter.
 * It looks at strings and brackets only; whoever takes a row checks it.
 */
final class RowReader implements Rows {
    /** Layouts of a file. */
    enum Layout {
        ARRAY,
        LINES,
        OBJECTS
    }

    /** No item is larger; more of a row is not kept. */
    private static final int MAX_ROW_BYTES = SizeLimits.DEFAULT.maxPageBytes();

    private static final int END = -1;

    private final InputStream in;
    private final byte[] buffer = new byte[1 << 16];
    private int at;
    private int limit;
    private long line = 1;
    private long rows;
    private Optional<Layout> layout;
    private boolean isBegun;
    private boolean isArrayClosed;
    private boolean isEnded;

    /**
     * @param layout absent to find out from the first line; {@code OBJECTS} may be an array too
     */
    RowReader(InputStream in, Optional<Layout> layout) {
        this.in = in;
        this.layout = layout;
    }

    @Override
    public Optional<Row> next() throws IOException {
        if (isEnded) {
            return Optional.empty();
        }
        boolean isFirst = !isBegun;
        if (isFirst) {
            begin();
        }
        Optional<Row> row =
                switch (layout.orElse(Layout.LINES)) {
                    case ARRAY -> element(isFirst);
                    case LINES -> line(isFirst);
                    case OBJECTS -> object();
                };
        isEnded = row.isEmpty();
        return row;
    }

    /** A byte order mark is no part of the text. */
    private void begin() throws IOException {
        isBegun = true;
        if (peek() == 0xEF) {
            read();
            if (read() != 0xBB || read() != 0xBF) {
                throw new BrokenFileException("The file is not UTF-8 text.");
            }
        }
        skipBlanks();
        if (peek() == '[' && !layout.equals(Optional.of(Layout.LINES))) {
            read();
            layout = Optional.of(Layout.ARRAY);
        }
    }

    private Optional<Row> element(boolean isFirst) throws IOException {
        if (isArrayClosed) {
            return endOfArray();
        }
        skipBlanks();
        if (isFirst && peek() == ']') {
            read();
            return endOfArray();
        }
        Collector row = new Collector(line);
        while (true) {
            int next = peek();
            if (next == END) {
                throw new BrokenFileException(
                        "The file ends inside of its array: what begins at line "
                                + row.line
                                + " has no end.");
            }
            boolean isBetween = row.depth == 0 && !row.isInString;
            if (isBetween && (next == ',' || next == ']')) {
                break;
            }
            row.add(read());
        }
        if (row.isBlank) {
            throw new BrokenFileException("A value is missing in the array at line " + line + ".");
        }
        isArrayClosed = read() == ']';
        return Optional.of(row.finish());
    }

    private Optional<Row> endOfArray() throws IOException {
        skipBlanks();
        if (peek() != END) {
            throw new BrokenFileException(
                    "Something follows the end of the array at line " + line + ".");
        }
        return Optional.empty();
    }

    /**
     * A line with a whole value in it. Where the first one ends inside of a value, the file is one
     * of objects over several lines; a line break inside of a string is a fault of that line.
     */
    private Optional<Row> line(boolean isFirst) throws IOException {
        skipBlanks();
        if (peek() == END) {
            return Optional.empty();
        }
        Collector row = new Collector(line);
        while (peek() != END) {
            boolean isBreak = peek() == '\n';
            if (isBreak && isFirst && layout.isEmpty() && row.depth > 0 && !row.isInString) {
                layout = Optional.of(Layout.OBJECTS);
                return Optional.of(untilClosed(row));
            }
            if (isBreak) {
                break;
            }
            row.add(read());
        }
        layout = Optional.of(Layout.LINES);
        return Optional.of(row.finish());
    }

    private Optional<Row> object() throws IOException {
        skipBlanks();
        return peek() == END ? Optional.empty() : Optional.of(untilClosed(new Collector(line)));
    }

    /** Anything but an object ends with its line. */
    private Row untilClosed(Collector row) throws IOException {
        while (peek() != END) {
            boolean isWhole = row.depth == 0 && !row.isBlank;
            if (isWhole && (row.isClosed || peek() == '\n')) {
                break;
            }
            row.add(read());
        }
        return row.finish();
    }

    private void skipBlanks() throws IOException {
        while (peek() == ' ' || peek() == '\t' || peek() == '\r' || peek() == '\n') {
            read();
        }
    }

    private int peek() throws IOException {
        if (at == limit) {
            at = 0;
            limit = Math.max(0, in.read(buffer));
        }
        return at == limit ? END : buffer[at] & 0xFF;
    }

    private int read() throws IOException {
        int next = peek();
        if (next != END) {
            at++;
        }
        if (next == '\n') {
            line++;
        }
        return next;
    }

    /** A row that grows. */
    private final class Collector {
        private final long line;
        private final ByteSink text = new ByteSink();
        private int length;
        private int depth;
        private boolean isBlank = true;
        private boolean isInString;
        private boolean isEscaped;
        private boolean isClosed;

        Collector(long line) {
            this.line = line;
        }

        void add(int next) {
            length++;
            if (length <= MAX_ROW_BYTES) {
                text.put(next);
            }
            isBlank &= next == ' ' || next == '\t' || next == '\r' || next == '\n';
            if (isEscaped) {
                isEscaped = false;
            } else if (isInString) {
                isEscaped = next == '\\';
                isInString = next != '"';
            } else if (next == '"') {
                isInString = true;
            } else if (next == '{' || next == '[') {
                depth++;
            } else if (next == '}' || next == ']') {
                depth = Math.max(0, depth - 1);
                isClosed = depth == 0;
            }
        }

        Row finish() {
            rows++;
            boolean isTooLarge = length > MAX_ROW_BYTES;
            return new Row(rows, line, isTooLarge ? Bytes.EMPTY : text.toBytes(), isTooLarge);
        }
    }
}
