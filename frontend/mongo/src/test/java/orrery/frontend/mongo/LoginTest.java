package orrery.frontend.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.frontend.mongo.MongoClient.Reply;
import orrery.frontend.mongo.auth.ScramClient;
import orrery.frontend.mongo.wire.Compressor;
import orrery.frontend.mongo.wire.Message;
import orrery.frontend.mongo.wire.MessageReader;
import orrery.frontend.mongo.wire.MessageWriter;
import orrery.gateway.EngineFixture;
import orrery.model.Bytes;
import orrery.model.security.AccountKeys;
import orrery.model.security.KeyKind;
import orrery.query.mongo.Documents;

/** The beginning of a connection: hello, logins, and what nobody may do before. */
final class LoginTest {
    private static final SecureRandom RANDOM = new SecureRandom();

    @TempDir private Path directory;

    private AccountKeys keys = AccountKeys.generate(RANDOM);
    private EngineFixture fixture;
    private MongoClient client;

    @BeforeEach
    void open() {
        fixture = new EngineFixture(directory);
        client =
                new MongoClient(
                        MongoClient.endpoint(
                                fixture.engine, () -> keys, MongoClient.config(true, false)));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    /** A stream makes its collection keep changes, which is a change of the collection. */
    @Test
    void aReaderWatchesWhatKeepsItsChanges() {
        String watch = "{'aggregate':'c','pipeline':[{'$changeStream':{}}],'cursor':{}}";
        client.login("SCRAM-SHA-256", MongoClient.USER, keys.primary());
        client.call("{'create':'c'}");
        MongoClient reader = client.another();
        reader.login("SCRAM-SHA-256", MongoClient.USER, keys.primaryReadOnly());

        assertThat(reader.call(watch).failure())
                .startsWith("13 Unauthorized: ")
                .contains("Open the stream once with a read-write key");
        assertThat(client.call(watch).isOk()).isTrue();
        assertThat(reader.call(watch).isOk()).isTrue();
        assertThat(reader.call(watch.replace("'c'", "1")).failure()).startsWith("13 Unauthorized");
        assertThat(reader.call(watch.replace("'c'", "'later'")).failure())
                .startsWith("13 Unauthorized");
    }

    @Test
    void answersHelloWithTheTypesThatDriversRead() {
        Reply hello =
                client.call(
                        "admin",
                        "{'hello':1,'helloOk':true,'compression':['snappy','lz4','zlib'],"
                                + "'saslSupportedMechs':'admin.orrery'}");
        assertThat(hello.document().properties().keySet())
                .containsExactly(
                        "helloOk",
                        "isWritablePrimary",
                        "hosts",
                        "setName",
                        "setVersion",
                        "secondary",
                        "primary",
                        "me",
                        "electionId",
                        "maxBsonObjectSize",
                        "maxMessageSizeBytes",
                        "maxWriteBatchSize",
                        "localTime",
                        "logicalSessionTimeoutMinutes",
                        "connectionId",
                        "minWireVersion",
                        "maxWireVersion",
                        "readOnly",
                        "compression",
                        "saslSupportedMechs",
                        "ok");
        assertThat(hello.document())
                .isEqualTo(
                        Documents.of(
                                "{'helloOk':true,'isWritablePrimary':true,"
                                        + "'hosts':['orrery.example:10255'],'setName':'globaldb',"
                                        + "'setVersion':1,'secondary':false,"
                                        + "'primary':'orrery.example:10255',"
                                        + "'me':'orrery.example:10255',"
                                        + "'electionId':{'$oid':'7fffffff0000000000000001'},"
                                        + "'maxBsonObjectSize':16777216,"
                                        + "'maxMessageSizeBytes':48000000,"
                                        + "'maxWriteBatchSize':100000,'localTime':"
                                        + "{'$date':{'$numberLong':'"
                                        + ((orrery.document.BsonValue.DateTime)
                                                        hello.at("localTime"))
                                                .millis()
                                        + "'}},'logicalSessionTimeoutMinutes':30,"
                                        + "'connectionId':77,'minWireVersion':0,"
                                        + "'maxWireVersion':25,'readOnly':false,"
                                        + "'compression':['snappy','zlib'],"
                                        + "'saslSupportedMechs':['SCRAM-SHA-1','SCRAM-SHA-256'],"
                                        + "'ok':{'$numberDouble':'1.0'}}"));
    }

    @Test
    void hearsAboutTheClientOnce() {
        assertThat(client.call("admin", "{'ismaster':1,'client':{}}").text("ismaster"))
                .isEqualTo("true");
        assertThat(client.call("admin", "{'hello':1,'client':{}}").text("code")).isEqualTo("186");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'find':'c'}",
                "{'insert':'c','documents':[{'_id':1}]}",
                "{'getMore':{'$numberLong':'1'},'collection':'c'}",
                "{'listDatabases':1}",
                "{'dropDatabase':1}",
                "{'update':'c','updates':[]}"
            })
    void refusesCommandsBeforeTheLogin(String command) {
        String name = command.substring(2, command.indexOf('\'', 2));
        assertThat(client.call("admin", command).failure())
                .isEqualTo("13 Unauthorized: Command " + name + " requires authentication");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SCRAM-SHA-1", "SCRAM-SHA-256"})
    void letsInWhoHasAKey(String mechanism) {
        Reply last = client.login(mechanism, MongoClient.USER, keys.primary());
        assertThat(last.text("done")).isEqualTo("true");
        assertThat(client.call("{'insert':'c','documents':[{'_id':1}]}").number("n")).isEqualTo(1);
        assertThat(client.call("admin", "{'logout':1}").isOk()).isTrue();
        assertThat(client.call("{'find':'c'}").text("code")).isEqualTo("13");
    }

    @Test
    void refusesOthersWithoutSayingWhy() {
        String refused = "18 AuthenticationFailed: Authentication failed.";
        assertThat(
                        client.login("SCRAM-SHA-256", MongoClient.USER, AccountKeys.newKey(RANDOM))
                                .failure())
                .isEqualTo(refused);
        assertThat(client.login("SCRAM-SHA-256", "other", keys.primary()).failure())
                .isEqualTo(refused);
        assertThat(client.login("PLAIN-SHA-1", "other", "x").text("code")).isEqualTo("334");
        assertThat(client.call("{'find':'c'}").text("code")).isEqualTo("13");
    }

    @Test
    void finishesWithAnEmptyExchangeUnlessTheClientSkipsIt() {
        ScramClient scram = new ScramClient("SCRAM-SHA-256", MongoClient.USER, keys.secondary());
        Reply hello =
                client.call(
                        "admin",
                        "{'hello':1,'speculativeAuthenticate':{'saslStart':1,"
                                + "'mechanism':'SCRAM-SHA-256','db':'admin','payload':"
                                + MongoClient.binary(scram.first())
                                + "}}");
        String continues =
                "{'saslContinue':1,'conversationId':"
                        + hello.number("speculativeAuthenticate.conversationId")
                        + ",'payload':";
        byte[] proof = scram.last(hello.payload("speculativeAuthenticate.payload"));
        Reply proven = client.call("admin", continues + MongoClient.binary(proof) + "}");
        assertThat(proven.text("done")).isEqualTo("false");
        assertThat(client.call("{'find':'c'}").text("code")).isEqualTo("13");
        Reply end = client.call("admin", continues + MongoClient.binary(new byte[0]) + "}");
        assertThat(end.text("done")).isEqualTo("true");
        assertThat(client.call("{'find':'c'}").isOk()).isTrue();
        assertThat(client.call("admin", continues + MongoClient.binary(proof) + "}").failure())
                .startsWith("17 ProtocolError");
    }

    @Test
    void refusesWritesWithAKeyThatOnlyReads() {
        client.login("SCRAM-SHA-256", MongoClient.USER, keys.primary());
        assertThat(client.call("{'insert':'there','documents':[{'_id':1}]}").isOk()).isTrue();
        client.login("SCRAM-SHA-256", MongoClient.USER, keys.primaryReadOnly());
        assertThat(client.call("{'find':'c'}").isOk()).isTrue();
        for (String write :
                List.of(
                        "'insert':'there','documents':[{'_id':2}]",
                        "'insert':'there','documents':[{'_id':2},{'_id':3}],'ordered':false",
                        "'update':'there','updates':[{'q':{'_id':1},'u':{'$set':{'a':1}}}]",
                        "'update':'there','updates':[{'q':{},'u':{'$set':{'a':1}},'multi':true}]",
                        "'delete':'there','deletes':[{'q':{'_id':1},'limit':1}]",
                        "'delete':'there','deletes':[{'q':{},'limit':0}]",
                        "'findAndModify':'there','query':{'_id':1},'remove':true",
                        "'aggregate':'there','pipeline':[{'$out':'other'}],'cursor':{}",
                        "'aggregate':'there','pipeline':[{'$merge':'other'}],'cursor':{}")) {
            assertThat(client.call("{" + write + "}").failure())
                    .as(write)
                    .startsWith("13 Unauthorized: not authorized on d to execute");
        }
        Reply refused = client.call("{'create':'c'}");
        assertThat(refused.failure()).startsWith("13 Unauthorized: not authorized on d to execute");
        assertThat(
                        client.call(
                                        "admin",
                                        "{'bulkWrite':1,'ops':[{'delete':0,'filter':{}}],"
                                                + "'nsInfo':[{'ns':'e.c'}]}")
                                .failure())
                .isEqualTo("13 Unauthorized: not authorized on e to execute command bulkWrite");
    }

    @Test
    void endsALoginWithItsKey() {
        client.login("SCRAM-SHA-256", MongoClient.USER, keys.primary());
        assertThat(client.call("{'find':'c'}").isOk()).isTrue();
        keys = keys.replacing(Map.of(KeyKind.PRIMARY, AccountKeys.newKey(RANDOM)));
        assertThat(client.call("{'find':'c'}").text("code")).isEqualTo("13");
    }

    /** Nothing of a stranger is decompressed; afterwards the limit holds for what comes out. */
    @Test
    void readsCompressedMessagesOfKnownClientsOnly() throws Exception {
        byte[] small = MessageWriter.msg(1, 0, ping(""), false, Compressor.ZSTD);
        assertThat(client.frame(small, MongoClient.LIMIT)).isEqualTo(Answer.CLOSE);
        assertThat(client.call("admin", "{'hello':1}").isOk()).isTrue();
        assertThat(client.frame(small, MongoClient.LIMIT)).isEqualTo(Answer.CLOSE);

        client.login("SCRAM-SHA-256", MongoClient.USER, keys.primary());
        byte[] large = MessageWriter.msg(1, 0, ping("x".repeat(100_000)), false, Compressor.ZSTD);
        assertThat(large.length).isLessThan(1_000);
        for (byte[] frame : new byte[][] {small, large}) {
            Answer answer = client.frame(frame, MongoClient.LIMIT);
            assertThat(MessageReader.read(answer.message().orElseThrow(), MongoClient.LIMIT))
                    .isInstanceOf(Message.Msg.class);
        }
        assertThat(client.frame(large, 48 << 10)).isEqualTo(Answer.CLOSE);
    }

    private static Bytes ping(String comment) {
        return Documents.bson("{'ping':1,'$db':'d','comment':'" + comment + "'}");
    }
}
