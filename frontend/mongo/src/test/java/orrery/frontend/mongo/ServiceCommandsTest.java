package orrery.frontend.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.document.BsonValue;
import orrery.frontend.mongo.MongoClient.Reply;
import orrery.gateway.EngineFixture;
import orrery.model.security.AccountKeys;

/** The commands about sessions, operations and collections that tools send. */
final class ServiceCommandsTest {
    private static final AtomicInteger NEXT = new AtomicInteger();

    private static final String SESSION =
            "{'id':{'$binary':{'base64':'AAAAAAAAAAAAAAAAAAAAAA==','subType':'04'}}}";

    @TempDir private static Path directory;

    private static final List<CommandListener.Answered> HEARD = new CopyOnWriteArrayList<>();

    private static EngineFixture fixture;
    private static MongoClient client;
    private static MongoClient stranger;

    private String name = "";

    @BeforeAll
    static void open() {
        fixture = new EngineFixture(directory);
        AccountKeys keys = AccountKeys.generate(new SecureRandom());
        client = client(keys, false);
        stranger = client(keys, true);
    }

    private static MongoClient client(AccountKeys keys, boolean needsLogin) {
        return new MongoClient(
                MongoClient.endpoint(
                        fixture.engine,
                        () -> keys,
                        MongoClient.config(needsLogin, false),
                        HEARD::add));
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    @BeforeEach
    void fill() {
        name = "s" + NEXT.incrementAndGet();
        ok(
                "{'insert':'#','documents':["
                        + IntStream.range(0, 10)
                                .mapToObj(i -> "{'_id':%d,'n':%d}".formatted(i, i))
                                .collect(Collectors.joining(","))
                        + "]}");
        HEARD.clear();
    }

    private Reply call(String command) {
        return client.call(command.replace("#", name));
    }

    private Reply ok(String command) {
        Reply reply = call(command);
        assertThat(reply.isOk()).as(reply.toString()).isTrue();
        return reply;
    }

    private static Reply admin(String command) {
        return client.call("admin", command);
    }

    // ---- lists with a cursor

    @Test
    void handsOutListsInBatches() {
        ok(
                "{'createIndexes':'#','indexes':[{'key':{'n':1},'name':'n_1'},{'key':{'m':1},'name':'m_1'}]}");
        Reply first = ok("{'listIndexes':'#','cursor':{'batchSize':1}}");
        assertThat(first.string("cursor.firstBatch.0.name")).isEqualTo("_id_");
        assertThat(first.has("cursor.firstBatch.1")).isFalse();
        String more =
                "{'getMore':{'$numberLong':'" + first.number("cursor.id") + "'},'collection':'#'}";
        Reply second = ok(more.replace("'#'}", "'#','batchSize':1}"));
        assertThat(second.string("cursor.nextBatch.0.name")).isEqualTo("n_1");
        Reply last = ok(more);
        assertThat(last.string("cursor.nextBatch.0.name")).isEqualTo("m_1");
        assertThat(last.number("cursor.id")).isZero();
        assertThat(call(more).text("code")).isEqualTo("43");
        assertThat(ok("{'listIndexes':'#','cursor':{'batchSize':3}}").number("cursor.id")).isZero();
        assertThat(call("{'listIndexes':'#','cursor':{'frob':1}}").text("code")).isEqualTo("40415");
        Reply none = ok("{'listCollections':1,'filter':{'name':'#'},'cursor':{'batchSize':0}}");
        assertThat(none.text("cursor.firstBatch")).isEqualTo("[]");
        String rest =
                "{'getMore':{'$numberLong':'"
                        + none.number("cursor.id")
                        + "'},'collection':'$cmd.listCollections'}";
        assertThat(ok(rest).text("cursor.nextBatch")).contains(name);
    }

    // ---- operations and sessions

    @Test
    void showsWhatRuns() {
        assertThat(admin("{'currentOp':1}").string("inprog.0.command.currentOp")).isEqualTo("1");
        assertThat(admin("{'currentOp':1,'command.find':{'$exists':true}}").text("inprog"))
                .isEqualTo("[]");
        assertThat(call("{'currentOp':1}").failure())
                .isEqualTo(
                        "13 Unauthorized: currentOp may only be run against the admin database.");
        String pipeline = "{'aggregate':1,'pipeline':[{'$currentOp':{}}%s],'cursor':{}}";
        assertThat(admin(pipeline.formatted("")).string("cursor.firstBatch.0.command.aggregate"))
                .isEqualTo("1");
        assertThat(admin(pipeline.formatted(",{'$match':{'op':'frob'}}")).text("cursor.firstBatch"))
                .isEqualTo("[]");
        assertThat(call(pipeline.formatted("")).text("code")).isEqualTo("73");
        assertThat(admin(pipeline.formatted(",{'$count':'n'}")).text("cursor.firstBatch"))
                .isEqualTo("[ { n: 1 } ]");
        assertThat(admin("{'killOp':1,'op':123456}").isOk()).isTrue();
        assertThat(call("{'killOp':1,'op':1}").text("code")).isEqualTo("13");
        assertThat(admin("{'killOp':1}").text("code")).isEqualTo("4");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'endSessions':[@]}                              | gone",
                "{'killSessions':[@]}                             | gone",
                "{'killAllSessions':[]}                           | gone",
                "{'killAllSessions':[{'user':'orrery','db':'admin'}]} | gone",
                "{'killAllSessions':[{'user':'other','db':'admin'}]}  | there",
                "{'killAllSessionsByPattern':[{'lsid':@}]}        | gone",
                "{'killAllSessionsByPattern':[{}]}                | gone",
                "{'refreshSessions':[@]}                          | there",
            })
    void endsSessionsWithTheirCursors(String command, String cursor) {
        Reply first = ok("{'find':'#','batchSize':1,'lsid':" + SESSION + "}");
        ok(command.replace("@", SESSION));
        Reply more =
                call(
                        "{'getMore':{'$numberLong':'"
                                + first.number("cursor.id")
                                + "'},'collection':'#'}");
        assertThat(more.isOk()).isEqualTo(cursor.equals("there"));
        ok("{'killAllSessions':[]}");
    }

    @Test
    void readsAfterTimesThatItHandedOut() {
        Reply insert = ok("{'insert':'#','documents':[{'_id':'new'}]}");
        var stamp = (BsonValue.Timestamp) insert.at("operationTime");
        String after =
                "{'find':'#','filter':{'_id':'new'},'readConcern':{'afterClusterTime':"
                        + "{'$timestamp':{'t':%d,'i':%d}}}}";
        Reply read = ok(after.formatted(stamp.seconds(), stamp.increment()));
        assertThat(read.string("cursor.firstBatch.0._id")).isEqualTo("new");
        assertThat(call(after.formatted(stamp.seconds() + 3600, 1)).failure())
                .startsWith(
                        "72 InvalidOptions: readConcern afterClusterTime value must not be greater"
                                + " than the current clusterTime.");
    }

    /** A node that was restarted is asked for times that it handed out in this very second. */
    @Test
    void readsAfterTimesThatTheClientHasHeard() {
        var stamp = (BsonValue.Timestamp) ok("{'ping':1}").at("operationTime");
        String time = "{'$timestamp':{'t':%d,'i':%d}}";
        String find =
                "{'find':'#','readConcern':{'afterClusterTime':@},'$clusterTime':{'clusterTime':@,"
                        + "'signature':{'hash':{'$binary':{'base64':'','subType':'00'}},"
                        + "'keyId':{'$numberLong':'0'}}}}";
        String later = time.formatted(stamp.seconds(), stamp.increment() + 1_000_000);
        Reply read = ok(find.replace("@", later));
        assertThat(number((BsonValue.Timestamp) read.at("operationTime")))
                .isGreaterThan(number(stamp) + 1_000_000);
        String beyond = time.formatted(stamp.seconds() + 3600, 1);
        assertThat(call(find.replace("@", beyond)).failure()).startsWith("72 InvalidOptions");
        assertThat(call("{'ping':1,'$clusterTime':{'clusterTime':5}}").failure())
                .startsWith("14 TypeMismatch");
        assertThat(call("{'ping':1,'$clusterTime':{}}").failure()).startsWith("40414 ");
    }

    private static long number(BsonValue.Timestamp stamp) {
        return (long) stamp.seconds() << 32 | stamp.increment();
    }

    // ---- collections

    @Test
    void validatesByReading() {
        Reply reply = ok("{'validate':'#','full':true}");
        assertThat(reply.number("nrecords")).isEqualTo(10);
        assertThat(reply.number("nInvalidDocuments")).isZero();
        assertThat(reply.text("valid")).isEqualTo("true");
        assertThat(call("{'validate':'gone'}").text("code")).isEqualTo("26");
    }

    @Test
    void tellsTheSizeOfData() {
        Reply reply = ok("{'dataSize':'d.#'}");
        assertThat(reply.number("numObjects")).isEqualTo(10);
        assertThat(reply.number("size")).isPositive();
        assertThat(ok("{'dataSize':'d.gone'}").number("numObjects")).isZero();
    }

    @Test
    void knowsTheOneUser() {
        assertThat(admin("{'usersInfo':1}").string("users.0._id")).isEqualTo("admin.orrery");
        assertThat(admin("{'usersInfo':'orrery'}").string("users.0.user")).isEqualTo("orrery");
        assertThat(admin("{'usersInfo':'other'}").text("users")).isEqualTo("[]");
        assertThat(call("{'usersInfo':1}").text("users")).isEqualTo("[]");
        assertThat(call("{'usersInfo':{'forAllDBs':true}}").has("users.0")).isTrue();
        assertThat(admin("{'usersInfo':1,'filter':{'db':'x'}}").text("users")).isEqualTo("[]");
        assertThat(admin("{'rolesInfo':1}").text("roles")).isEqualTo("[]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'reIndex':'#'}                                    | 20",
                "{'renameCollection':'d.#','to':'d.other'}          | 13",
                "{'top':1}                                          | 13",
                "{'atlasVersion':1}                                 | 59",
                "{'getLastError':1}                                 | 59",
                "{'isdbgrid':1}                                     | 59",
                "{'usersInfo':1,'showCredentials':true}             | 40415",
                "{'validate':'#','repair':true}                     | 115",
                "{'dataSize':'d.#','min':{'a':1}}                   | 115",
                "{'collMod':'#','index':{'name':'n','hidden':true}} | 72",
                "{'create':'#x','storageEngine':{}}                 | 72",
                "{'create':'#x','autoIndexId':false}                | 72",
                "{'create':'#x','idIndex':{'key':{'a':1}}}          | 2",
                "{'drop':'#','encryptedFields':{}}                  | 72",
                "{'createIndexes':'#','indexes':[],'ignoreUnknownIndexOptions':true} | 72",
                "{'shardCollection':'d.#x','key':{'a':1},'unique':true} | 72",
                "{'enableSharding':'d','primaryShard':'x'}          | 72",
                "{'find':'#','awaitData':true}                      | 2",
                "{'find':'#','readConcern':{'level':'snapshot'}}    | 72",
                "{'find':'#','readConcern':{'frob':1}}              | 40415",
                "{'find':'#','readConcern':{'atClusterTime':{'$timestamp':{'t':1,'i':1}}}} | 72",
                "{'find':'#','readConcern':{'afterClusterTime':1}}  | 14",
                "{'serverStatus':1,'apiVersion':'1','apiStrict':true} | 323",
                "{'refreshSessions':1}                              | 14",
                "{'killAllSessionsByPattern':[{'uid':1}]}           | 2",
            })
    void refuses(String command, String code) {
        assertThat(call(command).text("code")).isEqualTo(code);
    }

    @Test
    void tellsWhetherACommandIsStable() {
        assertThat(ok("{'find':'#','apiVersion':'1','apiStrict':true}").has("cursor")).isTrue();
    }

    @Test
    void makesCollectionsWithTheUsualIndex() {
        ok("{'create':'#x','idIndex':{'key':{'_id':1},'name':'_id_','v':2},'autoIndexId':true}");
        assertThat(ok("{'dbStats':1,'freeStorage':1}").number("freeStorageSize")).isZero();
    }

    // ---- who listens

    @Test
    void tellsItsListenerOfEachCommand() {
        ok("{'find':'#'}");
        ok("{'createIndexes':'#','indexes':[{'key':{'n':1},'name':'n_1'}]}");
        ok("{'customAction':'GetCollection','collection':'#'}");
        call("{'frobnicate':1}");
        stranger.call("{'find':'#'}".replace("#", name));
        assertThat(HEARD)
                .extracting(
                        command ->
                                command.principal()
                                        + ": "
                                        + command.operation()
                                        + " "
                                        + command.link()
                                        + " "
                                        + command.isManagement()
                                        + " "
                                        + command.code())
                .containsExactly(
                        "none: find d.@ false 0".replace("@", name),
                        "none: createIndexes d.@ true 0".replace("@", name),
                        "none: customAction GetCollection d.@ false 0".replace("@", name),
                        "none: unknown d false 59",
                        "none: find d.@ false 13".replace("@", name));
        assertThat(HEARD.getFirst().charge()).isPositive();
    }
}
