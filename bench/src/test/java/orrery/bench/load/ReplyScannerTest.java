package orrery.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ReplyScannerTest {
    private static final byte[] REPLY =
            "HTTP/1.1 201 Created\r\nx-a: content-length\r\ncontent-Length:  3\r\n\r\nabcHTTP/1.1"
                    .getBytes(StandardCharsets.US_ASCII);
    private static final int HEAD = REPLY.length - "abcHTTP/1.1".length();

    @Test
    void findsStatusAndLength() {
        assertThat(ReplyScanner.status(REPLY)).isEqualTo(201);
        assertThat(ReplyScanner.headLength(REPLY, REPLY.length)).isEqualTo(HEAD);
        assertThat(ReplyScanner.length(REPLY, REPLY.length)).isEqualTo(HEAD + 3);
    }

    @Test
    void knowsNothingBeforeTheHeadIsThere() {
        for (int count = 0; count < HEAD; count++) {
            assertThat(ReplyScanner.length(REPLY, count)).isEqualTo(ReplyScanner.UNKNOWN);
        }
    }

    @Test
    void aReplyInChunksEndsWithTheLast() {
        byte[] chunked =
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
                        .getBytes(StandardCharsets.US_ASCII);
        for (int count = 0; count < chunked.length; count++) {
            assertThat(ReplyScanner.length(chunked, count)).isEqualTo(ReplyScanner.UNKNOWN);
        }
        assertThat(ReplyScanner.length(chunked, chunked.length)).isEqualTo(chunked.length);
    }

    @Test
    void aRepliesBytesAreReadAsTheyWereWritten() {
        Reply reply = Reply.parse(REPLY, HEAD, HEAD + 3);
        assertThat(Reply.parse(reply.toBytes())).isEqualTo(reply);
    }
}
