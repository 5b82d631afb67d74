package orrery.frontend.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.frontend.mongo.MongoClient.Reply;
import orrery.query.mongo.Documents;

/** Commands as drivers send them, answered by the engine. */
final class CommandsTest {
    @RegisterExtension static final MongoEngine ENGINE = MongoEngine.standard();

    private final MongoClient client = ENGINE.client();

    /** A collection that no other test has. */
    private final String name = MongoEngine.newName();

    /** Sends a command whose collection is written as a hash. */
    private Reply call(String command) {
        return client.call(command.replace("#", name));
    }

    private void insert(String documents) {
        Reply reply = call("{'insert':'#','documents':[" + documents + "]}");
        assertThat(reply.isOk()).as(reply.toString()).isTrue();
        assertThat(reply.has("writeErrors")).as(reply.toString()).isFalse();
    }

    /** All documents, in the order of their ids. */
    private String all() {
        return call("{'find':'#','sort':{'_id':1}}").text("cursor.firstBatch");
    }

    private static Value value(String json) {
        return Documents.value(json);
    }

    // ---- commands as such

    @Test
    void refusesCommandsThatThereAreNot() {
        assertThat(call("{'frobnicate':1}").failure())
                .isEqualTo("59 CommandNotFound: no such command: 'frobnicate'");
        assertThat(client.send(Documents.bson("{}")).text("code")).isEqualTo("59");
    }

    @Test
    void refusesFieldsThatThereAreNot() {
        assertThat(call("{'find':'#','frob':1}").failure())
                .isEqualTo("40415 Location40415: BSON field 'find.frob' is an unknown field.");
        assertThat(call("{'ping':1,'$frob':{},'comment':'x'}").isOk()).isTrue();
    }

    @Test
    void needsADatabase() {
        assertThat(client.send(Documents.bson("{'ping':1}")).text("code")).isEqualTo("40571");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'find':1}                                 | 73",
                "{'find':'#','filter':1}                    | 14",
                "{'find':'#','allowDiskUse':'x'}            | 14",
                "{'insert':'#','documents':[{}],'bypassDocumentValidation':'x'} | 14",
                "{'ping':1,'lsid':'x'}                      | 14",
                "{'ping':1,'lsid':{}}                       | 40414",
                "{'ping':1,'lsid':{'id':1}}                 | 14",
                "{'ping':1,'$readPreference':'primary'}     | 14",
                "{'ping':1,'$readPreference':{'mode':'x'}}  | 9",
                "{'find':'#','filter':{'a':{'$frob':1}}}    | 2",
                "{'find':'#','tailable':true}               | 2",
                "{'find':'#','readConcern':{'level':'x'}}   | 9",
                "{'find':'#','startTransaction':true}       | 72",
                "{'insert':'#','documents':[],'writeConcern':{'w':51}} | 9",
                "{'ping':1,'apiVersion':'2'}                | 322",
                "{'ping':1,'apiStrict':true}                | 322",
                "{'getMore':{'$numberLong':'1'},'collection':'#'} | 43",
                "{'findAndModify':'#'}                      | 9",
                "{'findAndModify':'#','remove':true,'update':{}} | 9",
                "{'findAndModify':'#','remove':true,'new':true} | 9"
            })
    void refuses(String command, String code) {
        assertThat(call(command).text("code")).isEqualTo(code);
    }

    // ---- insert and find

    @Test
    void insertsAndFinds() {
        Reply inserted =
                call("{'insert':'#','documents':[{'_id':2,'a':'two'},{'_id':1,'a':'one'}]}");
        assertThat(inserted.at("n")).isEqualTo(value("2"));
        Reply found = call("{'find':'#','filter':{'a':'two'}}");
        assertThat(found.at("cursor.firstBatch")).isEqualTo(value("[{'_id':2,'a':'two'}]"));
        assertThat(found.at("cursor.id")).isEqualTo(new BsonValue.Int64(0));
        assertThat(found.string("cursor.ns")).isEqualTo("d." + name);
        assertThat(found.at("ok")).isEqualTo(new Value.Real(1.0));
        assertThat(call("{'find':'#','filter':{'_id':1}}").at("cursor.firstBatch"))
                .isEqualTo(value("[{'_id':1,'a':'one'}]"));
        assertThat(
                        call("{'find':'#','filter':{'_id':1},'projection':{'_id':0}}")
                                .at("cursor.firstBatch"))
                .isEqualTo(value("[{'a':'one'}]"));
        assertThat(call("{'find':'#','filter':{'_id':1,'a':'x'}}").at("cursor.firstBatch"))
                .isEqualTo(value("[]"));
        assertThat(call("{'find':'#','sort':{'_id':1},'skip':1,'limit':1}").at("cursor.firstBatch"))
                .isEqualTo(value("[{'_id':2,'a':'two'}]"));
    }

    @Test
    void givesDocumentsAnId() {
        insert("{'a':1}");
        assertThat(call("{'find':'#'}").at("cursor.firstBatch.0._id"))
                .isInstanceOf(BsonValue.ObjectId.class);
    }

    @Test
    void findsNothingWhereThereIsNoCollection() {
        assertThat(call("{'find':'#'}").at("cursor.firstBatch")).isEqualTo(value("[]"));
        assertThat(call("{'count':'#'}").at("n")).isEqualTo(value("0"));
        assertThat(call("{'distinct':'#','key':'a'}").at("values")).isEqualTo(value("[]"));
        assertThat(call("{'delete':'#','deletes':[{'q':{},'limit':0}]}").at("n"))
                .isEqualTo(value("0"));
        assertThat(call("{'update':'#','updates':[{'q':{},'u':{'$set':{'a':1}}}]}").at("n"))
                .isEqualTo(value("0"));
        assertThat(call("{'findAndModify':'#','remove':true}").at("value"))
                .isEqualTo(Value.Null.NULL);
    }

    @Test
    void saysWhichKeyIsTaken() {
        insert("{'_id':1}");
        Reply refused = call("{'insert':'#','documents':[{'_id':0},{'_id':1,'a':2},{'_id':2}]}");
        assertThat(refused.at("n")).isEqualTo(value("1"));
        assertThat(refused.isOk()).isTrue();
        assertThat(refused.at("writeErrors"))
                .isEqualTo(
                        value(
                                "[{'index':1,'code':11000,'errmsg':'E11000 duplicate key error"
                                        + " collection: d."
                                        + name
                                        + " index: _id_ dup key: { _id: 1 }',"
                                        + "'keyPattern':{'_id':1},'keyValue':{'_id':1}}]"));
        Reply unordered =
                call(
                        "{'insert':'#','ordered':false,"
                                + "'documents':[{'_id':0},{'_id':1},{'_id':2}]}");
        assertThat(unordered.at("n")).isEqualTo(value("1"));
        assertThat(unordered.at("writeErrors.0.index")).isEqualTo(value("0"));
        assertThat(unordered.at("writeErrors.1.index")).isEqualTo(value("1"));
        assertThat(call("{'count':'#'}").at("n")).isEqualTo(value("3"));
    }

    @Test
    void saysWhichValueOfAUniqueIndexIsTaken() {
        call("{'createIndexes':'#','indexes':[{'key':{'mail':1},'name':'mail_1','unique':true}]}");
        insert("{'_id':1,'mail':'a'}");
        Reply refused = call("{'insert':'#','documents':[{'_id':2,'mail':'a'}]}");
        assertThat(refused.at("writeErrors.0.code")).isEqualTo(value("11000"));
        assertThat(refused.at("writeErrors.0.keyPattern")).isEqualTo(value("{'mail':1}"));
        assertThat(refused.at("writeErrors.0.keyValue")).isEqualTo(value("{'mail':'a'}"));
        assertThat(refused.string("writeErrors.0.errmsg"))
                .isEqualTo(
                        "E11000 duplicate key error collection: d."
                                + name
                                + " index: mail_1 dup key: { mail: \"a\" }");
    }

    @Test
    void saysWhichValueKeepsAUniqueIndexFromBeingMade() {
        insert("{'_id':1,'mail':'a'},{'_id':2,'mail':'a'}");
        Reply refused =
                call(
                        "{'createIndexes':'#','indexes':[{'key':{'mail':1},'name':'mail_1','unique':true}]}");
        assertThat(refused.failure())
                .isEqualTo(
                        "11000 DuplicateKey: E11000 duplicate key error collection: d."
                                + name
                                + " index: mail_1 dup key: { mail: \"a\" }");
        assertThat(refused.at("keyPattern")).isEqualTo(value("{'mail':1}"));
        assertThat(refused.at("keyValue")).isEqualTo(value("{'mail':'a'}"));
        assertThat(call("{'dropIndexes':'#','index':'mail_1'}").text("code")).isEqualTo("27");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "$a   | field name starts with '$'",
                "a.$b | field name starts with '$'",
                "a..b | cannot contain an empty field",
                "a.   | cannot contain an empty field",
            })
    void refusesIndexesOnFieldsThatThereCannotBe(String path, String reason) {
        Reply refused =
                call(
                        "{'createIndexes':'#','indexes':[{'key':{'@':1},'name':'x'}]}"
                                .replace("@", path));
        assertThat(refused.text("code")).isEqualTo("67");
        assertThat(refused.failure()).contains(reason);
    }

    // ---- update

    @Test
    void updatesOneOrMany() {
        insert("{'_id':1,'a':1},{'_id':2,'a':1},{'_id':3,'a':2}");
        Reply one = call("{'update':'#','updates':[{'q':{'_id':1},'u':{'$set':{'b':1}}}]}");
        assertThat(one.at("n")).isEqualTo(value("1"));
        assertThat(one.at("nModified")).isEqualTo(value("1"));
        Reply same = call("{'update':'#','updates':[{'q':{'_id':1},'u':{'$set':{'b':1}}}]}");
        assertThat(same.at("n")).isEqualTo(value("1"));
        assertThat(same.at("nModified")).isEqualTo(value("0"));
        Reply many =
                call(
                        "{'update':'#','updates':[{'q':{'a':1},'u':{'$set':{'b':1}},'multi':true},"
                                + "{'q':{'_id':3},'u':{'r':1}}]}");
        assertThat(many.at("n")).isEqualTo(value("3"));
        assertThat(many.at("nModified")).isEqualTo(value("2"));
        assertThat(call("{'find':'#','sort':{'_id':1}}").at("cursor.firstBatch"))
                .isEqualTo(value("[{'_id':1,'a':1,'b':1},{'_id':2,'a':1,'b':1},{'_id':3,'r':1}]"));
    }

    @Test
    void createsWhatAnUpdateDoesNotFind() {
        Reply created =
                call(
                        "{'update':'#','updates':["
                                + "{'q':{'_id':7},'u':{'$set':{'a':1}},'upsert':true},"
                                + "{'q':{'b':1},'u':{'$inc':{'c':1}},'upsert':true,'multi':true}]}");
        assertThat(created.has("writeErrors")).as(created.toString()).isFalse();
        assertThat(created.at("n")).isEqualTo(value("2"));
        assertThat(created.at("nModified")).isEqualTo(value("0"));
        assertThat(created.at("upserted.0")).isEqualTo(value("{'index':0,'_id':7}"));
        assertThat(created.at("upserted.1.index")).isEqualTo(value("1"));
        assertThat(created.at("upserted.1._id")).isInstanceOf(BsonValue.ObjectId.class);
        assertThat(call("{'count':'#','query':{'b':1,'c':1}}").at("n")).isEqualTo(value("1"));
    }

    @Test
    void keepsTheFieldOfTheSystemOutOfCollectionsInOnePiece() {
        insert("{'_id':1}");
        Reply refused =
                call(
                        "{'update':'#','ordered':false,'updates':["
                                + "{'q':{'_id':2},'u':{'_partitionKey':'x'},'upsert':true},"
                                + "{'q':{'_id':1},'u':{'_partitionKey':'x'}}]}");
        assertThat(refused.at("writeErrors.0.code")).isEqualTo(value("2"));
        assertThat(refused.at("writeErrors.1.code")).isEqualTo(value("66"));
        assertThat(all()).isEqualTo("[ { _id: 1 } ]");
    }

    @Test
    void refusesSingleUpdates() {
        insert("{'_id':1,'a':'text'}");
        Reply refused =
                call(
                        "{'update':'#','ordered':false,'updates':["
                                + "{'q':{'_id':1},'u':{'$inc':{'a':1}}},"
                                + "{'q':{},'u':{'a':1},'multi':true},"
                                + "{'q':{'_id':1},'u':{'$set':{'_id':2}}},"
                                + "{'q':{'_id':1},'u':{'$set':{'b':1}}}]}");
        assertThat(refused.at("nModified")).isEqualTo(value("1"));
        List<String> codes =
                IntStream.range(0, 3)
                        .mapToObj(
                                i ->
                                        refused.text("writeErrors." + i + ".index")
                                                + ":"
                                                + refused.text("writeErrors." + i + ".code"))
                        .toList();
        assertThat(codes).containsExactly("0:14", "1:9", "2:66");
    }

    // ---- delete and findAndModify

    @Test
    void deletesOneOrAll() {
        insert("{'_id':1,'a':1},{'_id':2,'a':1},{'_id':3,'a':1},{'_id':4}");
        assertThat(call("{'delete':'#','deletes':[{'q':{'a':1},'limit':1}]}").at("n"))
                .isEqualTo(value("1"));
        assertThat(
                        call("{'delete':'#','deletes':[{'q':{'a':1},'limit':0},{'q':{'_id':9},'limit':1}]}")
                                .at("n"))
                .isEqualTo(value("2"));
        assertThat(all()).isEqualTo("[ { _id: 4 } ]");
    }

    @Test
    void findsAndModifies() {
        insert("{'_id':1,'n':1},{'_id':2,'n':2}");
        Reply before =
                call(
                        "{'findAndModify':'#','query':{},'sort':{'_id':-1},"
                                + "'update':{'$inc':{'n':10}}}");
        assertThat(before.at("value")).isEqualTo(value("{'_id':2,'n':2}"));
        assertThat(before.at("lastErrorObject")).isEqualTo(value("{'n':1,'updatedExisting':true}"));
        Reply after =
                call(
                        "{'findAndModify':'#','query':{'_id':2},'new':true,'fields':{'_id':0},"
                                + "'update':{'$inc':{'n':10}}}");
        assertThat(after.at("value")).isEqualTo(value("{'n':22}"));
        Reply created =
                call(
                        "{'findAndModify':'#','query':{'_id':3},'new':true,'upsert':true,"
                                + "'update':{'n':3}}");
        assertThat(created.failure()).isEqualTo("ok");
        assertThat(created.at("value")).isEqualTo(value("{'_id':3,'n':3}"));
        assertThat(created.at("lastErrorObject"))
                .isEqualTo(value("{'n':1,'updatedExisting':false,'upserted':3}"));
        Reply removed = call("{'findandmodify':'#','query':{'n':{'$gt':20}},'remove':true}");
        assertThat(removed.at("value")).isEqualTo(value("{'_id':2,'n':22}"));
        assertThat(removed.at("lastErrorObject")).isEqualTo(value("{'n':1}"));
        assertThat(all()).isEqualTo("[ { _id: 1, n: 1 }, { _id: 3, n: 3 } ]");
    }

    // ---- count and distinct

    @Test
    void countsAndTellsApart() {
        insert("{'_id':1,'a':[1,2]},{'_id':2,'a':2},{'_id':3,'a':'x'},{'_id':4}");
        assertThat(call("{'count':'#'}").at("n")).isEqualTo(value("4"));
        assertThat(call("{'count':'#','query':{'a':2}}").at("n")).isEqualTo(value("2"));
        assertThat(call("{'count':'#','skip':1,'limit':2}").at("n")).isEqualTo(value("2"));
        assertThat(call("{'count':'#','skip':3,'limit':2}").at("n")).isEqualTo(value("1"));
        Reply distinct = call("{'distinct':'#','key':'a'}");
        assertThat(((Value.Array) distinct.at("values")).elements())
                .containsExactlyInAnyOrder(value("1"), value("2"), value("'x'"));
        assertThat(call("{'distinct':'#','key':'a','query':{'_id':2}}").at("values"))
                .isEqualTo(value("[2]"));
    }

    // ---- cursors

    private void insertMany(int count) {
        insert(
                IntStream.range(0, count)
                        .mapToObj(i -> "{'_id':" + i + "}")
                        .collect(Collectors.joining(",")));
    }

    private Reply more(long id, int size) {
        return call(
                "{'getMore':{'$numberLong':'"
                        + id
                        + "'},'collection':'#','batchSize':"
                        + size
                        + "}");
    }

    private static int size(Reply reply, String path) {
        return ((Value.Array) reply.at(path)).elements().size();
    }

    @Test
    void readsInBatches() {
        insertMany(10);
        Reply first = call("{'find':'#','sort':{'_id':1},'batchSize':4}");
        List<Value> seen =
                new ArrayList<>(((Value.Array) first.at("cursor.firstBatch")).elements());
        assertThat(seen).hasSize(4);
        long id = first.number("cursor.id");
        assertThat(id).isNotZero();
        while (id != 0) {
            Reply next = more(id, 4);
            assertThat(next.isOk()).as(next.toString()).isTrue();
            assertThat(size(next, "cursor.nextBatch")).isLessThanOrEqualTo(4);
            seen.addAll(((Value.Array) next.at("cursor.nextBatch")).elements());
            assertThat(next.string("cursor.ns")).isEqualTo("d." + name);
            id = next.number("cursor.id");
        }
        assertThat(seen)
                .containsExactlyElementsOf(
                        IntStream.range(0, 10).mapToObj(i -> value("{'_id':" + i + "}")).toList());
        assertThat(more(first.number("cursor.id"), 4).text("code")).isEqualTo("43");
    }

    @Test
    void beginsWithAnEmptyBatchAndEndsWithASingleOne() {
        insertMany(5);
        Reply empty = call("{'find':'#','batchSize':0}");
        assertThat(size(empty, "cursor.firstBatch")).isZero();
        Reply rest = more(empty.number("cursor.id"), 100);
        assertThat(size(rest, "cursor.nextBatch")).isEqualTo(5);
        assertThat(rest.number("cursor.id")).isZero();
        Reply single = call("{'find':'#','batchSize':2,'singleBatch':true}");
        assertThat(size(single, "cursor.firstBatch")).isEqualTo(2);
        assertThat(single.number("cursor.id")).isZero();
        Reply limited = call("{'find':'#','limit':3,'batchSize':2}");
        Reply last = more(limited.number("cursor.id"), 2);
        assertThat(size(last, "cursor.nextBatch")).isEqualTo(1);
        assertThat(last.number("cursor.id")).isZero();
    }

    @Test
    void killsCursors() {
        insertMany(5);
        long id = call("{'find':'#','batchSize':2}").number("cursor.id");
        String cursors = "'cursors':[{'$numberLong':'" + id + "'},{'$numberLong':'5'}]}";
        Reply other = call("{'killCursors':'other'," + cursors);
        assertThat(size(other, "cursorsKilled")).isZero();
        assertThat(size(other, "cursorsNotFound")).isEqualTo(2);
        assertThat(
                        call("{'getMore':{'$numberLong':'" + id + "'},'collection':'other'}")
                                .text("code"))
                .isEqualTo("13");
        Reply killed = call("{'killCursors':'#'," + cursors);
        assertThat(killed.number("cursorsKilled.0")).isEqualTo(id);
        assertThat(killed.at("cursorsNotFound.0")).isEqualTo(new BsonValue.Int64(5));
        assertThat(more(id, 2).failure())
                .isEqualTo("43 CursorNotFound: cursor id " + id + " not found");
    }

    // ---- shards

    @Test
    void writesToOneDocumentNeedTheShardKey() {
        client.call("admin", "{'shardCollection':'d." + name + "','key':{'k':'hashed'}}");
        insert("{'_id':1,'k':'a','n':1},{'_id':1,'k':'b','n':1},{'_id':2,'k':'b','n':1}");
        Reply refused = call("{'update':'#','updates':[{'q':{'n':1},'u':{'$set':{'n':2}}}]}");
        assertThat(refused.at("writeErrors.0.code")).isEqualTo(value("61"));
        assertThat(refused.string("writeErrors.0.errmsg"))
                .isEqualTo("query in command must target a single shard key");
        assertThat(
                        call("{'delete':'#','deletes':[{'q':{'n':1},'limit':1}]}")
                                .at("writeErrors.0.code"))
                .isEqualTo(value("61"));
        assertThat(call("{'findAndModify':'#','query':{'n':1},'remove':true}").failure())
                .isEqualTo("61 ShardKeyNotFound: query in command must target a single shard key");
        assertThat(
                        call("{'update':'#','updates':" + "[{'q':{'_id':2},'u':{'$set':{'n':2}}}]}")
                                .at("nModified"))
                .isEqualTo(value("1"));
        assertThat(
                        call("{'update':'#','updates':"
                                        + "[{'q':{'k':'b'},'u':{'$set':{'m':1}},'multi':true}]}")
                                .at("nModified"))
                .isEqualTo(value("2"));
        assertThat(call("{'delete':'#','deletes':[{'q':{'k':'a','n':1},'limit':1}]}").at("n"))
                .isEqualTo(value("1"));
        assertThat(call("{'count':'#'}").at("n")).isEqualTo(value("2"));
    }
}
