package orrery.frontend.mongo.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import orrery.model.Bytes;
import orrery.query.mongo.Documents;

final class MessageWriterTest {
    private static final Bytes REPLY = Documents.bson("{'text':'" + "orrery ".repeat(500) + "'}");

    @ParameterizedTest
    @EnumSource
    void writesWhatTheReaderReads(Compressor compressor) throws WireException {
        byte[] frame = MessageWriter.msg(8, 9, REPLY, false, compressor);
        assertThat(Frame.int32(frame, 0)).isEqualTo(frame.length);
        assertThat(Frame.requestId(frame)).isEqualTo(8);
        assertThat(Frame.int32(frame, 8)).isEqualTo(9);
        assertThat(MessageReader.read(frame, Frame.MAX_BYTES))
                .isEqualTo(new Message.Msg(8, compressor, false, false, REPLY, List.of()));
        if (compressor != Compressor.NONE) {
            assertThat(frame.length).isLessThan(REPLY.length() / 2);
        }
    }

    @Test
    void sumsOnlyWhatIsNotCompressed() throws WireException {
        byte[] plain = MessageWriter.msg(8, 9, REPLY, true, Compressor.NONE);
        assertThat(MessageReader.read(plain, Frame.MAX_BYTES))
                .isEqualTo(new Message.Msg(8, Compressor.NONE, false, true, REPLY, List.of()));
        assertThat(
                        MessageReader.read(
                                MessageWriter.msg(8, 9, REPLY, true, Compressor.ZSTD),
                                Frame.MAX_BYTES))
                .isEqualTo(new Message.Msg(8, Compressor.ZSTD, false, false, REPLY, List.of()));
    }

    @ParameterizedTest
    @CsvSource({"false, 8", "true, 10"})
    void writesReplies(boolean isFailure, int flags) {
        byte[] frame = MessageWriter.reply(8, 9, REPLY, isFailure);
        byte[] expected =
                new Frames()
                        .int32(frame.length)
                        .int32(8)
                        .int32(9)
                        .int32(1)
                        .int32(flags)
                        .int32(0)
                        .int32(0)
                        .int32(0)
                        .int32(1)
                        .raw(REPLY.unsafeArray())
                        .bytes();
        assertThat(Arrays.equals(frame, expected)).isTrue();
    }

    @Test
    void findsCompressionsByTheirNames() {
        assertThat(Compressor.named("zstd")).contains(Compressor.ZSTD);
        assertThat(Compressor.named("snappy")).contains(Compressor.SNAPPY);
        assertThat(Compressor.named("zlib")).contains(Compressor.ZLIB);
        assertThat(Compressor.named("noop")).isEmpty();
        assertThat(Compressor.named("lz4")).isEmpty();
    }
}
