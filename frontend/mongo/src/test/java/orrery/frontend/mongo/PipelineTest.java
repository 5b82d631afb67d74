package orrery.frontend.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.frontend.mongo.MongoClient.Reply;

/** Pipelines, over a collection in one piece and over one with five partitions. */
final class PipelineTest {
    private static final String DOCUMENTS =
            "{'_id':1,'k':'a','n':1,'t':['x','y'],'o':{'p':1}},"
                    + "{'_id':2,'k':'b','n':2.5,'t':[],'o':{'p':2}},"
                    + "{'_id':3,'k':'a','n':3,'t':'z'},"
                    + "{'_id':4,'k':'c','n':null,'t':['x'],'o':{'p':1}},"
                    + "{'_id':5,'k':'b','t':null,'o':{'p':3}},"
                    + "{'_id':6,'k':'a','n':10,'t':['y','x','y']}";

    private static final String OTHERS =
            "{'_id':'A','k':'a','w':1},{'_id':'B','k':'b','w':2},{'_id':'AB','k':['a','b'],'w':3},"
                    + "{'_id':'N','w':4}";

    @RegisterExtension static final MongoEngine ENGINE = MongoEngine.standard();

    private static MongoClient client;

    @BeforeAll
    static void open() {
        client = ENGINE.client();
        ok(
                "{'customAction':'CreateCollection','collection':'five','shardKey':'_id','offerThroughput':50000}");
        for (String name : List.of("one", "five")) {
            ok("{'insert':'%s','documents':[%s]}".formatted(name, DOCUMENTS));
        }
        ok("{'insert':'others','documents':[%s]}".formatted(OTHERS));
    }

    private static Reply ok(String command) {
        Reply reply = client.call(command);
        assertThat(reply.isOk()).as("%s: %s", command, reply.text("errmsg")).isTrue();
        return reply;
    }

    private static Reply run(String collection, String stages) {
        return client.call(
                "{'aggregate':'%s','pipeline':[%s],'cursor':{}}".formatted(collection, stages));
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "/orrery/frontend/mongo/pipelines.csv",
            delimiter = '|',
            quoteCharacter = '`')
    void giveWhatTheServerGives(String stages, String expected) {
        for (String collection : List.of("one", "five")) {
            Reply reply = run(collection, stages);
            assertThat(reply.isOk() ? reply.text("cursor.firstBatch") : reply.text("errmsg"))
                    .as(collection)
                    .isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "/orrery/frontend/mongo/refused-pipelines.csv",
            delimiter = '|',
            quoteCharacter = '`')
    void refusesWhatIsNone(String stages, int code, String words) {
        Reply reply = run("five", stages);
        assertThat(reply.text("code")).isEqualTo(Integer.toString(code));
        assertThat(reply.string("errmsg")).isEqualTo(words);
    }

    @Test
    void makesDocumentsOfNothing() {
        assertThat(
                        ok("{'aggregate':1,'cursor':{},'pipeline':[{'$documents':[{'a':1},{'a':2}]},"
                                        + "{'$match':{'a':2}}]}")
                                .text("cursor.firstBatch"))
                .isEqualTo("[ { a: 2 } ]");
        assertThat(
                        client.call("{'aggregate':1,'pipeline':[{'$match':{}}],'cursor':{}}")
                                .text("code"))
                .isEqualTo("73");
    }

    /** Release 8.0 has it so: a missing field is null here, and an undefined one is not. */
    @Test
    void nullJoinsNothingThatIsUndefined() {
        ok(
                "{'insert':'foreign','documents':[{'_id':1,'v':null},{'_id':2},"
                        + "{'_id':3,'v':{'$undefined':true}},{'_id':4,'v':[5,{'$undefined':true}]}]}");
        ok("{'insert':'local','documents':[{'_id':1,'v':null},{'_id':2,'v':5}]}");
        assertThat(
                        run(
                                        "local",
                                        "{'$lookup':{'from':'foreign','localField':'v',"
                                                + "'foreignField':'v','as':'f'}},"
                                                + "{'$project':{'f':'$f._id'}}")
                                .text("cursor.firstBatch"))
                .isEqualTo("[ { _id: 1, f: [ 1, 2 ] }, { _id: 2, f: [ 4 ] } ]");
        assertThat(client.call("{'count':'foreign','query':{'v':null}}").number("n")).isEqualTo(2);
    }

    private static String merged(String name, String options) {
        ok("{'delete':'%s','deletes':[{'q':{},'limit':0}]}".formatted(name));
        ok(
                "{'insert':'%s','documents':[{'_id':1,'k':'a','old':1},{'_id':9,'k':'z','old':9}]}"
                        .formatted(name));
        Reply reply =
                run(
                        "five",
                        "{'$match':{'_id':{'$lte':2}}},{'$project':{'k':1}},{'$sort':{'_id':1}},"
                                + "{'$merge':{'into':'%s'%s}}".formatted(name, options));
        return (reply.isOk() ? reply.text("cursor.firstBatch") : reply.text("code"))
                + " "
                + run(name, "{'$sort':{'_id':1}}").text("cursor.firstBatch");
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "/orrery/frontend/mongo/merges.csv",
            delimiter = '|',
            quoteCharacter = '`')
    void mergesIntoCollections(String options, String expected) {
        assertThat(merged("merged", options == null ? "" : options)).isEqualTo(expected);
        ok("{'shardCollection':'d.mergedSharded','key':{'_id':'hashed'}}");
        assertThat(merged("mergedSharded", options == null ? "" : options)).isEqualTo(expected);
    }

    @Test
    void replacesACollectionAtOnceOrNotAtAll() {
        assertThat(run("five", "{'$project':{'k':1}},{'$out':'made'}").text("cursor.firstBatch"))
                .isEqualTo("[]");
        assertThat(run("made", "{'$count':'n'}").text("cursor.firstBatch"))
                .isEqualTo("[ { n: 6 } ]");
        ok(
                "{'createIndexes':'made','indexes':[{'key':{'k':1},'name':'one','unique':true}]}"
                        .replace("'unique':true", "'sparse':true"));
        assertThat(run("five", "{'$match':{'_id':1}},{'$out':'made'}").text("errmsg"))
                .isEqualTo("MISSING");
        assertThat(run("made", "{'$project':{'k':1}}").text("cursor.firstBatch"))
                .isEqualTo("[ { _id: 1, k: \"a\" } ]");
        assertThat(ok("{'listIndexes':'made'}").text("cursor.firstBatch.1.name"))
                .isEqualTo("\"one\"");
        assertThat(run("five", "{'$set':{'_id':7}},{'$out':'made'}").text("code"))
                .isEqualTo("11000");
        assertThat(run("made", "{'$project':{'k':1}}").text("cursor.firstBatch"))
                .isEqualTo("[ { _id: 1, k: \"a\" } ]");
        assertThat(run("made", "{'$match':{'_id':2}},{'$out':'five'}").text("code"))
                .isEqualTo("28769");
        assertThat(
                        ok("{'listCollections':1,'filter':{'name':{'$regex':'^tmp'}}}")
                                .text("cursor.firstBatch"))
                .isEqualTo("[]");
    }

    @Test
    void givesTheRestInLaterBatches() {
        Reply first =
                ok(
                        "{'aggregate':'five','pipeline':[{'$group':{'_id':'$_id'}},{'$sort':{'_id':1}}],"
                                + "'cursor':{'batchSize':0}}");
        assertThat(first.text("cursor.firstBatch")).isEqualTo("[]");
        List<String> batches = new ArrayList<>();
        String id = id(first);
        while (!id.equals("0")) {
            Reply next =
                    ok(
                            "{'getMore':{'$numberLong':'%s'},'collection':'five','batchSize':4}"
                                    .formatted(id));
            batches.add(next.text("cursor.nextBatch"));
            id = id(next);
        }
        assertThat(batches)
                .containsExactly(
                        "[ { _id: 1 }, { _id: 2 }, { _id: 3 }, { _id: 4 } ]",
                        "[ { _id: 5 }, { _id: 6 } ]");
    }

    private static String id(Reply reply) {
        return switch (reply.at("cursor.id")) {
            case BsonValue.Int64(long number) -> Long.toString(number);
            case Value.Int(long number) -> Long.toString(number);
            default -> throw new AssertionError("a cursor has an id");
        };
    }

    @Test
    void writesWhatStagesHaveOfTheirOwn() {
        ok(
                "{'aggregate':'five','cursor':{},'pipeline':[{'$collStats':{'count':{}}},"
                        + "{'$project':{'_id':'$ns','count':1}},{'$merge':'statistics'}]}");
        assertThat(run("statistics", "").text("cursor.firstBatch"))
                .isEqualTo("[ { _id: \"d.five\", count: 6 } ]");
        assertThat(
                        client.call(
                                        "{'aggregate':'five','cursor':{},'pipeline':[{'$out':'x'}],"
                                                + "'readConcern':{'level':'linearizable'}}")
                                .text("code"))
                .isEqualTo("72");
    }

    @Test
    void seesVariablesAndCollations() {
        assertThat(
                        ok("{'aggregate':'five','cursor':{},'let':{'x':3},'pipeline':["
                                        + "{'$match':{'$expr':{'$eq':['$_id','$$x']}}},"
                                        + "{'$project':{'x':'$$x'}}]}")
                                .text("cursor.firstBatch"))
                .isEqualTo("[ { _id: 3, x: 3 } ]");
        assertThat(
                        ok("{'aggregate':'five','cursor':{},'collation':{'locale':'en','strength':2},"
                                        + "'pipeline':[{'$match':{'k':'A'}},"
                                        + "{'$group':{'_id':null,'c':{'$sum':'$n'}}}]}")
                                .text("cursor.firstBatch"))
                .isEqualTo("[ { _id: null, c: 14 } ]");
    }
}
