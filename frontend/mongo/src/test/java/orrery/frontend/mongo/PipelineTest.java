package orrery.frontend.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.frontend.mongo.MongoClient.Reply;
import orrery.gateway.EngineFixture;

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

    @TempDir private static Path directory;

    private static EngineFixture fixture;
    private static MongoClient client;

    @BeforeAll
    static void open() {
        fixture = new EngineFixture(directory);
        client = MongoClient.ofAnybody(fixture, false);
        ok(
                "{'customAction':'CreateCollection','collection':'five','shardKey':'_id','offerThroughput':50000}");
        for (String name : List.of("one", "five")) {
            ok("{'insert':'%s','documents':[%s]}".formatted(name, DOCUMENTS));
        }
        ok("{'insert':'others','documents':[%s]}".formatted(OTHERS));
    }

    @AfterAll
    static void close() {
        fixture.close();
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
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'$match':{'k':'a'}},{'$sort':{'_id':-1}},{'$project':{'n':1}} | [ { _id: 6, n: 10 }, { _id: 3, n: 3 }, { _id: 1, n: 1 } ]",
                "{'$sort':{'_id':1}},{'$skip':1},{'$limit':2},{'$project':{'_id':1}} | [ { _id: 2 }, { _id: 3 } ]",
                "{'$sort':{'_id':1}},{'$limit':4},{'$skip':3},{'$project':{'_id':1}} | [ { _id: 4 } ]",
                "{'$group':{'_id':'$k','s':{'$sum':'$n'},'c':{'$sum':1}}},{'$sort':{'_id':1}} | [ { _id: \"a\", s: 14, c: 3 }, { _id: \"b\", s: 2.5, c: 2 }, { _id: \"c\", s: 0, c: 1 } ]",
                "{'$group':{'_id':null,'a':{'$avg':'$n'},'l':{'$min':'$n'},'h':{'$max':'$n'}}} | [ { _id: null, a: 4.125, l: 1, h: 10 } ]",
                "{'$sort':{'_id':1}},{'$group':{'_id':'$k','f':{'$first':'$_id'},'l':{'$last':'$n'},'p':{'$push':'$n'}}},{'$sort':{'_id':1}} | [ { _id: \"a\", f: 1, l: 10, p: [ 1, 3, 10 ] }, { _id: \"b\", f: 2, l: null, p: [ 2.5 ] }, { _id: \"c\", f: 4, l: null, p: [ null ] } ]",
                "{'$unwind':'$t'},{'$group':{'_id':'$t','c':{'$count':{}}}},{'$sort':{'c':-1,'_id':1}} | [ { _id: \"x\", c: 3 }, { _id: \"y\", c: 3 }, { _id: \"z\", c: 1 } ]",
                "{'$match':{'_id':{'$in':[2,5,6]}}},{'$unwind':{'path':'$t','preserveNullAndEmptyArrays':true,'includeArrayIndex':'i'}},{'$project':{'t':1,'i':1}},{'$sort':{'_id':1,'i':1}} | [ { _id: 2, i: null }, { _id: 5, t: null, i: null }, { _id: 6, t: \"y\", i: 0 }, { _id: 6, t: \"x\", i: 1 }, { _id: 6, t: \"y\", i: 2 } ]",
                "{'$match':{'o.p':1}},{'$replaceRoot':{'newRoot':'$o'}} | [ { p: 1 }, { p: 1 } ]",
                "{'$match':{'n':{'$gt':2}}},{'$count':'many'} | [ { many: 3 } ]",
                "{'$match':{'n':{'$gt':200}}},{'$count':'many'} | []",
                "{'$match':{'n':{'$gt':2}}},{'$skip':1},{'$limit':5},{'$group':{'_id':1,'n':{'$sum':1}}} | [ { _id: 1, n: 2 } ]",
                "{'$addFields':{'d':{'$multiply':['$_id',2]}}},{'$match':{'d':{'$gte':10}}},{'$sort':{'d':-1}},{'$project':{'d':1,'_id':0}} | [ { d: 12 }, { d: 10 } ]",
                "{'$sortByCount':'$k'} | [ { _id: \"a\", count: 3 }, { _id: \"b\", count: 2 }, { _id: \"c\", count: 1 } ]",
                "{'$bucket':{'groupBy':'$_id','boundaries':[1,3,5],'default':'more','output':{'ids':{'$addToSet':'$_id'}}}},{'$project':{'ids':{'$sortArray':{'input':'$ids','sortBy':1}}}} | [ { _id: 1, ids: [ 1, 2 ] }, { _id: 3, ids: [ 3, 4 ] }, { _id: \"more\", ids: [ 5, 6 ] } ]",
                "{'$bucketAuto':{'groupBy':'$_id','buckets':2}} | [ { _id: { min: 1, max: 4 }, count: 3 }, { _id: { min: 4, max: 6 }, count: 3 } ]",
                "{'$facet':{'c':[{'$count':'n'}],'top':[{'$sort':{'_id':-1}},{'$limit':1},{'$project':{'_id':1}}]}} | [ { c: [ { n: 6 } ], top: [ { _id: 6 } ] } ]",
                "{'$match':{'_id':{'$lte':2}}},{'$sort':{'_id':1}},{'$lookup':{'from':'others','localField':'k','foreignField':'k','as':'r'}},{'$project':{'r._id':1}} | [ { _id: 1, r: [ { _id: \"A\" }, { _id: \"AB\" } ] }, { _id: 2, r: [ { _id: \"B\" }, { _id: \"AB\" } ] } ]",
                "{'$match':{'_id':1}},{'$lookup':{'from':'others','localField':'none','foreignField':'k','as':'r'}},{'$project':{'r._id':1}} | [ { _id: 1, r: [ { _id: \"N\" } ] } ]",
                "{'$match':{'_id':{'$lte':2}}},{'$sort':{'_id':1}},{'$lookup':{'from':'others','let':{'mine':'$k'},'pipeline':[{'$match':{'$expr':{'$eq':['$k','$$mine']}}},{'$project':{'w':1,'_id':0,'mine':'$$mine'}}],'as':'r'}},{'$project':{'r':1}} | [ { _id: 1, r: [ { w: 1, mine: \"a\" } ] }, { _id: 2, r: [ { w: 2, mine: \"b\" } ] } ]",
                "{'$match':{'_id':1}},{'$lookup':{'from':'none','pipeline':[],'as':'r'}},{'$project':{'r':1}} | [ { _id: 1, r: [] } ]",
                "{'$match':{'_id':1}},{'$project':{'_id':1}},{'$unionWith':{'coll':'others','pipeline':[{'$match':{'w':{'$gt':2}}},{'$project':{'w':1}},{'$sort':{'w':1}}]}} | [ { _id: 1 }, { _id: \"AB\", w: 3 }, { _id: \"N\", w: 4 } ]",
                "{'$sample':{'size':100}},{'$group':{'_id':null,'c':{'$sum':1}}} | [ { _id: null, c: 6 } ]",
                "{'$sample':{'size':4}},{'$count':'c'} | [ { c: 4 } ]",
                "{'$redact':{'$cond':[{'$eq':['$p',1]},'$$PRUNE','$$DESCEND']}},{'$match':{'_id':{'$lte':2}}},{'$sort':{'_id':1}},{'$project':{'o':1}} | [ { _id: 1 }, { _id: 2, o: { p: 2 } } ]",
                "{'$group':{'_id':null,'t':{'$top':{'sortBy':{'_id':-1},'output':'$_id'}},'b':{'$bottomN':{'n':2,'sortBy':{'_id':1},'output':'$_id'}},'m':{'$maxN':{'n':2,'input':'$n'}}}} | [ { _id: null, t: 6, b: [ 5, 6 ], m: [ 10, 3 ] } ]",
                "{'$group':{'_id':null,'d':{'$stdDevPop':'$_id'},'m':{'$median':{'input':'$_id','method':'approximate'}}}},{'$project':{'m':1,'d':{'$round':['$d',4]}}} | [ { _id: null, m: 3.0, d: 1.7078 } ]",
                "{'$group':{'_id':{'k':'$k','p':'$o.p'},'c':{'$sum':1}}},{'$sort':{'c':-1,'_id':1}},{'$limit':1} | [ { _id: { k: \"a\" }, c: 2 } ]",
            })
    void giveWhatTheServerGives(String stages, String expected) {
        for (String collection : List.of("one", "five")) {
            Reply reply = run(collection, stages);
            assertThat(reply.isOk() ? reply.text("cursor.firstBatch") : reply.text("errmsg"))
                    .as(collection)
                    .isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "1 | 14 | Each element of the 'pipeline' array must be an object",
                "{} | 40323 | A pipeline stage specification object must contain exactly one field.",
                "{'$frob':1} | 40324 | Unrecognized pipeline stage name: '$frob'",
                "{'$graphLookup':{}} | 238 | the pipeline stage $graphLookup is not supported",
                "{'$limit':0} | 15958 | the limit must be positive",
                "{'$limit':-1} | 5107201 | invalid argument to $limit stage: Expected a non-negative number in: $limit: -1",
                "{'$skip':'a'} | 5107200 | invalid argument to $skip stage: Expected a number in: $skip: \"a\"",
                "{'$match':1} | 15959 | the match filter must be an expression in an object",
                "{'$sort':1} | 15973 | the $sort key specification must be an object",
                "{'$sort':{}} | 15976 | $sort stage must have at least one sort key",
                "{'$group':1} | 15947 | a group's fields must be specified in an object",
                "{'$group':{}} | 15955 | a group specification must include an _id",
                "{'$group':{'_id':1,'a':1}} | 40234 | The field 'a' must be an accumulator object",
                "{'$group':{'_id':1,'a':{'$frob':1}}} | 15952 | unknown group operator '$frob'",
                "{'$unwind':'t'} | 28818 | path option to $unwind stage should be prefixed with a '$': t",
                "{'$out':'x'},{'$limit':1} | 40601 | $out can only be the final stage in the pipeline",
                "{'$limit':1},{'$collStats':{}} | 40602 | $collStats is only valid as the first stage in a pipeline",
                "{'$facet':{'a':[{'$out':'x'}]}} | 40600 | $out is not allowed to be used within a $facet stage",
                "{'$bucket':{'groupBy':'$_id','boundaries':[1,2]}} | 40066 | $switch could not find a matching branch for an input, and no default was specified.",
                "{'$lookup':{'from':'x','as':'y'}} | 9 | $lookup requires either 'pipeline' or both 'localField' and 'foreignField' to be specified",
                "{'$documents':[]} | 73 | '$documents' can only be run with {aggregate: 1}",
            })
    void refusesWhatIsNone(String stages, int code, String words) {
        Reply reply = run("five", stages);
        assertThat(reply.text("code")).isEqualTo(Integer.toString(code));
        assertThat(reply.string("errmsg")).isEqualTo(words);
    }

    @Test
    void makesDocumentsOfNothing() {
        assertThat(
                        ok("{'aggregate':1,'pipeline':[{'$documents':[{'a':1},{'a':2}]},{'$match':{'a':2}}],'cursor':{}}")
                                .text("cursor.firstBatch"))
                .isEqualTo("[ { a: 2 } ]");
        assertThat(
                        client.call("{'aggregate':1,'pipeline':[{'$match':{}}],'cursor':{}}")
                                .text("code"))
                .isEqualTo("73");
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
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "                                                                | [] [ { _id: 1, k: \"a\", old: 1 }, { _id: 2, k: \"b\" }, { _id: 9, k: \"z\", old: 9 } ]",
                ",'on':'_id','whenMatched':'replace'                             | [] [ { _id: 1, k: \"a\" }, { _id: 2, k: \"b\" }, { _id: 9, k: \"z\", old: 9 } ]",
                ",'whenMatched':'keepExisting'                                   | [] [ { _id: 1, k: \"a\", old: 1 }, { _id: 2, k: \"b\" }, { _id: 9, k: \"z\", old: 9 } ]",
                ",'whenMatched':'fail'                                           | 11000 [ { _id: 1, k: \"a\", old: 1 }, { _id: 9, k: \"z\", old: 9 } ]",
                ",'whenNotMatched':'discard'                                     | [] [ { _id: 1, k: \"a\", old: 1 }, { _id: 9, k: \"z\", old: 9 } ]",
                ",'whenNotMatched':'fail'                                        | 13113 [ { _id: 1, k: \"a\", old: 1 }, { _id: 9, k: \"z\", old: 9 } ]",
                ",'whenMatched':[{'$set':{'old':{'$add':['$old','$$new._id']}}}] | [] [ { _id: 1, k: \"a\", old: 2 }, { _id: 2, k: \"b\" }, { _id: 9, k: \"z\", old: 9 } ]",
                ",'let':{'m':{'$multiply':['$_id',7]}},'whenMatched':[{'$set':{'old':'$$m'}}] | [] [ { _id: 1, k: \"a\", old: 7 }, { _id: 2, k: \"b\" }, { _id: 9, k: \"z\", old: 9 } ]",
                ",'on':'k'                                                       | 51183 [ { _id: 1, k: \"a\", old: 1 }, { _id: 9, k: \"z\", old: 9 } ]",
            })
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
    void seesVariablesAndCollations() {
        assertThat(
                        ok("{'aggregate':'five','pipeline':[{'$match':{'$expr':{'$eq':['$_id','$$x']}}},{'$project':{'x':'$$x'}}],'cursor':{},'let':{'x':3}}")
                                .text("cursor.firstBatch"))
                .isEqualTo("[ { _id: 3, x: 3 } ]");
        assertThat(
                        ok("{'aggregate':'five','pipeline':[{'$match':{'k':'A'}},{'$group':{'_id':null,'c':{'$sum':'$n'}}}],'cursor':{},'collation':{'locale':'en','strength':2}}")
                                .text("cursor.firstBatch"))
                .isEqualTo("[ { _id: null, c: 14 } ]");
    }
}
