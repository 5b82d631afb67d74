package orrery.frontend.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.Value;
import orrery.frontend.mongo.MongoClient.Reply;
import orrery.model.Cancellation;
import orrery.query.mongo.expression.ValueText;

/** Change streams, as drivers open and read them. */
final class ChangeStreamTest {
    @RegisterExtension
    static final MongoEngine ENGINE = MongoEngine.ofNewestLevel().withFailPoints();

    private final MongoClient client = ENGINE.client();

    /** A database that no other test has; its collections have the name {@code c}. */
    private final String database = MongoEngine.newName();

    private void create(boolean isSharded) {
        Reply made =
                isSharded
                        ? call(
                                "{'customAction':'CreateCollection','collection':'c','shardKey':'k',"
                                        + "'offerThroughput':50000}")
                        : call("{'create':'c'}");
        assertThat(made.failure()).isEqualTo("ok");
    }

    private Reply call(String command) {
        return client.call(database, command);
    }

    private Reply write(String command) {
        Reply reply = call(command);
        assertThat(reply.failure()).isEqualTo("ok");
        assertThat(reply.at("writeErrors")).isEqualTo(Value.Undefined.UNDEFINED);
        return reply;
    }

    private Reply watch(String options) {
        return watch("'c'", options, "");
    }

    private Reply watch(String collection, String options, String stages) {
        return call(
                "{'aggregate':"
                        + collection
                        + ",'pipeline':[{'$changeStream':{"
                        + options
                        + "}}"
                        + stages
                        + "],'cursor':{}}");
    }

    private Reply more(Reply stream) {
        String namespace = stream.string("cursor.ns");
        int dot = namespace.indexOf('.');
        return client.call(
                namespace.substring(0, dot),
                "{'getMore':{'$numberLong':'"
                        + stream.number("cursor.id")
                        + "'},'collection':'"
                        + namespace.substring(dot + 1)
                        + "','maxTimeMS':1}");
    }

    private static List<Value.Obj> events(Reply reply) {
        assertThat(reply.failure()).isEqualTo("ok");
        Value batch =
                reply.at("cursor.nextBatch").isDefined()
                        ? reply.at("cursor.nextBatch")
                        : reply.at("cursor.firstBatch");
        List<Value.Obj> events = new ArrayList<>();
        ((Value.Array) batch).elements().forEach(event -> events.add((Value.Obj) event));
        return events;
    }

    /** All events that are there, but at most so many batches. */
    private List<Value.Obj> all(Reply stream, int count) {
        List<Value.Obj> events = new ArrayList<>(events(stream));
        while (events.size() < count) {
            events.addAll(events(more(stream)));
        }
        return events;
    }

    private static String text(Value.Obj event, String field) {
        Value value = event.properties().get(field);
        return value == null ? "-" : ValueText.of(value);
    }

    private static List<String> texts(List<Value.Obj> events, String field) {
        return events.stream().map(event -> text(event, field)).toList();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyWriteIsAnEventOfItsKind(boolean isSharded) {
        create(isSharded);
        Reply stream = watch("");
        assertThat(events(stream)).isEmpty();

        write("{'insert':'c','documents':[{'_id':1,'k':1,'n':1,'a':[1,2,3]}]}");
        write(
                "{'update':'c','updates':[{'q':{'_id':1,'k':1},'u':{'$set':{'n':2},'$unset':{'a':1}}}]}");
        write("{'update':'c','updates':[{'q':{'_id':1,'k':1},'u':[{'$set':{'p':true}}]}]}");
        write("{'update':'c','updates':[{'q':{'_id':1,'k':1},'u':{'_id':1,'k':1,'r':1}}]}");
        write("{'findAndModify':'c','query':{'_id':1,'k':1},'update':{'$inc':{'r':1}}}");
        write(
                "{'update':'c','updates':[{'q':{'_id':2,'k':1},'u':{'$set':{'n':9}},'upsert':true}]}");
        write("{'update':'c','updates':[{'q':{'k':1},'u':{'$set':{'all':1}},'multi':true}]}");
        write("{'findAndModify':'c','query':{'_id':2,'k':1},'remove':true}");
        write("{'delete':'c','deletes':[{'q':{'k':1},'limit':0}]}");

        List<Value.Obj> events = all(stream, 10);
        assertThat(texts(events, "operationType"))
                .containsExactly(
                        "\"insert\"",
                        "\"update\"",
                        "\"update\"",
                        "\"replace\"",
                        "\"update\"",
                        "\"insert\"",
                        "\"update\"",
                        "\"update\"",
                        "\"delete\"",
                        "\"delete\"");
        assertThat(texts(events, "updateDescription").subList(0, 5))
                .containsExactly(
                        "-",
                        "{ updatedFields: { n: 2 }, removedFields: [ \"a\" ], truncatedArrays: [] }",
                        "{ updatedFields: { p: true }, removedFields: [], truncatedArrays: [] }",
                        "-",
                        "{ updatedFields: { r: 2 }, removedFields: [], truncatedArrays: [] }");
        assertThat(texts(events, "fullDocument").subList(0, 4))
                .containsExactly(
                        "{ _id: 1, k: 1, n: 1, a: [ 1, 2, 3 ] }",
                        "-",
                        "-",
                        "{ _id: 1, k: 1, r: 1 }");
        assertThat(text(events.getFirst(), "documentKey"))
                .isEqualTo(isSharded ? "{ k: 1, _id: 1 }" : "{ _id: 1 }");
        assertThat(text(events.getFirst(), "ns"))
                .isEqualTo("{ db: \"" + database + "\", coll: \"c\" }");
        assertThat(texts(events, "_id")).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @CsvSource({
        "default,'-'",
        "updateLookup,'{ _id: 1, k: 1, n: 3 }'",
        "whenAvailable,'{ _id: 1, k: 1, n: 2 }'",
        "required,'{ _id: 1, k: 1, n: 2 }'"
    })
    void anUpdateShowsTheDocumentThatIsAskedFor(String fullDocument, String shown) {
        create(true);
        write("{'insert':'c','documents':[{'_id':1,'k':1,'n':1}]}");
        Reply stream =
                watch(
                        "'fullDocument':'"
                                + fullDocument
                                + "','fullDocumentBeforeChange':'required'");

        write("{'update':'c','updates':[{'q':{'_id':1,'k':1},'u':{'$set':{'n':2}}}]}");
        write("{'update':'c','updates':[{'q':{'_id':1,'k':1},'u':{'_id':1,'k':1,'n':3}}]}");
        List<Value.Obj> events = all(stream, 2);

        assertThat(text(events.getFirst(), "fullDocument")).isEqualTo(shown);
        assertThat(texts(events, "fullDocumentBeforeChange"))
                .containsExactly("{ _id: 1, k: 1, n: 1 }", "{ _id: 1, k: 1, n: 2 }");
    }

    @Test
    void whatIsGoneIsNotLookedUp() {
        create(true);
        write("{'insert':'c','documents':[{'_id':1,'k':1,'n':1}]}");
        Reply stream = watch("'fullDocument':'updateLookup','fullDocumentBeforeChange':'required'");

        write("{'update':'c','updates':[{'q':{'_id':1,'k':1},'u':{'$set':{'n':2}}}]}");
        write("{'delete':'c','deletes':[{'q':{'_id':1,'k':1},'limit':1}]}");
        List<Value.Obj> events = all(stream, 2);

        assertThat(text(events.getFirst(), "fullDocument")).isEqualTo("null");
        assertThat(text(events.getLast(), "fullDocumentBeforeChange"))
                .isEqualTo("{ _id: 1, k: 1, n: 2 }");
    }

    @ParameterizedTest
    @ValueSource(strings = {"resumeAfter", "startAfter"})
    void aStreamGoesOnBehindEachEvent(String option) {
        create(true);
        Reply stream = watch("");
        write("{'insert':'c','documents':[{'_id':1,'k':1},{'_id':2,'k':2},{'_id':3,'k':1}]}");
        List<Value.Obj> events = all(stream, 3);

        for (int i = 0; i < 2; i++) {
            Reply resumed = watch("'" + option + "':" + json(events.get(i)));
            assertThat(texts(all(resumed, 2 - i), "documentKey"))
                    .isEqualTo(texts(events.subList(i + 1, 3), "documentKey"));
        }
        Reply last = watch("'" + option + "':" + json(events.get(2)));
        assertThat(events(last)).isEmpty();
        write("{'insert':'c','documents':[{'_id':4,'k':5}]}");
        assertThat(texts(all(last, 1), "operationType")).containsExactly("\"insert\"");
    }

    private static String json(Value.Obj event) {
        return token(event.properties().getOrDefault("_id", Value.Null.NULL));
    }

    private static String token(Value token) {
        Value data = ((Value.Obj) token).properties().getOrDefault("_data", Value.Null.NULL);
        return "{'_data':'" + ((Value.Text) data).value() + "'}";
    }

    @Test
    void aStreamOfADatabaseShowsCollectionsThatComeLater() {
        Reply stream = watch("1", "", "");
        assertThat(stream.string("cursor.ns")).isEqualTo(database + ".$cmd.aggregate");

        write("{'insert':'c','documents':[{'_id':1}]}");
        write("{'insert':'other','documents':[{'_id':2}]}");
        List<Value.Obj> events = all(stream, 2);

        assertThat(texts(events, "ns"))
                .containsExactlyInAnyOrder(
                        "{ db: \"" + database + "\", coll: \"c\" }",
                        "{ db: \"" + database + "\", coll: \"other\" }");
    }

    @Test
    void aStreamOfAllDatabasesShowsDatabasesThatComeLater() {
        Reply stream =
                client.call(
                        "admin",
                        "{'aggregate':1,'pipeline':[{'$changeStream':{'allChangesForCluster':true}},"
                                + "{'$match':{'ns.db':'"
                                + database
                                + "'}}],'cursor':{}}");
        assertThat(stream.string("cursor.ns")).isEqualTo("admin.$cmd.aggregate");

        write("{'insert':'c','documents':[{'_id':1}]}");
        assertThat(texts(all(stream, 1), "operationType")).containsExactly("\"insert\"");
        call("{'drop':'c'}");
        assertThat(texts(events(more(stream)), "operationType")).containsExactly("\"drop\"");
    }

    @Test
    void aDroppedCollectionEndsItsStream() {
        create(false);
        Reply stream = watch("");
        call("{'drop':'c'}");

        Reply last = more(stream);
        assertThat(texts(events(last), "operationType"))
                .containsExactly("\"drop\"", "\"invalidate\"");
        assertThat(last.number("cursor.id")).isZero();
        assertThat(watch("'resumeAfter':" + json(events(last).getLast())).failure())
                .startsWith("260 InvalidResumeToken");
        Reply resumed = watch("'resumeAfter':" + json(events(last).getFirst()));
        assertThat(texts(events(resumed), "operationType")).containsExactly("\"invalidate\"");

        Reply anew = watch("'startAfter':" + json(events(last).getLast()));
        write("{'insert':'c','documents':[{'_id':7}]}");
        assertThat(texts(all(anew, 1), "operationType")).containsExactly("\"insert\"");
    }

    @Test
    void aDroppedDatabaseEndsItsStream() {
        create(false);
        Reply stream = watch("1", "", "");
        call("{'dropDatabase':1}");

        assertThat(texts(all(stream, 3), "operationType"))
                .containsExactly("\"drop\"", "\"dropDatabase\"", "\"invalidate\"");
    }

    /** The stream of a database goes on; that of the collection ends, because it is of a name. */
    @Test
    void aCollectionWithAnotherNameIsRenamed() {
        create(true);
        Reply ofCollection = watch("");
        Reply ofDatabase = watch("1", "", "");
        String rename = "{'renameCollection':'" + database + ".c','to':'" + database + ".other'}";
        assertThat(client.call("admin", rename).failure()).isEqualTo("ok");
        write("{'insert':'other','documents':[{'_id':1,'k':1}]}");

        Reply last = more(ofCollection);
        List<Value.Obj> events = events(last);
        assertThat(texts(events, "operationType")).containsExactly("\"rename\"", "\"invalidate\"");
        assertThat(text(events.getFirst(), "ns"))
                .isEqualTo("{ db: \"" + database + "\", coll: \"c\" }");
        assertThat(text(events.getFirst(), "to"))
                .isEqualTo("{ db: \"" + database + "\", coll: \"other\" }");
        assertThat(last.number("cursor.id")).isZero();

        List<Value.Obj> more = all(ofDatabase, 2);
        assertThat(texts(more, "operationType")).containsExactly("\"rename\"", "\"insert\"");
        assertThat(text(more.getLast(), "ns"))
                .isEqualTo("{ db: \"" + database + "\", coll: \"other\" }");
    }

    @Test
    void aStreamStartsAtTheTimeOfAWrite() {
        create(true);
        watch("");
        write("{'insert':'c','documents':[{'_id':1,'k':1}]}");
        Reply second = write("{'insert':'c','documents':[{'_id':2,'k':2}]}");
        write("{'insert':'c','documents':[{'_id':3,'k':3}]}");

        Reply stream = watch("'startAtOperationTime':" + timestamp(second));
        List<String> keys = texts(all(stream, 2), "documentKey");
        assertThat(keys).contains("{ k: 2, _id: 2 }", "{ k: 3, _id: 3 }");
    }

    private static String timestamp(Reply reply) {
        orrery.document.BsonValue.Timestamp time =
                (orrery.document.BsonValue.Timestamp) reply.at("operationTime");
        return "{'$timestamp':{'t':" + time.seconds() + ",'i':" + time.increment() + "}}";
    }

    @Test
    void whatWasNotKeptIsLost() {
        create(true);
        Reply early = write("{'insert':'c','documents':[{'_id':1,'k':1}]}");
        write("{'insert':'c','documents':[{'_id':2,'k':1}]}");

        assertThat(watch("'startAtOperationTime':" + timestamp(early)).failure())
                .startsWith("286 ChangeStreamHistoryLost");
    }

    @Test
    void transactionsAreNamed() {
        create(true);
        Reply stream = watch("");
        String fields =
                ",'txnNumber':{'$numberLong':'1'},'autocommit':false,"
                        + "'lsid':{'id':{'$binary':{'base64':'AAAAAAAAAAAAAAAAAAAAAA==','subType':'04'}}}";
        write(
                "{'insert':'c','documents':[{'_id':1,'k':1},{'_id':2,'k':1}]"
                        + fields
                        + ",'startTransaction':true}");
        write(
                "{'update':'c','updates':[{'q':{'_id':1,'k':1},'u':{'$set':{'n':1}}}]"
                        + fields
                        + "}");
        client.call("admin", "{'commitTransaction':1" + fields + "}");

        List<Value.Obj> events = all(stream, 3);
        assertThat(texts(events, "operationType"))
                .containsExactly("\"insert\"", "\"insert\"", "\"update\"");
        assertThat(texts(events, "txnNumber")).containsOnly("1");
        assertThat(texts(events, "clusterTime").stream().distinct()).hasSize(1);
        assertThat(text(events.getFirst(), "lsid")).startsWith("{ id: ");
    }

    @Test
    void stagesBehindChooseAndChange() {
        create(true);
        Reply stream =
                watch(
                        "'c'",
                        "",
                        ",{'$match':{'fullDocument.n':{'$gt':1}}},{'$addFields':{'twice':{'$multiply':["
                                + "'$fullDocument.n',2]}}},{'$project':{'twice':1}}");
        write("{'insert':'c','documents':[{'_id':1,'k':1,'n':1},{'_id':2,'k':1,'n':5}]}");

        List<Value.Obj> events = all(stream, 1);
        assertThat(texts(events, "twice")).containsExactly("10");
    }

    @Test
    void anEventKeepsItsToken() {
        create(true);
        Reply stream = watch("'c'", "", ",{'$project':{'_id':0}}");
        write("{'insert':'c','documents':[{'_id':1,'k':1}]}");

        Reply failed = more(stream);
        assertThat(failed.failure()).startsWith("280 ChangeStreamFatalError");
        assertThat(failed.text("errorLabels")).isEqualTo("[ \"NonResumableChangeStreamError\" ]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'resumeAfter':{'_data':'AAAA'} | 260 InvalidResumeToken",
                "'resumeAfter':{'x':1} | 260 InvalidResumeToken",
                "'resumeAfter':{'_data':'AAAA'},'startAfter':{'_data':'AAAA'} | 50865",
                "'resumeAfter':{'_data':'A'},'startAtOperationTime':{'$timestamp':{'t':1,'i':1}} | 40674",
                "'startAtOperationTime':1 | 14 TypeMismatch",
                "'fullDocument':'some' | 2 BadValue",
                "'fullDocumentBeforeChange':'some' | 2 BadValue",
                "'other':1 | 40415",
                "'showExpandedEvents':true | 238 NotImplemented",
                "'allChangesForCluster':true | 72 InvalidOptions"
            })
    void whatCannotBeIsRefused(String options, String failure) {
        create(false);
        assertThat(watch(options).failure()).startsWith(failure);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'$group':{'_id':1}} | 20 IllegalOperation",
                "{'$limit':1} | 20 IllegalOperation",
                "{'$changeStream':{}} | 40602",
                "{'$changeStreamSplitLargeEvent':{}} | 238 NotImplemented",
                "{'$nothing':{}} | 40324"
            })
    void onlySomeStagesMayFollow(String stage, String failure) {
        create(false);
        assertThat(watch("'c'", "", "," + stage).failure()).startsWith(failure);
    }

    @Test
    void theImagesOfACollectionAreTurnedOnAndOff() {
        assertThat(call("{'create':'c','changeStreamPreAndPostImages':{'enabled':true}}").failure())
                .isEqualTo("ok");
        assertThat(options()).isEqualTo("{ changeStreamPreAndPostImages: { enabled: true } }");
        Reply stream = watch("");

        assertThat(
                        call("{'collMod':'c','changeStreamPreAndPostImages':{'enabled':false}}")
                                .failure())
                .isEqualTo("ok");
        assertThat(options()).isEqualTo("{}");
        assertThat(more(stream).failure()).startsWith("286 ChangeStreamHistoryLost");
        call("{'collMod':'c','changeStreamPreAndPostImages':{'enabled':true}}");
        assertThat(options()).isEqualTo("{ changeStreamPreAndPostImages: { enabled: true } }");
    }

    private String options() {
        return call("{'listCollections':1}").text("cursor.firstBatch.0.options");
    }

    @Test
    void eachPartitionHasATokenOfItsOwn() {
        create(true);
        Reply reply = call("{'customAction':'GetChangeStreamTokens','collection':'c'}");
        List<Value> tokens = ((Value.Array) reply.at("resumeAfterTokens")).elements();
        assertThat(tokens).hasSize(5);

        for (int i = 0; i < 40; i++) {
            write("{'insert':'c','documents':[{'_id':" + i + ",'k':" + i + "}]}");
        }
        List<String> keys = new ArrayList<>();
        for (Value token : tokens) {
            Reply part = watch("'resumeAfter':" + token(token));
            List<String> mine = texts(events(part), "documentKey");
            assertThat(mine).isNotEmpty();
            keys.addAll(mine);
        }
        assertThat(keys).hasSize(40).doesNotHaveDuplicates();
    }

    @Test
    void killingACursorWakesWhoWaitsForIt() {
        create(true);
        Reply stream = watch("");
        String id = "{'$numberLong':'" + stream.number("cursor.id") + "'}";
        Cancellation request = new Cancellation();
        MongoClient other = client.another();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            String command = "{'getMore':" + id + ",'collection':'c','maxTimeMS':3600000}";
            CompletableFuture<Reply> waiting =
                    CompletableFuture.supplyAsync(
                            () -> request.during(() -> notInUse(other, command)), threads);
            // The cursor is in use once the other has begun; killing an idle one would be an error.
            Reply used;
            do {
                used = call("{'getMore':" + id + ",'collection':'c','maxTimeMS':1}");
            } while (used.isOk());
            assertThat(used.failure()).startsWith("12051");
            assertThat(call("{'killCursors':'c','cursors':[" + id + "]}").text("cursorsKilled"))
                    .isNotEqualTo("[]");

            assertThat(waiting.join().failure()).startsWith("237 CursorKilled");
        }
    }

    /** Sends a getMore again as long as another one has the cursor. */
    private Reply notInUse(MongoClient other, String command) {
        Reply reply;
        do {
            reply = other.call(database, command);
        } while (reply.failure().startsWith("12051"));
        return reply;
    }

    @Test
    void aFailureWithinAStreamSaysIfTheDriverMayGoOn() {
        create(true);
        Reply stream = watch("");
        client.call(
                "admin",
                "{'configureFailPoint':'failGetMoreAfterCursorCheckout','mode':{'times':1},"
                        + "'data':{'errorCode':6}}");
        assertThat(more(stream).text("errorLabels"))
                .isEqualTo("[ \"ResumableChangeStreamError\" ]");
        assertThat(more(stream).isOk()).isTrue();
    }
}
