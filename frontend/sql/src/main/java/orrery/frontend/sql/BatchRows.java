package orrery.frontend.sql;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.CRC32;
import orrery.document.ByteSink;
import orrery.document.KeyHeader;
import orrery.document.SystemProperties;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.metering.Receipt;

/**
 * Batches as the .NET SDK writes them: a stream of HybridRow records, answered in kind. All numbers
 * are little-endian.
 *
 * <pre>
 * stream   segment record*
 * segment  81 F0D8FF7F 01 0A000000             the last is its own length
 * record   81 F1D8FF7F length:i32 crc32:u32 row
 * row      81 schema:i32 presence:u8 fixed* variable* sparse*
 * variable length:varuint bytes
 * sparse   type:u8 path:varuint value          the path is the number of the column
 * </pre>
 */
final class BatchRows {
    /** With this byte every row begins, and no JSON text. */
    private static final int ROW = 0x81;

    private static final int SEGMENT_SCHEMA = 2147473648;
    private static final int RECORD_SCHEMA = 2147473649;
    private static final int OPERATION_SCHEMA = 2145473648;
    private static final int RESULT_SCHEMA = 2145473649;
    private static final int SEGMENT_BYTES = 10;
    private static final int DOCUMENT = 2;

    // Columns of an operation: the first seven have a bit each, the others are sparse.
    private static final int OPERATION_TYPE = 1;
    private static final int RESOURCE_TYPE = 2;
    private static final int PARTITION_KEY = 3;
    private static final int EFFECTIVE_KEY = 4;
    private static final int ID = 5;
    private static final int BINARY_ID = 6;
    private static final int RESOURCE_BODY = 7;
    private static final int INDEXING_DIRECTIVE = 8;
    private static final int IF_MATCH = 9;
    private static final int IF_NONE_MATCH = 10;
    private static final int TIME_TO_LIVE = 11;
    private static final int MINIMAL_RETURN = 12;

    // Columns of a result: the first four have a bit each.
    private static final int RESULT_HEAD = 0b0011;
    private static final int RESULT_ETAG = 0b0100;
    private static final int RESULT_BODY = 0b1000;
    private static final int RETRY_AFTER = 5;
    private static final int REQUEST_CHARGE = 6;

    private static final int FALSE_TYPE = 2;
    private static final int TRUE_TYPE = 3;
    private static final int INT32_TYPE = 7;
    private static final int UINT32_TYPE = 11;
    private static final int FLOAT64_TYPE = 16;
    private static final int UTF8_TYPE = 20;

    private BatchRows() {}

    static boolean isRows(Bytes body) {
        return !body.isEmpty() && (body.at(0) & 0xFF) == ROW;
    }

    static List<BatchLine> parse(Bytes body) {
        Reader in = new Reader(body.unsafeArray());
        in.expectRow(SEGMENT_SCHEMA);
        if (in.u8() != 1 || in.i32() != SEGMENT_BYTES) {
            throw malformed("its segment has a header of another form");
        }
        List<BatchLine> lines = new ArrayList<>();
        while (in.hasMore()) {
            in.expectRow(RECORD_SCHEMA);
            int length = in.i32();
            int crc = in.i32();
            byte[] row = in.bytes(length);
            if (crc(row) != crc) {
                throw malformed("a record has another checksum than it says");
            }
            lines.add(new Operation(new Reader(row)).read());
        }
        return lines;
    }

    /** One row while it is read. */
    private static final class Operation {
        private final Reader in;
        private Optional<String> key = Optional.empty();
        private Optional<String> id = Optional.empty();
        private Optional<Bytes> body = Optional.empty();
        private Optional<String> ifMatch = Optional.empty();
        private Optional<String> ifNoneMatch = Optional.empty();
        private boolean isMinimal;

        Operation(Reader in) {
            this.in = in;
        }

        BatchLine read() {
            in.expectRow(OPERATION_SCHEMA);
            int presence = in.u8();
            int type = in.i32();
            int resource = in.i32();
            if (!has(presence, OPERATION_TYPE)
                    || !has(presence, RESOURCE_TYPE)
                    || resource != DOCUMENT) {
                throw malformed("an operation is not one on an item");
            }
            readVariable(presence);
            while (in.hasMore()) {
                readSparse(in.u8(), in.varuint());
            }
            return new BatchLine(
                    type(type),
                    id,
                    key.map(KeyHeader::parse),
                    ifMatch,
                    ifNoneMatch,
                    isMinimal,
                    body);
        }

        private void readVariable(int presence) {
            if (has(presence, PARTITION_KEY)) {
                key = Optional.of(in.text());
            }
            if (has(presence, EFFECTIVE_KEY)) {
                in.variable();
            }
            if (has(presence, ID)) {
                id = Optional.of(in.text());
            }
            if (has(presence, BINARY_ID)) {
                throw malformed("an operation has a binary id, which is not supported");
            }
            if (has(presence, RESOURCE_BODY)) {
                body = Optional.of(Bytes.wrap(in.variable()));
            }
        }

        private void readSparse(int type, int column) {
            switch (column) {
                case INDEXING_DIRECTIVE -> {
                    if (!text(type).equalsIgnoreCase("default")) {
                        throw SqlEndpoint.notBuilt("the indexing directive of a single write");
                    }
                }
                case IF_MATCH -> ifMatch = Optional.of(text(type));
                case IF_NONE_MATCH -> ifNoneMatch = Optional.of(text(type));
                case TIME_TO_LIVE -> {
                    expect(type == INT32_TYPE);
                    throw SqlEndpoint.notBuilt("the time to live of an operation of a batch");
                }
                case MINIMAL_RETURN -> {
                    expect(type == TRUE_TYPE || type == FALSE_TYPE);
                    isMinimal = type == TRUE_TYPE;
                }
                default -> throw malformed("an operation has a column that is not known here");
            }
        }

        private String text(int type) {
            expect(type == UTF8_TYPE);
            return in.text();
        }

        private static void expect(boolean isExpected) {
            if (!isExpected) {
                throw malformed("a column of an operation has another type than it should");
            }
        }

        private static boolean has(int presence, int column) {
            return ((presence >>> (column - 1)) & 1) == 1;
        }

        private static BatchLine.Type type(int number) {
            for (BatchLine.Type type : BatchLine.Type.values()) {
                if (type.number() == number) {
                    return type;
                }
            }
            throw malformed("an operation has the type " + number + ", which is not known here");
        }
    }

    static Bytes write(List<BatchLineResult> results, SystemProperties system) {
        ByteSink out = new ByteSink(BatchLineResult.sizeOf(results));
        out.put(ROW);
        i32(out, SEGMENT_SCHEMA);
        out.put(1);
        i32(out, SEGMENT_BYTES);
        for (BatchLineResult result : results) {
            byte[] row = row(result, system);
            out.put(ROW);
            i32(out, RECORD_SCHEMA);
            i32(out, row.length);
            i32(out, crc(row));
            out.put(row);
        }
        return out.toBytes();
    }

    private static byte[] row(BatchLineResult result, SystemProperties system) {
        ByteSink out = new ByteSink();
        out.put(ROW);
        i32(out, RESULT_SCHEMA);
        out.put(
                RESULT_HEAD
                        | (result.etag().isPresent() ? RESULT_ETAG : 0)
                        | (result.item().isPresent() ? RESULT_BODY : 0));
        i32(out, result.status());
        i32(out, result.substatus());
        result.etag().ifPresent(etag -> variable(out, etag.getBytes(StandardCharsets.UTF_8)));
        result.item()
                .ifPresent(
                        item -> {
                            ByteSink body = new ByteSink();
                            system.splice(body, item, OptionalLong.empty());
                            variable(out, body.toArray());
                        });
        if (result.retryAfterMillis().isPresent()) {
            out.put(UINT32_TYPE).put(RETRY_AFTER);
            i32(out, (int) result.retryAfterMillis().getAsLong());
        }
        out.put(FLOAT64_TYPE).put(REQUEST_CHARGE);
        i64(out, Double.doubleToLongBits(Receipt.hundredths(result.charge()) / 100.0));
        return out.toArray();
    }

    private static int crc(byte[] row) {
        CRC32 crc = new CRC32();
        crc.update(row);
        return (int) crc.getValue();
    }

    private static void variable(ByteSink out, byte[] bytes) {
        int rest = bytes.length;
        while (rest >= 0x80) {
            out.put((rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        out.put(rest).put(bytes);
    }

    private static void i32(ByteSink out, int value) {
        for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
            out.put(value >>> shift);
        }
    }

    private static void i64(ByteSink out, long value) {
        i32(out, (int) value);
        i32(out, (int) (value >>> Integer.SIZE));
    }

    /** Takes bytes apart and refuses to read beyond their end. */
    private static final class Reader {
        private static final int MAX_VARUINT_SHIFT = 28;

        private final ByteBuffer in;

        Reader(byte[] bytes) {
            this.in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        }

        boolean hasMore() {
            return in.hasRemaining();
        }

        void expectRow(int schema) {
            if (u8() != ROW || i32() != schema) {
                throw malformed("a row has another version or schema than expected");
            }
        }

        int u8() {
            return need(1).get() & 0xFF;
        }

        int i32() {
            return need(Integer.BYTES).getInt();
        }

        int varuint() {
            int value = 0;
            for (int shift = 0; shift <= MAX_VARUINT_SHIFT; shift += 7) {
                int next = u8();
                value |= (next & 0x7F) << shift;
                if (next < 0x80) {
                    return value;
                }
            }
            throw malformed("a number in it is too large");
        }

        byte[] variable() {
            return bytes(varuint());
        }

        String text() {
            return new String(variable(), StandardCharsets.UTF_8);
        }

        byte[] bytes(int count) {
            if (count < 0) {
                throw malformed("a length in it is less than nothing");
            }
            need(count);
            byte[] bytes = new byte[count];
            in.get(bytes);
            return bytes;
        }

        private ByteBuffer need(int count) {
            if (in.remaining() < count) {
                throw malformed("it ends too early");
            }
            return in;
        }
    }

    private static OrreryException malformed(String reason) {
        return new OrreryException(
                ErrorCode.BAD_REQUEST, "The body of the batch cannot be read: " + reason + ".");
    }
}
