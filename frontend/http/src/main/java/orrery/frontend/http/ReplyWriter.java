package orrery.frontend.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import orrery.model.Bytes;

/**
 * Turns one reply into buffers of bounded size, so that a slow reader of a large reply holds little
 * direct memory and its progress can be seen. A small reply is one buffer, head included.
 */
final class ReplyWriter implements ReplySender.Source {
    /** The state of the connection after a reply. The server decides it, not the handler. */
    enum Ending {
        KEEP_ALIVE,
        /** A HTTP/1.0 client wants to be told. */
        SAY_KEEP_ALIVE,
        CLOSE
    }

    /** From 200 to 599. */
    private static final byte[][] STATUS_LINES = new byte[400][];

    static {
        for (int i = 0; i < STATUS_LINES.length; i++) {
            STATUS_LINES[i] = makeStatusLine(200 + i);
        }
    }

    private static final byte[] CONTENT_LENGTH = ascii("Content-Length: ");
    private static final byte[] CLOSE = ascii("Connection: close\r\n");
    private static final byte[] KEEP_ALIVE = ascii("Connection: keep-alive\r\n");

    private final int bufferBytes;
    private final HttpReply reply;
    private final byte[] date;
    private final Ending ending;
    private final long contentLength;

    /** The pieces of the body to be sent: none for HEAD, 204 and 304. */
    private final List<Bytes> pieces;

    private boolean isHeadWritten;
    private int piece;
    private int offset;
    private long remaining;

    ReplyWriter(HttpReply reply, boolean answersHead, Ending ending, byte[] date, int bufferBytes) {
        this.reply = reply;
        this.ending = ending;
        this.date = date;
        this.bufferBytes = bufferBytes;
        boolean hasNoBody = reply.status() == 204 || reply.status() == 304;
        // RFC 9110 forbids the header in a 204 and lets a 304 do without.
        contentLength = hasNoBody ? -1 : reply.bodyLength();
        pieces = hasNoBody || answersHead ? List.of() : reply.body();
        remaining = pieces.isEmpty() ? 0 : contentLength;
    }

    @Override
    public boolean hasMore() {
        return !isHeadWritten || remaining > 0;
    }

    @Override
    public ByteBuf next(ByteBufAllocator allocator) {
        int headBytes = isHeadWritten ? 0 : headBytes();
        int bodyBytes = (int) Math.min(Math.max(0, bufferBytes - headBytes), remaining);
        ByteBuf buffer = allocator.buffer(headBytes + bodyBytes);
        if (!isHeadWritten) {
            writeHead(buffer);
            isHeadWritten = true;
        }
        while (bodyBytes > 0) {
            Bytes bytes = pieces.get(piece);
            int count = Math.min(bodyBytes, bytes.length() - offset);
            buffer.writeBytes(bytes.unsafeArray(), offset, count);
            bodyBytes -= count;
            remaining -= count;
            offset += count;
            if (offset == bytes.length()) {
                piece++;
                offset = 0;
            }
        }
        return buffer;
    }

    private int headBytes() {
        // Status line, Content-Length, Date and Connection together stay below this.
        int bytes = 192;
        for (int i = 0; i < reply.headers().size(); i++) {
            bytes += reply.headers().name(i).length() + reply.headers().value(i).length() + 4;
        }
        return bytes;
    }

    private void writeHead(ByteBuf buffer) {
        buffer.writeBytes(statusLine(reply.status()));
        Headers headers = reply.headers();
        for (int i = 0; i < headers.size(); i++) {
            ByteBufUtil.writeAscii(buffer, headers.name(i));
            buffer.writeShort(':' << 8 | ' ');
            ByteBufUtil.writeAscii(buffer, headers.value(i));
            buffer.writeShort('\r' << 8 | '\n');
        }
        if (contentLength >= 0) {
            buffer.writeBytes(CONTENT_LENGTH);
            writeDecimal(buffer, contentLength);
            buffer.writeShort('\r' << 8 | '\n');
        }
        buffer.writeBytes(date);
        switch (ending) {
            case KEEP_ALIVE -> {}
            case SAY_KEEP_ALIVE -> buffer.writeBytes(KEEP_ALIVE);
            case CLOSE -> buffer.writeBytes(CLOSE);
        }
        buffer.writeShort('\r' << 8 | '\n');
    }

    private static void writeDecimal(ByteBuf buffer, long value) {
        long unit = 1;
        while (value / unit >= 10) {
            unit *= 10;
        }
        for (; unit > 0; unit /= 10) {
            buffer.writeByte((int) ('0' + value / unit % 10));
        }
    }

    private static byte[] statusLine(int status) {
        return status < 600 ? STATUS_LINES[status - 200] : makeStatusLine(status);
    }

    private static byte[] makeStatusLine(int status) {
        // 449 is Microsoft's own.
        String reason =
                status == 449 ? "Retry With" : HttpResponseStatus.valueOf(status).reasonPhrase();
        return ascii("HTTP/1.1 " + status + " " + reason + "\r\n");
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** The Date header line, made once per second. */
    static final class DateLine {
        private static final DateTimeFormatter FORMAT =
                DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
                        .withZone(ZoneOffset.UTC);

        @SuppressWarnings("ArrayRecordComponent") // never compared
        private record Stamp(long second, byte[] line) {}

        private final Clock clock;
        private volatile Stamp stamp = new Stamp(Long.MIN_VALUE, new byte[0]);

        DateLine(Clock clock) {
            this.clock = clock;
        }

        byte[] now() {
            long second = Math.floorDiv(clock.millis(), 1000);
            Stamp current = stamp;
            if (current.second() != second) {
                String text = FORMAT.format(Instant.ofEpochSecond(second));
                current = new Stamp(second, ascii("Date: " + text + "\r\n"));
                stamp = current;
            }
            return current.line();
        }
    }
}
