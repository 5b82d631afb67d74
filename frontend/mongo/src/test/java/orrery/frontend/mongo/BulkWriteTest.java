package orrery.frontend.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.BsonCodec;
import orrery.document.Value;
import orrery.frontend.mongo.MongoClient.Reply;
import orrery.query.mongo.Documents;

/** {@code bulkWrite}, which writes to several collections. */
final class BulkWriteTest {
    private static final AtomicInteger NEXT = new AtomicInteger();

    @RegisterExtension
    static final MongoEngine ENGINE = MongoEngine.ofNewestLevel().withFailPoints();

    private final MongoClient client = ENGINE.client();

    /** A collection that no other test has. */
    private final String name = MongoEngine.newName();

    /** A session that no other test has. */
    private final int session = NEXT.incrementAndGet();

    private Reply call(String command) {
        return client.call(command.replace("#", name));
    }

    /** Sends operations on d.#, and on e.# as the second collection. */
    private Reply bulk(String operations, String... fields) {
        return bulkOf("'ops':[" + operations + "],'nsInfo':[{'ns':'d.#'},{'ns':'e.#'}]", fields);
    }

    private Reply bulkOf(String content, String... fields) {
        String more = fields.length == 0 ? "" : "," + String.join(",", fields);
        return client.call("admin", ("{'bulkWrite':1," + content + more + "}").replace("#", name));
    }

    private String all() {
        return all("d");
    }

    private String all(String database) {
        return client.call(database, "{'find':'" + name + "','sort':{'_id':1}}")
                .text("cursor.firstBatch");
    }

    private static Value value(String json) {
        return Documents.value(json);
    }

    private static String summary(Reply reply) {
        List<String> counts = new ArrayList<>();
        for (String each : new String[] {"Errors", "Inserted", "Matched", "Modified"}) {
            counts.add(reply.text("n" + each));
        }
        return String.join(" ", counts)
                + " "
                + reply.text("nUpserted")
                + " "
                + reply.text("nDeleted");
    }

    private void create(boolean isSharded) {
        if (isSharded) {
            assertThat(
                            call("{'customAction':'CreateCollection','collection':'#',"
                                            + "'shardKey':'k','offerThroughput':50000}")
                                    .isOk())
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void writesOfAllKindsGoToSeveralCollections(boolean isSharded) {
        create(isSharded);

        Reply reply =
                bulk(
                        "{'insert':0,'document':{'_id':1,'k':1}},{'insert':0,'document':{'_id':2,'k':2}},"
                                + "{'insert':1,'document':{'_id':9}},"
                                + "{'update':0,'filter':{'k':1,'_id':1},'updateMods':{'$set':{'x':1}}},"
                                + "{'update':0,'filter':{},'updateMods':{'$set':{'y':1}},'multi':true},"
                                + "{'update':0,'filter':{'k':5,'_id':5},'updateMods':{'$set':{'z':1}},"
                                + "'upsert':true},"
                                + "{'delete':0,'filter':{'k':2,'_id':2}},"
                                + "{'delete':1,'filter':{},'multi':true},"
                                + "{'update':1,'filter':{'_id':7},'updateMods':{'_id':7},'upsert':true}");

        assertThat(reply.text("cursor"))
                .isEqualTo(
                        "{ firstBatch: [ { ok: 1.0, idx: 0, n: 1 }, { ok: 1.0, idx: 1, n: 1 },"
                                + " { ok: 1.0, idx: 2, n: 1 }, { ok: 1.0, idx: 3, n: 1, nModified: 1 },"
                                + " { ok: 1.0, idx: 4, n: 2, nModified: 2 },"
                                + " { ok: 1.0, idx: 5, n: 1, nModified: 0, upserted: { _id: 5 } },"
                                + " { ok: 1.0, idx: 6, n: 1 }, { ok: 1.0, idx: 7, n: 1 },"
                                + " { ok: 1.0, idx: 8, n: 1, nModified: 0, upserted: { _id: 7 } } ],"
                                + " id: 0, ns: \"admin.$cmd.bulkWrite\" }");
        assertThat(summary(reply)).isEqualTo("0 3 3 3 2 2");
        assertThat(all()).isEqualTo("[ { _id: 1, k: 1, x: 1, y: 1 }, { _id: 5, k: 5, z: 1 } ]");
        assertThat(all("e")).isEqualTo("[ { _id: 7 } ]");
    }

    @ParameterizedTest
    @CsvSource({"true,1,1 1 0 0 0 0", "false,4,2 2 1 1 0 0"})
    void anOrderedWriteEndsWithItsFirstFailure(boolean ordered, int last, String counts) {
        Reply reply =
                bulk(
                        "{'insert':0,'document':{'_id':1}},{'insert':0,'document':{'_id':1}},"
                                + "{'insert':0,'document':{'_id':2}},"
                                + "{'update':0,'filter':{'_id':1},'updateMods':{'$inc':{'n':1}}},"
                                + "{'update':0,'filter':{'_id':1},'updateMods':{'$frob':{'n':1}}}",
                        "'ordered':" + ordered);

        assertThat(summary(reply)).isEqualTo(counts);
        assertThat(reply.text("cursor.firstBatch.1"))
                .isEqualTo(
                        "{ ok: 0.0, idx: 1, code: 11000, errmsg: \"E11000 duplicate key error"
                                + " collection: d."
                                + name
                                + " index: _id_ dup key: { _id: 1 }\", keyPattern: { _id: 1 },"
                                + " keyValue: { _id: 1 }, n: 0 }");
        assertThat(reply.number("cursor.firstBatch." + last + ".idx")).isEqualTo(last);
        assertThat(reply.has("cursor.firstBatch." + (last + 1))).isFalse();
        if (!ordered) {
            assertThat(reply.at("cursor.firstBatch.4.nModified")).isEqualTo(value("0"));
            assertThat(reply.at("cursor.firstBatch.4.code")).isEqualTo(value("9"));
        }
    }

    @Test
    void onlyFailuresAreToldWhereNothingElseIsWanted() {
        Reply reply =
                bulk(
                        "{'insert':0,'document':{'_id':1}},{'insert':0,'document':{'_id':1}},"
                                + "{'delete':0,'filter':{'_id':1}}",
                        "'errorsOnly':true",
                        "'ordered':false");

        assertThat(summary(reply)).isEqualTo("1 1 0 0 0 1");
        assertThat(reply.number("cursor.firstBatch.0.idx")).isEqualTo(1);
        assertThat(reply.has("cursor.firstBatch.1")).isFalse();
    }

    @Test
    void optionsOfOperationsAreHonoured() {
        call("{'create':'#'}");
        call("{'createIndexes':'#','indexes':[{'key':{'n':1},'name':'n_1'}]}");
        call(
                "{'insert':'#','documents':[{'_id':1,'s':'a','n':3,'a':[1,5]},"
                        + "{'_id':2,'s':'A','n':1,'a':[7]},{'_id':3,'s':'b','n':2,'a':[]}]}");

        Reply reply =
                bulk(
                        "{'update':0,'filter':{},'updateMods':{'$set':{'first':1}},'sort':{'n':1}},"
                                + "{'update':0,'filter':{},'updateMods':{'$set':{'last':1}},"
                                + "'sort':{'n':-1}},"
                                + "{'update':0,'filter':{'s':'A'},'updateMods':{'$set':{'c':1}},"
                                + "'collation':{'locale':'en','strength':2},'multi':true},"
                                + "{'update':0,'filter':{'_id':1},'updateMods':{'$set':{'a.$[e]':0}},"
                                + "'arrayFilters':[{'e':{'$gt':2}}],'hint':'n_1'},"
                                + "{'update':0,'filter':{'$expr':{'$eq':['$_id','$$id']}},"
                                + "'updateMods':[{'$set':{'p':'$$fixed'}}],"
                                + "'constants':{'fixed':9}},"
                                + "{'delete':0,'filter':{'$expr':{'$eq':['$n','$$id']}},"
                                + "'hint':{'n':1}}",
                        "'let':{'id':3}");

        assertThat(summary(reply)).as(reply.toString()).isEqualTo("0 0 6 6 0 1");
        assertThat(all())
                .isEqualTo(
                        "[ { _id: 2, s: \"A\", n: 1, a: [ 7 ], first: 1, c: 1 },"
                                + " { _id: 3, s: \"b\", n: 2, a: [], p: 9 } ]");
    }

    @Test
    void anIndexThatThereIsNotFailsItsOperation() {
        call("{'create':'#'}");
        Reply reply =
                bulk(
                        "{'delete':0,'filter':{},'hint':'none'},"
                                + "{'update':0,'filter':{},'updateMods':{'$set':{'a':1}},'hint':'none'}",
                        "'ordered':false");
        assertThat(reply.text("cursor.firstBatch.0.code")).isEqualTo("2");
        assertThat(reply.text("cursor.firstBatch.1.code")).isEqualTo("2");
        assertThat(summary(reply)).isEqualTo("2 0 0 0 0 0");
    }

    /** Nothing is written by a command of which a part has no meaning. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    'ops':[]                                                    | 16
                    'ops':[@,{'insert':1,'document':{}}]                        | 2
                    'ops':[@,{'insert':-1,'document':{}}]                       | 2
                    'ops':[@,{'insert':'0','document':{}}]                      | 14
                    'ops':[@,{'insert':0}]                                      | 40414
                    'ops':[@,{'insert':0,'document':5}]                         | 14
                    'ops':[@,{'insert':0,'document':{},'x':1}]                  | 40415
                    'ops':[@,{'frob':0}]                                        | 40415
                    'ops':[@,{}]                                                | 40415
                    'ops':[@,5]                                                 | 14
                    'ops':[@,{'update':0,'filter':{}}]                          | 40414
                    'ops':[@,{'update':0,'updateMods':{}}]                      | 40414
                    'ops':[@,{'update':0,'filter':{},'updateMods':5}]           | 9
                    'ops':[@,{'update':0,'q':{},'u':{}}]                        | 40415
                    'ops':[@,{'update':0,'filter':{},'updateMods':{},'sort':{'a':1},'multi':true}] | 9
                    'ops':[@,{'update':0,'filter':{},'updateMods':{},'sort':1}] | 14
                    'ops':[@,{'delete':0}]                                      | 40414
                    'ops':[@,{'delete':0,'filter':{},'limit':1}]                | 40415
                    'ops':[@,{'delete':0,'filter':{},'hint':1}]                 | 9
                    'ops':5                                                     | 14
                    'ordered':true                                              | 40414
                    'ops':[@],'frob':1                                          | 40415
                    'ops':[@],'cursor':{'frob':1}                               | 40415
                    'ops':[@],'stmtId':1                                        | 72
                    """)
    void refuses(String fields, int code) {
        Reply reply =
                bulkOf(
                        fields.replace("@", "{'insert':0,'document':{'_id':1}}")
                                + ",'nsInfo':[{'ns':'d.#'}]");
        assertThat(reply.number("code")).as(reply.toString()).isEqualTo(code);
        assertThat(all()).isEqualTo("[]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    'x':1                      | 40415
                    'nsInfo':5                 | 14
                    'nsInfo':[5]               | 14
                    'nsInfo':[{'x':1}]         | 40415
                    'nsInfo':[{}]              | 40414
                    'nsInfo':[{'ns':'nodot'}]  | 73
                    'nsInfo':[{'ns':'.'}]      | 73
                    'nsInfo':[{'ns':'d.a$b'}]  | 73
                    'nsInfo':[]                | 2
                    """)
    void refusesWhatNamesNoCollection(String fields, int code) {
        Reply reply = bulkOf("'ops':[{'insert':0,'document':{}}]," + fields);
        assertThat(reply.number("code")).as(reply.toString()).isEqualTo(code);
    }

    @Test
    void isACommandOfTheAdminDatabase() {
        assertThat(
                        call("{'bulkWrite':1,'ops':[{'insert':0,'document':{}}],'nsInfo':[{'ns':'d.#'}]}")
                                .failure())
                .isEqualTo(
                        "13 Unauthorized: bulkWrite may only be run against the admin database.");
    }

    /** Servers take a collection that is named twice. */
    @Test
    void aCollectionMayBeNamedTwice() {
        Reply reply =
                bulkOf(
                        "'ops':[{'insert':0,'document':{'_id':1}},{'insert':1,'document':{'_id':1}}],"
                                + "'nsInfo':[{'ns':'d.#'},{'ns':'d.#'}]");
        assertThat(summary(reply)).isEqualTo("1 1 0 0 0 0");
    }

    // ---- limits and results

    private static Value.Obj document(String json) {
        return (Value.Obj) value(json);
    }

    /** Sends so many equal operations. */
    private Reply many(int count, Value.Obj operation, String fields) {
        Value.Obj rest =
                document(
                        ("{'nsInfo':[{'ns':'d.#'}],'$db':'admin'" + fields + "}")
                                .replace("#", name));
        List<Value> operations = java.util.Collections.nCopies(count, operation);
        java.util.Map<String, Value> command = new java.util.LinkedHashMap<>();
        command.put("bulkWrite", Value.of(1));
        command.put("ops", new Value.Array(operations));
        command.putAll(rest.properties());
        return client.send(BsonCodec.write(new Value.Obj(command)));
    }

    @Test
    void aCommandHasAHundredThousandOperationsAtMost() {
        Value.Obj delete = document("{'delete':0,'filter':{'_id':1}}");

        assertThat(many(100_001, delete, "").failure())
                .isEqualTo(
                        "16 InvalidLength: Write batch sizes must be between 1 and 100000. Got"
                                + " 100001 operations.");
        Reply most = many(100_000, delete, ",'cursor':{'batchSize':2}");
        assertThat(summary(most)).isEqualTo("0 0 0 0 0 0");
        assertThat(most.text("cursor.firstBatch"))
                .isEqualTo("[ { ok: 1.0, idx: 0, n: 0 }, { ok: 1.0, idx: 1, n: 0 } ]");
        Reply rest =
                client.call(
                        "admin",
                        "{'getMore':" + most.text("cursor.id") + ",'collection':'$cmd.bulkWrite'}");
        assertThat(rest.text("cursor.id")).isEqualTo("0");
        assertThat(rest.number("cursor.nextBatch.99997.idx")).isEqualTo(99_999);
    }

    @Test
    void resultsThatAreLargerThanABatchComeInSeveral() {
        String operator = "$" + "x".repeat(2_000);
        Value.Obj update =
                document("{'update':0,'filter':{'_id':1},'updateMods':{'" + operator + "':{}}}");

        Reply first = many(10_000, update, ",'ordered':false");

        assertThat(first.number("nErrors")).isEqualTo(10_000);
        long seen = ((Value.Array) first.at("cursor.firstBatch")).elements().size();
        assertThat(seen).isGreaterThan(1_000).isLessThan(10_000);
        while (first.number("cursor.id") != 0) {
            first =
                    client.call(
                            "admin",
                            "{'getMore':"
                                    + first.text("cursor.id")
                                    + ",'collection':'$cmd.bulkWrite'}");
            assertThat(first.number("cursor.nextBatch.0.idx")).isEqualTo(seen);
            seen += ((Value.Array) first.at("cursor.nextBatch")).elements().size();
        }
        assertThat(seen).isEqualTo(10_000);
    }

    @Test
    void nobodyGetsTheResultsOfAWriteThatIsNotAcknowledged() {
        Reply reply =
                bulk(
                        "{'insert':0,'document':{'_id':1}},{'insert':0,'document':{'_id':2}}",
                        "'writeConcern':{'w':0}",
                        "'cursor':{'batchSize':1}");
        assertThat(reply.text("cursor.id")).isEqualTo("0");
        assertThat(reply.text("cursor.firstBatch")).isEqualTo("[]");
        assertThat(reply.number("nInserted")).isEqualTo(2);
    }

    // ---- sessions

    private String session(int number) {
        return "'lsid':{'id':{'$binary':{'base64':'AAAAAAAAAAAAAAAAAA"
                + (char) ('A' + session / 26)
                + (char) ('A' + session % 26)
                + "AA==','subType':'04'}}},'txnNumber':{'$numberLong':'"
                + number
                + "'}";
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void eachOperationIsMadeOnce(boolean isSharded) {
        create(isSharded);
        for (boolean ordered : new boolean[] {true, false}) {
            String operations =
                    "{'insert':0,'document':{'k':1,'o':@}},{'insert':0,'document':{'k':2,'o':@}},"
                                    .replace("@", "" + ordered)
                            + "{'update':0,'filter':{'k':1},'updateMods':{'$inc':{'n':1}}},"
                            + "{'insert':1,'document':{'x':1}},"
                            + "{'delete':0,'filter':{'k':2}},"
                            + "{'update':0,'filter':{'k':3,'x':1},'updateMods':{'$inc':{'n':1}},"
                            + "'upsert':true},"
                            + "{'delete':0,'filter':{'k':4}}";
            String number = session(ordered ? 1 : 2);
            Reply first = bulk(operations, "'ordered':" + ordered, number);
            assertThat(first.has("retriedStmtIds")).isFalse();
            String before = all() + all("e");

            Reply again = bulk(operations, "'ordered':" + ordered, number);

            assertThat(again.at("retriedStmtIds")).isEqualTo(value("[0,1,2,3,4,5]"));
            assertThat(again.at("cursor")).isEqualTo(first.at("cursor"));
            assertThat(summary(again)).isEqualTo(summary(first)).startsWith("0 3 ");
            assertThat(all() + all("e")).isEqualTo(before);
        }
    }

    @Test
    void theClientMayNumberTheOperations() {
        String operations = "{'insert':0,'document':{}},{'insert':1,'document':{}}";
        bulk(operations, session(1), "'stmtIds':[7,3]");
        assertThat(bulk(operations, session(1), "'stmtIds':[7,3]").at("retriedStmtIds"))
                .isEqualTo(value("[7,3]"));
        assertThat(bulk(operations, session(2), "'stmtIds':[7]").number("code")).isEqualTo(16);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'delete':0,'filter':{},'multi':true}",
                "{'update':0,'filter':{},'updateMods':{'$set':{'a':1}},'multi':true}"
            })
    void writesToManyDocumentsHaveNoNumber(String operation) {
        Reply reply = bulk("{'insert':0,'document':{}}," + operation, session(1));
        assertThat(reply.failure())
                .isEqualTo("72 InvalidOptions: Cannot use retryable writes with multi=true");
        assertThat(all()).isEqualTo("[]");
    }

    @Test
    void failuresThatPassHaveTheLabelThatDriversLookFor() {
        client.call(
                "admin",
                "{'configureFailPoint':'failCommand','mode':{'times':1},'data':"
                        + "{'failCommands':['bulkWrite'],'errorCode':11600}}");
        assertThat(bulk("{'insert':0,'document':{}}", session(1)).text("errorLabels"))
                .contains("RetryableWriteError");
    }

    private String inTransaction(int number, boolean starts) {
        return session(number) + ",'autocommit':false" + (starts ? ",'startTransaction':true" : "");
    }

    private Reply end(String command, int number) {
        return client.call("admin", "{'" + command + "':1," + inTransaction(number, false) + "}");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTransactionMayHaveBulkWrites(boolean isSharded) {
        create(isSharded);
        call("{'insert':'#','documents':[{'_id':1,'k':1}]}");
        String operations =
                "{'insert':0,'document':{'_id':2,'k':1}},"
                        + "{'update':0,'filter':{'k':1,'_id':1},'updateMods':{'$set':{'n':1}}},"
                        + "{'delete':0,'filter':{'k':1,'n':1},'multi':true}";

        Reply reply = bulk(operations, inTransaction(1, true), "'cursor':{'batchSize':1}");
        assertThat(summary(reply)).as(reply.toString()).isEqualTo("0 1 1 1 0 1");
        Reply more =
                client.call(
                        "admin",
                        "{'getMore':"
                                + reply.text("cursor.id")
                                + ",'collection':'$cmd.bulkWrite',"
                                + inTransaction(1, false)
                                + "}");
        assertThat(more.number("cursor.nextBatch.1.idx")).isEqualTo(2);
        assertThat(all()).isEqualTo("[ { _id: 1, k: 1 } ]");
        assertThat(end("abortTransaction", 1).isOk()).isTrue();
        assertThat(all()).isEqualTo("[ { _id: 1, k: 1 } ]");
        bulk(operations, inTransaction(2, true));
        assertThat(end("commitTransaction", 2).isOk()).isTrue();
        assertThat(all()).isEqualTo("[ { _id: 2, k: 1 } ]");
    }

    @Test
    void aFailureEndsTheTransaction() {
        call("{'insert':'#','documents':[{'_id':1}]}");
        Reply reply =
                bulk(
                        "{'insert':0,'document':{'_id':2}},{'insert':0,'document':{'_id':1}}",
                        inTransaction(1, true),
                        "'ordered':false");
        assertThat(reply.number("code")).isEqualTo(11000);
        assertThat(reply.text("keyValue")).isEqualTo("{ _id: 1 }");
        assertThat(end("commitTransaction", 1).number("code")).isEqualTo(251);
        assertThat(all()).isEqualTo("[ { _id: 1 } ]");
    }

    @Test
    void aTransactionStaysInItsCollection() {
        call("{'create':'#'}");
        client.call("e", "{'create':'" + name + "'}");
        assertThat(
                        bulk(
                                        "{'insert':0,'document':{}},{'insert':1,'document':{}}",
                                        inTransaction(1, true))
                                .number("code"))
                .isEqualTo(263);
        assertThat(
                        bulkOf(
                                        "'ops':[{'insert':0,'document':{}}],'nsInfo':[{'ns':'admin.x'}]",
                                        inTransaction(2, true))
                                .number("code"))
                .isEqualTo(263);
        assertThat(all()).isEqualTo("[]");
    }

    @Test
    void explainsNoBulkWrite() {
        assertThat(
                        client.call("admin", "{'explain':{'bulkWrite':1,'ops':[],'nsInfo':[]}}")
                                .number("code"))
                .isEqualTo(20);
    }
}
