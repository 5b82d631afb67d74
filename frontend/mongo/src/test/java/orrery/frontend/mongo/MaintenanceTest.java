package orrery.frontend.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.Value;
import orrery.frontend.mongo.MongoClient.Reply;
import orrery.query.mongo.expression.ValueText;

/** What looks after collections: renameCollection, top, $indexStats; and $listLocalSessions. */
final class MaintenanceTest {
    @RegisterExtension static final MongoEngine ENGINE = MongoEngine.ofNewestLevel();

    private final MongoClient client = ENGINE.client();

    /** A collection that no other test has. */
    private final String name = MongoEngine.newName();

    private Reply call(String command) {
        return client.call(command.replace("#", name));
    }

    private Reply admin(String command) {
        return client.call("admin", command.replace("#", name));
    }

    private String all(String collection) {
        return call("{'find':'" + collection + "','sort':{'_id':1}}").text("cursor.firstBatch");
    }

    // ---- renameCollection

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void renamesWithAllThatThereIs(boolean isSharded) {
        if (isSharded) {
            call(
                    "{'customAction':'CreateCollection','collection':'#','shardKey':'k','offerThroughput':50000}");
        }
        call("{'insert':'#','documents':[{'_id':1,'k':1},{'_id':2,'k':2}]}");
        call("{'createIndexes':'#','indexes':[{'key':{'n':1},'name':'n_1'}]}");

        assertThat(admin("{'renameCollection':'d.#','to':'d.new#'}").failure()).isEqualTo("ok");

        assertThat(all("#")).isEqualTo("[]");
        assertThat(all("new#")).isEqualTo("[ { _id: 1, k: 1 }, { _id: 2, k: 2 } ]");
        assertThat(call("{'listIndexes':'new#'}").text("cursor.firstBatch")).contains("n_1");
        call("{'insert':'new#','documents':[{'_id':3,'k':3}]}");
        assertThat(call("{'count':'new#'}").number("n")).isEqualTo(3);
        // The old name is free again.
        call("{'insert':'#','documents':[{'_id':9}]}");
        assertThat(all("#")).isEqualTo("[ { _id: 9 } ]");
    }

    @Test
    void replacesAnotherOnlyIfItMay() {
        call("{'insert':'#','documents':[{'_id':1}]}");
        call("{'insert':'other#','documents':[{'_id':2}]}");

        assertThat(admin("{'renameCollection':'d.#','to':'d.other#'}").failure())
                .isEqualTo("48 NamespaceExists: target namespace exists");
        assertThat(all("other#")).isEqualTo("[ { _id: 2 } ]");
        assertThat(admin("{'renameCollection':'d.#','to':'d.other#','dropTarget':true}").isOk())
                .isTrue();
        assertThat(all("other#")).isEqualTo("[ { _id: 1 } ]");
        assertThat(all("#")).isEqualTo("[]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    {'renameCollection':'d.none','to':'d.x'}             | 26
                    {'renameCollection':'d.#','to':'d.#'}                | 20
                    {'renameCollection':'d.#','to':'e.#'}                | 115
                    {'renameCollection':'d.#','to':'nodot'}              | 73
                    {'renameCollection':'d.#','to':'d.a$b'}              | 73
                    {'renameCollection':1,'to':'d.x'}                    | 14
                    {'renameCollection':'d.#'}                           | 40414
                    {'renameCollection':'d.#','to':'d.x','dropTarget':'y'} | 14
                    {'renameCollection':'d.#','to':'d.x','frob':1}       | 40415
                    """)
    void refusesToRename(String command, int code) {
        call("{'create':'#'}");
        assertThat(admin(command).number("code")).isEqualTo(code);
        assertThat(call(command).text("code")).isIn("13", "40415");
    }

    // ---- top

    @Test
    void countsWhatIsDoneWithCollections() {
        call("{'insert':'#','documents':[{'_id':1},{'_id':2}]}");
        Reply found = call("{'find':'#','batchSize':1}");
        call("{'getMore':" + found.text("cursor.id") + ",'collection':'#'}");
        call("{'count':'#'}");
        call("{'update':'#','updates':[{'q':{},'u':{'$set':{'a':1}}}]}");
        call("{'delete':'#','deletes':[{'q':{},'limit':1}]}");
        call("{'aggregate':'#','pipeline':[],'cursor':{}}");
        call("{'find':'none#'}");
        admin(
                "{'bulkWrite':1,'nsInfo':[{'ns':'d.#'}],'ops':[{'insert':0,'document':{}},"
                        + "{'insert':0,'document':{}},{'delete':0,'filter':{}}]}");

        Reply top = admin("{'top':1}");

        assertThat(top.string("totals.note")).isEqualTo("all times in microseconds");
        Value.Obj totals = (Value.Obj) top.at("totals");
        Value mine = totals.properties().getOrDefault("d." + name, Value.Null.NULL);
        assertThat(ValueText.of(mine).replaceAll("time: \\d+, ", ""))
                .isEqualTo(
                        "{ total: { count: 10 }, readLock: { count: 4 }, writeLock: { count: 6 },"
                                + " queries: { count: 2 }, getmore: { count: 1 }, insert: { count: 3 },"
                                + " update: { count: 1 }, remove: { count: 2 }, commands: { count: 1 } }");
        assertThat(top.text("totals")).doesNotContain("none" + name);
        call("{'drop':'#'}");
        call("{'create':'#'}");
        totals = (Value.Obj) admin("{'top':1}").at("totals");
        assertThat(totals.properties()).doesNotContainKey("d." + name);
        assertThat(call("{'top':1}").number("code")).isEqualTo(13);
    }

    // ---- $indexStats

    private String uses() {
        return call("{'aggregate':'#','pipeline':[{'$indexStats':{}},{'$project':{'_id':0,'name':1,"
                        + "'ops':'$accesses.ops'}}],'cursor':{}}")
                .text("cursor.firstBatch");
    }

    /** A few documents are read as a whole, whatever index there is. */
    private void fill(boolean isSharded) {
        if (isSharded) {
            call(
                    "{'customAction':'CreateCollection','collection':'#','shardKey':'k','offerThroughput':50000}");
        }
        StringBuilder documents = new StringBuilder();
        for (int i = 0; i < 500; i++) {
            documents
                    .append(i == 0 ? "" : ",")
                    .append(
                            "{'_id':%d,'k':%d,'a':%d,'b c':%d,'t':[%d,1000]}"
                                    .formatted(i, isSharded ? i : 0, i, i, i));
        }
        call(
                "{'createIndexes':'#','indexes':[{'key':{'a':1},'name':'a_1'},{'key':{'b c':1},'name':'bc'},"
                        + "{'key':{'t':1},'name':'t_1'},{'key':{'a':1,'b c':-1},'name':'both'}]}");
        call("{'insert':'#','documents':[" + documents + "]}");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void countsTheReadsThatUseAnIndex(boolean isSharded) {
        fill(isSharded);
        assertThat(uses())
                .isEqualTo(
                        "[ { name: \"_id_\", ops: 0 }, { name: \"a_1\", ops: 0 }, { name: \"bc\", ops: 0 },"
                                + " { name: \"t_1\", ops: 0 }, { name: \"both\", ops: 0 } ]");

        Reply first = call("{'find':'#','filter':{'a':{'$gte':490}},'batchSize':2}");
        call("{'getMore':" + first.text("cursor.id") + ",'collection':'#'}");
        call("{'count':'#','query':{'b c':7}}");
        call("{'distinct':'#','key':'k','query':{'b c':8}}");
        call(
                "{'aggregate':'#','pipeline':[{'$match':{'t':9}},{'$group':{'_id':null}}],'cursor':{}}");
        call("{'find':'#','filter':{'_id':3,'k':" + (isSharded ? 3 : 0) + "}}");
        call("{'find':'#','filter':{'other':3}}");

        assertThat(uses())
                .isEqualTo(
                        "[ { name: \"_id_\", ops: 1 }, { name: \"a_1\", ops: 1 }, { name: \"bc\", ops: 2 },"
                                + " { name: \"t_1\", ops: 1 }, { name: \"both\", ops: 0 } ]");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void countsTheWritesThatFindDocumentsByAnIndex(boolean isSharded) {
        fill(isSharded);
        String key = isSharded ? "'k':7," : "";

        call(
                "{'update':'#','updates':[{'q':{'a':{'$gte':490}},'u':{'$inc':{'n':1}},'multi':true}]}");
        call("{'update':'#','updates':[{'q':{" + key + "'_id':7},'u':{'$inc':{'n':1}}}]}");
        call("{'delete':'#','deletes':[{'q':{'b c':9},'limit':0},{'q':{'other':9},'limit':0}]}");
        assertThat(uses())
                .isEqualTo(
                        "[ { name: \"_id_\", ops: 1 }, { name: \"a_1\", ops: 1 }, { name: \"bc\", ops: 1 },"
                                + " { name: \"t_1\", ops: 0 }, { name: \"both\", ops: 0 } ]");
        if (!isSharded) {
            // A write to one document by another field needs the shard key, whose documents are
            // few.
            call("{'update':'#','updates':[{'q':{'a':5},'u':{'$inc':{'n':1}}}]}");
            call("{'findAndModify':'#','query':{'b c':6},'update':{'$inc':{'n':1}}}");
            call("{'findAndModify':'#','query':{'t':8},'remove':true}");
            call("{'delete':'#','deletes':[{'q':{'_id':11},'limit':1}]}");
            assertThat(uses())
                    .isEqualTo(
                            "[ { name: \"_id_\", ops: 2 }, { name: \"a_1\", ops: 2 }, { name: \"bc\", ops: 2 },"
                                    + " { name: \"t_1\", ops: 1 }, { name: \"both\", ops: 0 } ]");
        }
    }

    @Test
    void countsAnewWhatIsMadeAnew() {
        fill(false);
        for (int i = 0; i < 3; i++) {
            call("{'find':'#','filter':{'a':5}}");
        }
        call("{'find':'#','filter':{'b c':5}}");
        call("{'dropIndexes':'#','index':['a_1','both']}");
        call("{'createIndexes':'#','indexes':[{'key':{'a':1},'name':'again'}]}");

        assertThat(uses()).contains("{ name: \"bc\", ops: 1 }", "{ name: \"again\", ops: 0 }");
        Reply whole = call("{'aggregate':'#','pipeline':[{'$indexStats':{}}],'cursor':{}}");
        assertThat(whole.text("cursor.firstBatch.1.spec"))
                .isEqualTo("{ v: 2, key: { b c: 1 }, name: \"bc\" }");
        assertThat(whole.text("cursor.firstBatch.1.accesses.since")).startsWith("new Date(");
        assertThat(whole.string("cursor.firstBatch.1.host")).endsWith(":10255");
    }

    @Test
    void refusesOptionsOfIndexStatistics() {
        assertThat(
                        call("{'aggregate':'#','pipeline':[{'$indexStats':{'x':1}}],'cursor':{}}")
                                .number("code"))
                .isEqualTo(28803);
        assertThat(
                        call("{'aggregate':1,'pipeline':[{'$indexStats':{}}],'cursor':{}}")
                                .number("code"))
                .isEqualTo(73);
        assertThat(uses()).isEqualTo("[]");
    }

    // ---- $listLocalSessions

    private static final String SESSION =
            "{'$binary':{'base64':'EAAAAAAAAAAAAAAAAAAAAA==','subType':'04'}}";

    private String sessions(String options) {
        return admin(
                        "{'aggregate':1,'pipeline':[{'$listLocalSessions':"
                                + options
                                + "},{'$match':{'_id.id':"
                                + SESSION
                                + "}},{'$project':{'_id':0,'isUsed':{'$type':'$lastUse'}}}],"
                                + "'cursor':{}}")
                .text("cursor.firstBatch");
    }

    @Test
    void listsTheSessionsThatAreInUse() {
        assertThat(sessions("{}")).isEqualTo("[]");
        call("{'ping':1,'lsid':{'id':" + SESSION + "}}");

        String listed = "[ { isUsed: \"date\" } ]";
        assertThat(sessions("{}")).isEqualTo(listed);
        assertThat(sessions("{'allUsers':true}")).isEqualTo(listed);
        assertThat(sessions("{'users':[{'user':'orrery','db':'admin'}]}")).isEqualTo(listed);
        assertThat(sessions("{'users':[{'user':'other','db':'admin'}]}")).isEqualTo("[]");
        call("{'endSessions':[{'id':" + SESSION + "}]}");
        assertThat(sessions("{}")).isEqualTo("[]");
        call("{'refreshSessions':[{'id':" + SESSION + "}]}");
        assertThat(sessions("{}")).isEqualTo(listed);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    1     | {'x':1}                                                         | 40415
                    1     | {'allUsers':true,'users':[{'user':'orrery','db':'admin'}]}      | 12
                    1     | {'users':[1]}                                                   | 14
                    ~'c'~ | {}                                                              | 73
                    """)
    void refusesToList(String collection, String options, int code) {
        assertThat(
                        admin(
                                        "{'aggregate':"
                                                + collection
                                                + ",'pipeline':[{'$listLocalSessions':"
                                                + options
                                                + "}],'cursor':{}}")
                                .number("code"))
                .isEqualTo(code);
    }

    /** The stable API has neither the stages about servers nor most of $collStats. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'$listLocalSessions':{}}",
                "{'$currentOp':{}}",
                "{'$indexStats':{}}",
                "{'$collStats':{'storageStats':{}}}",
                "{'$unionWith':{'coll':'x','pipeline':[{'$indexStats':{}}]}}"
            })
    void stagesOutsideOfTheStableApiAreRefused(String stage) {
        String command = "{'aggregate':1,'pipeline':[" + stage + "],'cursor':{},'apiVersion':'1'";
        assertThat(admin(command + ",'apiStrict':true}").failure())
                .startsWith("323 APIStrictError");
        assertThat(admin(command + "}").failure()).doesNotStartWith("323");
        assertThat(
                        admin(
                                        "{'aggregate':'c','pipeline':[{'$collStats':{'count':{}}}],"
                                                + "'cursor':{},'apiVersion':'1','apiStrict':true}")
                                .isOk())
                .isTrue();
    }
}
