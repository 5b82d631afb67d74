package orrery.frontend.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import orrery.document.BsonCodec;
import orrery.document.Value;
import orrery.frontend.mongo.wire.Compressor;
import orrery.frontend.mongo.wire.Message;
import orrery.frontend.mongo.wire.MessageReader;
import orrery.frontend.mongo.wire.MessageWriter;
import orrery.gateway.EngineFixture;
import orrery.model.Bytes;
import orrery.model.security.AccountKeys;
import orrery.query.mongo.Documents;

/** Messages and the messages that answer them. */
final class MongoSessionTest {
    private static final Bytes PING = Documents.bson("{'ping':1,'$db':'d'}");

    @TempDir private static Path directory;

    private static EngineFixture fixture;
    private static MongoEndpoint endpoint;

    private MongoClient client;

    @BeforeAll
    static void open() {
        fixture = new EngineFixture(directory);
        AccountKeys keys = AccountKeys.generate(new SecureRandom());
        endpoint =
                MongoClient.endpoint(fixture.engine, () -> keys, MongoClient.config(false, false));
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    @BeforeEach
    void connect() {
        client = new MongoClient(endpoint);
    }

    private static byte[] frame(int code, int flags, byte[]... parts) {
        ByteArrayOutputStream rest = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            rest.writeBytes(part);
        }
        return little(20 + rest.size())
                .putInt(20 + rest.size())
                .putInt(9)
                .putInt(0)
                .putInt(code)
                .putInt(flags)
                .put(rest.toByteArray())
                .array();
    }

    private static ByteBuffer little(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static byte[] section(Bytes document) {
        return little(1 + document.length()).put((byte) 0).put(document.unsafeArray()).array();
    }

    private Answer send(byte[] frame) {
        return client.frame(frame, MongoClient.LIMIT);
    }

    private static Message.Msg reply(Answer answer) throws Exception {
        byte[] frame = answer.message().orElseThrow();
        assertThat(ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).getInt(8)).isEqualTo(9);
        return (Message.Msg) MessageReader.read(frame, MongoClient.LIMIT);
    }

    private static Value field(Answer answer, String name) throws Exception {
        return BsonCodec.read(reply(answer).body())
                .properties()
                .getOrDefault(name, Value.Undefined.UNDEFINED);
    }

    @Test
    void answersNothingWhereNobodyWaits() throws Exception {
        Bytes insert = Documents.bson("{'insert':'silent','documents':[{'_id':1}],'$db':'d'}");
        Answer answer = send(frame(2013, 2, section(insert)));
        assertThat(answer.message()).isEmpty();
        assertThat(answer.closes()).isFalse();
        assertThat(client.call("{'count':'silent'}").number("n")).isEqualTo(1);
        Bytes failing = Documents.bson("{'frobnicate':1,'$db':'d'}");
        assertThat(send(frame(2013, 2, section(failing))).message()).isEmpty();
    }

    @Test
    void saysThatItIsBusyToThoseWhoWait() throws Exception {
        Answer told = client.busy(frame(2013, 0, section(PING)));
        assertThat(field(told, "code")).isEqualTo(Value.of(16500));
        assertThat(told.closes()).isFalse();
        Answer untold = client.busy(frame(2013, 2, section(PING)));
        assertThat(untold.message()).isEmpty();
        assertThat(untold.closes()).isFalse();
    }

    @Test
    void sumsAnswersToMessagesWithASum() throws Exception {
        byte[] frame = frame(2013, 1, section(PING), new byte[4]);
        CRC32C sum = new CRC32C();
        sum.update(frame, 0, frame.length - 4);
        ByteBuffer.wrap(frame)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(frame.length - 4, (int) sum.getValue());
        assertThat(reply(send(frame)).hasChecksum()).isTrue();
        assertThat(reply(send(frame(2013, 0, section(PING)))).hasChecksum()).isFalse();
        frame[frame.length - 1] ^= 1;
        assertThat(send(frame)).isEqualTo(Answer.CLOSE);
    }

    @Test
    void tellsOfFlagsThatItDoesNotKnowAndCloses() throws Exception {
        Answer answer = send(frame(2013, 8, section(PING)));
        assertThat(answer.closes()).isTrue();
        assertThat(field(answer, "code")).isEqualTo(Value.of(223));
        assertThat(field(answer, "codeName")).isEqualTo(Value.of("IllegalOpMsgFlag"));
    }

    @Test
    void closesAfterWhatIsNoMessage() {
        assertThat(send(frame(2013, 0))).isEqualTo(Answer.CLOSE);
        assertThat(send(frame(2001, 0, section(PING)))).isEqualTo(Answer.CLOSE);
    }

    @Test
    void refusesDocumentsThatAreNone() throws Exception {
        byte[] damaged = section(PING);
        damaged[5] = 0x66; // the type of the first field
        Answer answer = send(frame(2013, 0, damaged));
        assertThat(answer.closes()).isFalse();
        assertThat(field(answer, "code")).isEqualTo(Value.of(22));
    }

    /** An argument that is an array, beside its command. */
    private static byte[] sequence(String argument, Bytes... documents) {
        byte[] name = (argument + "\0").getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (Bytes document : documents) {
            content.writeBytes(document.unsafeArray());
        }
        int size = 4 + name.length + content.size();
        return little(1 + size)
                .put((byte) 1)
                .putInt(size)
                .put(name)
                .put(content.toByteArray())
                .array();
    }

    @Test
    void takesDocumentsThatStandBesideTheCommand() throws Exception {
        byte[] documents =
                sequence("documents", Documents.bson("{'_id':1}"), Documents.bson("{'_id':2}"));
        Bytes insert = Documents.bson("{'insert':'beside','$db':'d'}");
        assertThat(field(send(frame(2013, 0, section(insert), documents)), "n"))
                .isEqualTo(Value.of(2));
        assertThat(client.call("{'count':'beside'}").number("n")).isEqualTo(2);
    }

    private static Bytes insertion(int collection, Bytes document) {
        byte[] head = "\u0010insert\0".getBytes(StandardCharsets.US_ASCII);
        byte[] name = "\u0003document\0".getBytes(StandardCharsets.US_ASCII);
        int size = 4 + head.length + 4 + name.length + document.length() + 1;
        return Bytes.wrap(
                little(size)
                        .putInt(size)
                        .put(head)
                        .putInt(collection)
                        .put(name)
                        .put(document.unsafeArray())
                        .put((byte) 0)
                        .array());
    }

    /** A document may have all levels that one can have: those of its operation do not count. */
    @Test
    void takesOperationsThatStandBesideTheCommand() throws Exception {
        String deep = "{'a':".repeat(100) + "1" + "}".repeat(100);
        byte[] ops =
                sequence(
                        "ops",
                        Documents.bson("{'insert':0,'document':{'_id':1,'b':1}}"),
                        insertion(1, Documents.bson(deep)),
                        Documents.bson("{'delete':0,'filter':{'_id':1}}"));
        byte[] collections =
                sequence(
                        "nsInfo",
                        Documents.bson("{'ns':'d.bulk'}"),
                        Documents.bson("{'ns':'d.deep'}"));
        Bytes command = Documents.bson("{'bulkWrite':1,'$db':'admin'}");

        Answer answer = send(frame(2013, 0, collections, section(command), ops));

        assertThat(field(answer, "nInserted")).isEqualTo(Value.of(2));
        assertThat(field(answer, "nDeleted")).isEqualTo(Value.of(1));
        assertThat(client.call("{'count':'deep'}").number("n")).isEqualTo(1);
        byte[] odd =
                sequence(
                        "ops",
                        Documents.bson("{'insert':0,'document':{'_id':2}}"),
                        Documents.bson("{'delete':0,'filter':{},'document':{'a':1}}"));
        assertThat(field(send(frame(2013, 0, collections, section(command), odd)), "code"))
                .isEqualTo(Value.of(40415));
        assertThat(client.call("{'count':'bulk'}").number("n")).isZero();
        byte[] damaged = sequence("ops", Documents.bson("{'insert':0,'document':{'a':1}}"));
        damaged[damaged.length - 9] = 0x66; // the type of the field inside
        assertThat(field(send(frame(2013, 0, collections, section(command), damaged)), "nErrors"))
                .isEqualTo(Value.of(1));
    }

    @ParameterizedTest
    @EnumSource
    void answersInTheCompressionOfTheMessageWhereItIsWorthIt(Compressor compressor)
            throws Exception {
        String name = "large" + compressor.text();
        client.call(
                "{'insert':'"
                        + name
                        + "','documents':[{'_id':1,'text':'"
                        + "orrery ".repeat(400)
                        + "'}]}");
        Answer large =
                client.message(Documents.bson("{'find':'" + name + "','$db':'d'}"), compressor);
        Answer small = client.message(PING, compressor);
        byte[] frame = large.message().orElseThrow();
        assertThat(MessageReader.read(frame, MongoClient.LIMIT).compressor()).isEqualTo(compressor);
        assertThat(
                        MessageReader.read(small.message().orElseThrow(), MongoClient.LIMIT)
                                .compressor())
                .isEqualTo(Compressor.NONE);
        if (compressor != Compressor.NONE) {
            assertThat(frame.length).isLessThan(1_000);
        }
    }

    // ---- the oldest form

    private static byte[] query(String collection, String document) {
        return frame(
                2004,
                0,
                (collection + "\0").getBytes(StandardCharsets.UTF_8),
                new byte[] {0, 0, 0, 0, -1, -1, -1, -1},
                Documents.bson(document).unsafeArray());
    }

    /** Returns the document of an OP_REPLY. */
    private static Value.Obj oldReply(Answer answer) {
        byte[] frame = answer.message().orElseThrow();
        ByteBuffer header = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(header.getInt(0)).isEqualTo(frame.length);
        assertThat(header.getInt(8)).isEqualTo(9);
        assertThat(header.getInt(12)).isEqualTo(1);
        assertThat(header.getInt(32)).isEqualTo(1);
        return BsonCodec.read(Bytes.wrap(Arrays.copyOfRange(frame, 36, frame.length)));
    }

    @Test
    void saysHelloInTheOldestForm() {
        for (String hello :
                new String[] {"{'isMaster':1,'helloOk':true}", "{'$query':{'ismaster':1}}"}) {
            assertThat(oldReply(send(query("admin.$cmd", hello))).properties())
                    .containsEntry("ismaster", Value.of(true))
                    .containsEntry("maxWireVersion", Value.of(25))
                    .containsEntry("ok", new Value.Real(1.0));
        }
    }

    @Test
    void refusesAllElseInTheOldestForm() {
        for (String collection : new String[] {"admin.$cmd", "d.c"}) {
            assertThat(oldReply(send(query(collection, "{'find':'c'}"))).properties())
                    .containsEntry("code", Value.of(352))
                    .containsEntry("ok", new Value.Real(0.0));
        }
        assertThat(oldReply(send(query("d.c", "{'isMaster':1}"))).properties())
                .containsEntry("code", Value.of(352));
    }

    @Test
    void numbersItsMessages() {
        byte[] first =
                send(MessageWriter.msg(5, 0, PING, false, Compressor.NONE)).message().orElseThrow();
        byte[] second =
                send(MessageWriter.msg(6, 0, PING, false, Compressor.NONE)).message().orElseThrow();
        ByteBuffer one = ByteBuffer.wrap(first).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer two = ByteBuffer.wrap(second).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(two.getInt(4)).isEqualTo(one.getInt(4) + 1);
        assertThat(one.getInt(8)).isEqualTo(5);
        assertThat(two.getInt(8)).isEqualTo(6);
    }
}
