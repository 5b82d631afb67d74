package orrery.frontend.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import java.util.List;

/**
 * Netty's request decoder with four additions: it stands still while a request is being answered,
 * so that pipelined bytes stay bytes; it measures the request line and the headers together; it
 * refuses headers that are folded over several lines, which servers and proxies read differently;
 * and it tells its {@link Connection} when a request begins and how its head grows.
 */
final class RequestDecoder extends HttpRequestDecoder {
    private final Connection connection;
    private final int maxHeadBytes;

    private boolean isPaused;
    private boolean isInMessage;
    private boolean isInHead;
    private boolean isAfterLineEnd;
    private boolean isFolded;
    private boolean isDead;
    private boolean isReading;
    private int headBytes;

    RequestDecoder(Connection connection, int maxHeadBytes) {
        super(
                new HttpDecoderConfig()
                        // Both count without line ends; the exact check of the sum is in decode.
                        .setMaxInitialLineLength(maxHeadBytes)
                        .setMaxHeaderSize(maxHeadBytes)
                        .setMaxChunkSize(Connection.BUFFER_BYTES)
                        .setInitialBufferSize(512)
                        .setAllowDuplicateContentLengths(false)
                        .setStrictLineParsing(true)
                        .setUseRfc9112TransferEncoding(true)
                        .setValidateHeaders(true));
        this.connection = connection;
        this.maxHeadBytes = maxHeadBytes;
    }

    /** Decodes nothing more until {@link #resume}. */
    void pause() {
        isPaused = true;
    }

    /** Decodes what has arrived meanwhile. */
    void resume(ChannelHandlerContext ctx) throws Exception {
        isPaused = false;
        // Inside channelRead the loop of the superclass goes on by itself.
        if (!isReading && actualReadableBytes() > 0) {
            channelRead(ctx, Unpooled.EMPTY_BUFFER);
        }
    }

    /** Returns true if bytes wait that are not decoded yet. */
    boolean hasMore() {
        return actualReadableBytes() > 0;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        isReading = true;
        try {
            super.channelRead(ctx, message);
        } finally {
            isReading = false;
        }
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out)
            throws Exception {
        if (isPaused) {
            return;
        }
        if (isDead) {
            in.skipBytes(in.readableBytes());
            return;
        }
        if (!isInMessage) {
            // Some clients end a body with a line end of their own; it does not begin a request.
            while (in.isReadable() && isLineEnd(in.getByte(in.readerIndex()))) {
                in.skipBytes(1);
            }
            if (!in.isReadable()) {
                return;
            }
            isInMessage = true;
            isInHead = true;
            isAfterLineEnd = false;
            isFolded = false;
            headBytes = 0;
            connection.onFirstByte();
        }
        int start = in.readerIndex();
        super.decode(ctx, in, out);
        if (isInHead) {
            headBytes += in.readerIndex() - start;
            findFold(in, start);
            checkHead(in, out);
        }
        if (!out.isEmpty() && out.getLast() instanceof LastHttpContent) {
            isInMessage = false;
        }
    }

    /** Looks for a line of the head that begins with a blank, in what was decoded just now. */
    private void findFold(ByteBuf in, int start) {
        int end = in.readerIndex();
        int line = isAfterLineEnd ? start : lineAfter(in, start, end);
        while (line >= 0 && line < end && !isFolded) {
            byte first = in.getByte(line);
            isFolded = first == ' ' || first == '\t';
            line = lineAfter(in, line, end);
        }
        if (end > start) {
            isAfterLineEnd = in.getByte(end - 1) == '\n';
        }
    }

    private static int lineAfter(ByteBuf in, int from, int end) {
        int feed = in.indexOf(from, end, (byte) '\n');
        return feed < 0 ? -1 : feed + 1;
    }

    private void checkHead(ByteBuf in, List<Object> out) {
        if (!out.isEmpty()) {
            isInHead = false;
            if ((headBytes > maxHeadBytes || isFolded)
                    && out.getFirst() instanceof HttpMessage head
                    && head.decoderResult().isSuccess()) {
                head.setDecoderResult(isFolded ? folded() : tooLong());
                isDead = true;
            }
        } else if (headBytes + in.readableBytes() > maxHeadBytes) {
            isInHead = false;
            isDead = true;
            HttpMessage head = createInvalidMessage();
            head.setDecoderResult(tooLong());
            out.add(head);
            in.skipBytes(in.readableBytes());
        } else if (!connection.onPartialHead(headBytes + in.readableBytes())) {
            isInHead = false;
            isDead = true;
            in.skipBytes(in.readableBytes());
        }
    }

    private static DecoderResult folded() {
        return DecoderResult.failure(new IllegalArgumentException("a header is folded"));
    }

    private static DecoderResult tooLong() {
        return DecoderResult.failure(new TooLongHttpHeaderException());
    }

    private static boolean isLineEnd(byte b) {
        return b == '\r' || b == '\n';
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
        if (isPaused) {
            // The superclass would ask for more because it has decoded nothing.
            ctx.fireChannelReadComplete();
        } else {
            super.channelReadComplete(ctx);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
        if (event instanceof ChannelInputShutdownEvent) {
            // The superclass would drop the pipelined requests that wait here.
            ctx.fireUserEventTriggered(event);
        } else {
            super.userEventTriggered(ctx, event);
        }
    }
}
