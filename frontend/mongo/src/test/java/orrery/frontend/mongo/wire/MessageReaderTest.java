package orrery.frontend.mongo.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.model.Bytes;
import orrery.query.mongo.Documents;

final class MessageReaderTest {
    private static final Bytes PING = Documents.bson("{'ping':1,'$db':'admin'}");
    private static final Bytes ONE = Documents.bson("{'_id':1}");
    private static final Bytes TWO = Documents.bson("{'_id':2,'text':'two'}");

    private static Frames msg(int flags) {
        return new Frames().int32(flags);
    }

    private static Message read(byte[] frame) throws WireException {
        return MessageReader.read(frame, Frame.MAX_BYTES);
    }

    private static AbstractThrowableAssert<?, ?> assertRefused(byte[] frame) {
        return assertThatThrownBy(() -> read(frame)).isInstanceOf(WireException.class);
    }

    // ---- OP_MSG

    @Test
    void readsADocument() throws WireException {
        assertThat(read(msg(0).body(PING).msg(7)))
                .isEqualTo(new Message.Msg(7, Compressor.NONE, false, false, PING, List.of()));
    }

    @Test
    void readsSequencesBeforeAndAfterTheDocument() throws WireException {
        byte[] frame =
                msg(Frames.MORE)
                        .sequence("documents", ONE, TWO)
                        .body(PING)
                        .sequence("empty")
                        .msg(-1);
        assertThat(read(frame))
                .isEqualTo(
                        new Message.Msg(
                                -1,
                                Compressor.NONE,
                                true,
                                false,
                                PING,
                                List.of(
                                        new Message.Sequence("documents", List.of(ONE, TWO)),
                                        new Message.Sequence("empty", List.of()))));
    }

    @Test
    void checksTheSum() throws WireException {
        byte[] frame = msg(Frames.CHECKSUM).body(PING).summedMsg(3);
        assertThat(read(frame))
                .isEqualTo(new Message.Msg(3, Compressor.NONE, false, true, PING, List.of()));
        // The sum covers the header too, so each bit of the message counts.
        for (int i = Frame.HEADER_BYTES + Integer.BYTES; i < frame.length; i++) {
            byte[] damaged = frame.clone();
            damaged[i] ^= 1;
            assertRefused(damaged).hasMessage("a message does not have its checksum");
        }
        byte[] renumbered = frame.clone();
        renumbered[4] ^= 1;
        assertRefused(renumbered).hasMessage("a message does not have its checksum");
    }

    @Test
    void refusesASumThatThereIsNoRoomFor() {
        assertRefused(msg(Frames.CHECKSUM).msg(1)).hasMessage("a message ends before its checksum");
        assertRefused(msg(Frames.CHECKSUM).int8(0).int8(0).msg(1))
                .hasMessage("a message ends before its checksum");
        assertRefused(msg(Frames.CHECKSUM).summedMsg(1)).hasMessage("a message has no document");
    }

    /** Whoever does not know one of the lower bits cannot know how to read the message. */
    @Test
    void tellsOfUnknownRequiredFlagsAndIgnoresOthers() throws WireException {
        for (int bit = 2; bit < 32; bit++) {
            byte[] frame = msg(1 << bit).body(PING).msg(1);
            if (bit < 16) {
                assertRefused(frame)
                        .satisfies(
                                e ->
                                        assertThat(((WireException) e).code().orElse(0))
                                                .isEqualTo(223));
            } else {
                assertThat(read(frame)).isInstanceOf(Message.Msg.class);
            }
        }
    }

    static Stream<Arguments> malformed() {
        int length = PING.length();
        return Stream.of(
                Arguments.of("no flags", new Frames().msg(1)),
                Arguments.of("half of the flags", new Frames().int8(0).int8(0).msg(1)),
                Arguments.of("no section", msg(0).msg(1)),
                Arguments.of("only a sequence", msg(0).sequence("a", ONE).msg(1)),
                Arguments.of("two documents", msg(0).body(PING).body(PING).msg(1)),
                Arguments.of(
                        "a sequence twice",
                        msg(0).body(PING).sequence("a", ONE).sequence("a", TWO).msg(1)),
                Arguments.of("another section", msg(0).body(PING).int8(2).msg(1)),
                Arguments.of("a section of 255", msg(0).body(PING).int8(255).msg(1)),
                Arguments.of("a kind without a section", msg(0).body(PING).int8(1).msg(1)),
                Arguments.of("a document of 4 bytes", msg(0).int8(0).int32(4).int8(0).msg(1)),
                Arguments.of(
                        "a negative document",
                        msg(0).int8(0).int32(Integer.MIN_VALUE).int8(0).msg(1)),
                Arguments.of(
                        "a huge document", msg(0).int8(0).int32(Integer.MAX_VALUE).int8(0).msg(1)),
                Arguments.of(
                        "a document one byte short",
                        msg(0).int8(0).raw(Arrays.copyOf(PING.unsafeArray(), length - 1)).msg(1)),
                Arguments.of("a byte too many", msg(0).body(PING).int8(0).msg(1)),
                Arguments.of("a sequence of 4 bytes", msg(0).body(PING).int8(1).int32(4).msg(1)),
                Arguments.of("a negative sequence", msg(0).body(PING).int8(1).int32(-1).msg(1)),
                Arguments.of(
                        "a huge sequence",
                        msg(0).body(PING).int8(1).int32(Integer.MAX_VALUE).cstring("a").msg(1)),
                Arguments.of(
                        "a sequence whose name does not end",
                        msg(0).body(PING).int8(1).int32(5).int8('a').msg(1)),
                Arguments.of(
                        "a name that ends behind its sequence",
                        msg(0).int8(1).int32(5).cstring("ab").body(PING).msg(1)),
                Arguments.of(
                        "a document that ends behind its sequence",
                        msg(0).body(PING)
                                .int8(1)
                                .int32(4 + 2 + 5)
                                .cstring("a")
                                .raw(TWO.unsafeArray())
                                .msg(1)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void malformed(String what, byte[] frame) {
        assertRefused(frame)
                .as(what)
                .satisfies(e -> assertThat(((WireException) e).code()).isEmpty());
    }

    /**
     * A prefix of a message may be one by chance, where it ends with a section, and never fails
     * otherwise.
     */
    @Test
    void refusesMessagesThatAreCut() {
        byte[] frame = msg(0).body(PING).sequence("documents", ONE).msg(1);
        int whole = Frame.HEADER_BYTES + Integer.BYTES + 1 + PING.length();
        for (int length = Frame.HEADER_BYTES; length < frame.length; length++) {
            if (length != whole) {
                assertRefused(Arrays.copyOf(frame, length));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1000, 2001, 2002, 2005, 2010, 2011, 2014, -1})
    void refusesOtherKindsOfMessages(int code) {
        assertRefused(msg(0).body(PING).frame(1, code))
                .hasMessage("messages of kind " + code + " are not spoken");
    }

    // ---- lengths

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 15, 1001, Integer.MAX_VALUE})
    void refusesLengths(int length) {
        assertThatThrownBy(() -> Frame.checkedLength(length, 1000))
                .isInstanceOf(WireException.class);
    }

    @Test
    void allowsLengthsUpToTheLimit() throws WireException {
        assertThat(Frame.checkedLength(16, 1000)).isEqualTo(16);
        assertThat(Frame.checkedLength(1000, 1000)).isEqualTo(1000);
        assertThat(Frame.checkedLength(Frame.MAX_BYTES, Integer.MAX_VALUE))
                .isEqualTo(Frame.MAX_BYTES);
        assertThatThrownBy(() -> Frame.checkedLength(Frame.MAX_BYTES + 1, Integer.MAX_VALUE))
                .isInstanceOf(WireException.class);
    }

    // ---- OP_COMPRESSED

    @ParameterizedTest
    @EnumSource
    void readsCompressedMessages(Compressor compressor) throws WireException {
        byte[] frame =
                Frames.compressed(msg(0).body(PING).sequence("a", ONE, TWO).msg(9), compressor);
        assertThat(read(frame))
                .isEqualTo(
                        new Message.Msg(
                                9,
                                compressor,
                                false,
                                false,
                                PING,
                                List.of(new Message.Sequence("a", List.of(ONE, TWO)))));
    }

    @ParameterizedTest
    @EnumSource
    void refusesAnotherSizeThanTheMessageSays(Compressor compressor) {
        byte[] plain = msg(0).body(PING).msg(1);
        int size = plain.length - Frame.HEADER_BYTES;
        for (int wrong : new int[] {0, 1, size - 1, size + 1, 2 * size, 1 << 20}) {
            assertRefused(Frames.compressed(plain, compressor, wrong));
        }
    }

    @ParameterizedTest
    @EnumSource
    void allocatesNothingForSizesBeyondTheLimit(Compressor compressor) throws WireException {
        byte[] plain = msg(0).body(PING).msg(1);
        int size = plain.length - Frame.HEADER_BYTES;
        for (int wrong :
                new int[] {
                    -1,
                    Integer.MIN_VALUE,
                    Integer.MAX_VALUE,
                    Frame.MAX_MESSAGE_BYTES + (16 << 10) - 15
                }) {
            assertRefused(Frames.compressed(plain, compressor, wrong))
                    .hasMessage("a message cannot have " + wrong + " bytes");
        }
        byte[] frame = Frames.compressed(plain, compressor);
        assertThat(MessageReader.read(frame, plain.length)).isInstanceOf(Message.Msg.class);
        assertThatThrownBy(() -> MessageReader.read(frame, plain.length - 1))
                .isInstanceOf(WireException.class)
                .hasMessage("a message cannot have " + size + " bytes");
    }

    @Test
    void refusesAMessageThatIsCompressedTwice() {
        byte[] once = Frames.compressed(msg(0).body(PING).msg(1), Compressor.ZLIB);
        assertRefused(Frames.compressed(once, Compressor.ZLIB))
                .hasMessage("a message is compressed twice");
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5, 127, 255})
    void refusesCompressionsThatThereAreNot(int number) {
        byte[] frame = Frames.compressed(msg(0).body(PING).msg(1), Compressor.NONE);
        frame[Frame.HEADER_BYTES + 8] = (byte) number;
        assertRefused(frame).hasMessage("there is no compressor " + number);
    }

    @Test
    void refusesCompressedMessagesThatAreCut() {
        for (Compressor compressor : Compressor.values()) {
            byte[] frame = Frames.compressed(msg(0).body(PING).msg(1), compressor);
            for (int length = Frame.HEADER_BYTES; length < Frame.HEADER_BYTES + 12; length++) {
                assertRefused(Arrays.copyOf(frame, length));
            }
        }
    }

    // ---- OP_QUERY

    private static Frames query(String collection) {
        return new Frames().int32(4).cstring(collection).int32(0).int32(-1);
    }

    @Test
    void readsTheFirstHello() throws WireException {
        Bytes hello = Documents.bson("{'isMaster':1,'helloOk':true}");
        byte[] frame = query("admin.$cmd").raw(hello.unsafeArray()).frame(5, OpCode.QUERY);
        assertThat(read(frame))
                .isEqualTo(new Message.Query(5, Compressor.NONE, "admin.$cmd", hello));
        assertRefused(Arrays.copyOf(frame, frame.length - 1));
        assertRefused(Arrays.copyOf(frame, Frame.HEADER_BYTES + 6)).hasMessage("a name has no end");
    }

    @Test
    void readsAProjectionAndRefusesMore() throws WireException {
        byte[] two =
                query("a.$cmd")
                        .raw(PING.unsafeArray())
                        .raw(ONE.unsafeArray())
                        .frame(5, OpCode.QUERY);
        assertThat(read(two)).isEqualTo(new Message.Query(5, Compressor.NONE, "a.$cmd", PING));
        byte[] three =
                query("a.$cmd")
                        .raw(PING.unsafeArray())
                        .raw(ONE.unsafeArray())
                        .raw(ONE.unsafeArray())
                        .frame(5, OpCode.QUERY);
        assertRefused(three).hasMessage("something follows the end of a message");
    }

    // ---- damage

    private static List<byte[]> valid() {
        byte[] large =
                msg(0).body(PING)
                        .sequence(
                                "documents",
                                Stream.generate(() -> TWO).limit(40).toArray(Bytes[]::new))
                        .msg(1);
        return List.of(
                msg(0).body(PING).sequence("documents", ONE, TWO).msg(1),
                msg(Frames.CHECKSUM).body(PING).summedMsg(1),
                Frames.compressed(large, Compressor.ZLIB),
                Frames.compressed(large, Compressor.SNAPPY),
                Frames.compressed(large, Compressor.ZSTD),
                query("admin.$cmd").raw(PING.unsafeArray()).frame(1, OpCode.QUERY));
    }

    /** Any other exception than that of the protocol fails this test. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void damageNeverLeadsElsewhere(long seed) {
        Random random = new Random(seed);
        int refused = 0;
        for (int i = 0; i < 6_000; i++) {
            byte[] frame = damaged(valid().get(i % valid().size()), random);
            try {
                assertThat(MessageReader.read(frame, 1 << 20).requestId())
                        .isEqualTo(Frame.requestId(frame));
            } catch (WireException expected) {
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(1_000);
    }

    private static byte[] damaged(byte[] whole, Random random) {
        byte[] frame = whole.clone();
        for (int i = random.nextInt(4); i >= 0; i--) {
            int at = Frame.HEADER_BYTES + random.nextInt(frame.length - Frame.HEADER_BYTES);
            switch (random.nextInt(4)) {
                case 0 -> frame[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> frame[at] = (byte) random.nextInt();
                case 2 -> {
                    int value = random.nextBoolean() ? random.nextInt() : random.nextInt(-8, 300);
                    Frame.putInt32(frame, Math.min(at, frame.length - 4), value);
                }
                default -> frame = Arrays.copyOf(frame, Math.max(Frame.HEADER_BYTES + 1, at));
            }
        }
        return frame;
    }
}
