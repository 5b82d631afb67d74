package orrery.frontend.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.frontend.mongo.MongoClient.Reply;

/** Tests explanations and hints on the real engine. */
final class ExplainTest {
    /** So many that an index is worth its while. */
    private static final int DOCUMENTS = 200;

    @RegisterExtension static final MongoEngine ENGINE = MongoEngine.standard();

    private final MongoClient client = ENGINE.client();

    private final String name = MongoEngine.newName();

    @BeforeEach
    void fill() {
        ok(
                "{'createIndexes':'#','indexes':[{'key':{'n':1},'name':'by n'},"
                        + "{'key':{'m':1,'n':-1},'name':'m_n'},{'key':{'tags':1},'name':'tags_1'}]}");
        fill("#");
    }

    private void fill(String collection) {
        ok(
                "{'insert':'"
                        + collection
                        + "','documents':["
                        + IntStream.range(0, DOCUMENTS)
                                .mapToObj(
                                        i ->
                                                "{'_id':%d,'n':%d,'m':%d,'k':'k%d','tags':['t%d','x']}"
                                                        .formatted(i, i, i % 2, i % 20, i))
                                .collect(Collectors.joining(","))
                        + "]}");
    }

    private Reply call(String command) {
        return client.call(command.replace("#", name));
    }

    private Reply ok(String command) {
        Reply reply = call(command);
        assertThat(reply.isOk()).as(reply.toString()).isTrue();
        assertThat(reply.has("writeErrors")).as(reply.toString()).isFalse();
        return reply;
    }

    private Reply plan(String command) {
        return ok("{'explain':" + command + ",'verbosity':'queryPlanner'}");
    }

    private Reply run(String command) {
        return ok("{'explain':" + command + ",'verbosity':'executionStats'}");
    }

    private static final String WINNER = "queryPlanner.winningPlan";

    @Test
    void showsTheIndexThatFindsOneValue() {
        Reply reply = run("{'find':'#','filter':{'n':7}}");
        assertThat(reply.string(WINNER + ".stage")).isEqualTo("FETCH");
        assertThat(reply.text(WINNER + ".filter")).isEqualTo("{ n: 7 }");
        String scan = WINNER + ".inputStage";
        assertThat(reply.string(scan + ".stage")).isEqualTo("IXSCAN");
        assertThat(reply.string(scan + ".indexName")).isEqualTo("by n");
        assertThat(reply.text(scan + ".keyPattern")).isEqualTo("{ n: 1 }");
        assertThat(reply.string(scan + ".indexBounds.n.0")).isEqualTo("[7, 7]");
        assertThat(reply.number("executionStats.nReturned")).isEqualTo(1);
        assertThat(reply.number("executionStats.totalDocsExamined")).isEqualTo(1);
        assertThat(reply.number("executionStats.totalKeysExamined")).isBetween(1L, 10L);
        assertThat(reply.string("executionStats.executionStages.inputStage.stage"))
                .isEqualTo("IXSCAN");
        assertThat(reply.string("stages.0.stage")).isEqualTo("$query");
        assertThat(reply.string("stages.0.details.pathsIndexed.0")).isEqualTo("/n/?");
        assertThat(reply.number("stages.0.details.shardInformation.0.retrievedDocumentCount"))
                .isEqualTo(1);
    }

    @Test
    void runsNothingToShowAPlan() {
        Reply reply = plan("{'find':'#','filter':{'n':7}}");
        assertThat(reply.has("executionStats")).isFalse();
        assertThat(reply.has("stages")).isFalse();
        assertThat(reply.string("queryPlanner.namespace")).isEqualTo("d." + name);
        assertThat(reply.string("command.find")).isEqualTo(name);
        Reply all = ok("{'explain':{'find':'#'}}");
        assertThat(all.text("executionStats.allPlansExecution")).isEqualTo("[]");
        assertThat(all.number("executionStats.nReturned")).isEqualTo(DOCUMENTS);
    }

    /** A field may have several values in an array, so only one of its bounds finds documents. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'n':{'$in':[3,3]}}       | [3, 3]",
                "{'n':{'$lt':10}}          | [-inf, 10]",
                "{'n':{'$gt':190}}         | [190, inf)",
                "{'n':{'$gte':5,'$lt':10}} | [5, 10]",
            })
    void showsBounds(String filter, String bounds) {
        Reply reply = plan("{'find':'#','filter':" + filter + "}");
        assertThat(reply.string(WINNER + ".inputStage.indexBounds.n.0")).isEqualTo(bounds);
    }

    @Test
    void showsScansAndSorts() {
        Reply scan = run("{'find':'#','filter':{'k':'k3'}}");
        assertThat(scan.string(WINNER + ".stage")).isEqualTo("COLLSCAN");
        assertThat(scan.number("executionStats.totalDocsExamined")).isEqualTo(DOCUMENTS);
        assertThat(scan.number("executionStats.nReturned")).isEqualTo(DOCUMENTS / 20);
        assertThat(scan.string("stages.0.details.pathsNotIndexed.0")).isEqualTo("/k/?");
        Reply sorted = plan("{'find':'#','sort':{'k':1},'skip':2,'limit':5,'projection':{'k':1}}");
        assertThat(sorted.string(WINNER + ".stage")).isEqualTo("PROJECTION_DEFAULT");
        assertThat(sorted.string(WINNER + ".inputStage.stage")).isEqualTo("LIMIT");
        assertThat(sorted.string(WINNER + ".inputStage.inputStage.stage")).isEqualTo("SKIP");
        String sort = WINNER + ".inputStage.inputStage.inputStage";
        assertThat(sorted.string(sort + ".stage")).isEqualTo("SORT");
        assertThat(sorted.text(sort + ".sortPattern")).isEqualTo("{ k: 1 }");
        assertThat(sorted.string(sort + ".inputStage.stage")).isEqualTo("COLLSCAN");
    }

    @Test
    void showsTheIndexThatHasTheOrder() {
        Reply backward = run("{'find':'#','sort':{'n':-1},'limit':5}");
        String fetch = WINNER + ".inputStage";
        assertThat(backward.string(fetch + ".stage")).isEqualTo("FETCH");
        assertThat(backward.string(fetch + ".inputStage.indexName")).isEqualTo("by n");
        assertThat(backward.string(fetch + ".inputStage.direction")).isEqualTo("backward");
        assertThat(backward.number("executionStats.totalDocsExamined")).isLessThan(20);
        Reply both = plan("{'find':'#','sort':{'m':1,'n':-1},'limit':5}");
        assertThat(both.string(fetch + ".inputStage.indexName")).isEqualTo("m_n");
        assertThat(both.text(fetch + ".inputStage.keyPattern")).isEqualTo("{ m: 1, n: -1 }");
    }

    @Test
    void showsSeveralIndexes() {
        Reply or = plan("{'find':'#','filter':{'$or':[{'n':7},{'m':5}]}}");
        assertThat(or.string(WINNER + ".inputStage.stage")).isEqualTo("OR");
        assertThat(or.string(WINNER + ".inputStage.inputStages.0.indexName")).isEqualTo("by n");
        assertThat(or.has(WINNER + ".inputStage.inputStages.1")).isTrue();
        assertThat(or.has(WINNER + ".inputStage.inputStages.2")).isFalse();
        Reply tags = plan("{'find':'#','filter':{'tags':'t9'}}");
        String scan = WINNER + ".inputStage";
        assertThat(tags.string(scan + ".indexName")).isEqualTo("tags_1");
        assertThat(tags.string(scan + ".indexBounds.tags.0")).isEqualTo("[\"t9\", \"t9\"]");
        assertThat(tags.has(scan + ".indexBounds.tags.1")).isFalse();
        Reply id = plan("{'find':'#','filter':{'_id':{'$gt':190}}}");
        assertThat(id.string(scan + ".indexName")).isEqualTo("_id_");
        assertThat(id.string(scan + ".indexBounds._id.0")).isEqualTo("[190, inf)");
    }

    @Test
    void looksUpOneDocument() {
        Reply reply = run("{'find':'#','filter':{'_id':7}}");
        assertThat(reply.string(WINNER + ".stage")).isEqualTo("IDHACK");
        assertThat(reply.number("executionStats.totalDocsExamined")).isEqualTo(1);
        assertThat(run("{'find':'#','filter':{'_id':-1}}").number("executionStats.nReturned"))
                .isZero();
        // Whoever asks for more than the id is not given a document that does not match.
        String both = "{'$and':[{'_id':7},{'n':8}]}";
        assertThat(ok("{'find':'#','filter':" + both + "}").text("cursor.firstBatch"))
                .isEqualTo("[]");
        assertThat(ok("{'delete':'#','deletes':[{'q':" + both + ",'limit':1}]}").number("n"))
                .isZero();
        assertThat(ok("{'find':'#','filter':{'_id':{'$eq':7,'$gt':7}}}").text("cursor.firstBatch"))
                .isEqualTo("[]");
    }

    @Test
    void tellsOfEachPartition() {
        String sharded = name + "s";
        ok(
                "{'customAction':'CreateCollection','collection':'"
                        + sharded
                        + "','shardKey':'k','offerThroughput':50000}");
        fill(sharded);
        Reply all = run("{'find':'" + sharded + "','filter':{'m':1}}");
        assertThat(all.string(WINNER + ".stage")).isEqualTo("SHARD_MERGE");
        assertThat(all.has(WINNER + ".shards.4")).isTrue();
        assertThat(all.has(WINNER + ".shards.5")).isFalse();
        assertThat(all.number("executionStats.nReturned")).isEqualTo(DOCUMENTS / 2);
        assertThat(all.number("executionStats.totalDocsExamined")).isEqualTo(DOCUMENTS);
        assertThat(all.string("executionStats.executionStages.shards.0.executionStages.stage"))
                .isEqualTo("COLLSCAN");
        Reply one = run("{'find':'" + sharded + "','filter':{'k':'k3'}}");
        assertThat(one.string(WINNER + ".stage")).isEqualTo("COLLSCAN");
        assertThat(one.number("executionStats.totalDocsExamined")).isEqualTo(DOCUMENTS / 20);
        assertThat(plan("{'find':'" + sharded + "','sort':{'m':1}}").string(WINNER + ".stage"))
                .isEqualTo("SHARD_MERGE_SORT");
        assertThat(
                        call("{'explain':{'update':'"
                                        + sharded
                                        + "','updates':[{'q':{'m':1},'u':{'$set':{'z':1}}}]}}")
                                .text("code"))
                .isEqualTo("61");
    }

    @Test
    void explainsWritesWithoutWriting() {
        Reply many =
                run("{'update':'#','updates':[{'q':{'m':1},'u':{'$set':{'z':1}},'multi':true}]}");
        assertThat(many.string(WINNER + ".stage")).isEqualTo("UPDATE");
        assertThat(many.number("executionStats.executionStages.nMatched")).isEqualTo(DOCUMENTS / 2);
        Reply one =
                run("{'update':'#','updates':[{'q':{'n':7},'u':{'$set':{'z':1}},'upsert':true}]}");
        assertThat(one.number("executionStats.executionStages.nMatched")).isEqualTo(1);
        assertThat(one.string(WINNER + ".inputStage.stage")).isEqualTo("FETCH");
        Reply delete = run("{'delete':'#','deletes':[{'q':{'n':{'$lt':5}},'limit':0}]}");
        assertThat(delete.number("executionStats.executionStages.nWouldDelete")).isEqualTo(5);
        Reply found = run("{'findAndModify':'#','query':{'_id':7},'update':{'$set':{'z':1}}}");
        assertThat(found.string(WINNER + ".inputStage.stage")).isEqualTo("IDHACK");
        assertThat(
                        run("{'findAndModify':'#','query':{'m':1},'sort':{'n':-1},'remove':true}")
                                .string(WINNER + ".stage"))
                .isEqualTo("DELETE");
        assertThat(ok("{'count':'#','query':{'z':1}}").number("n")).isZero();
        assertThat(ok("{'count':'#'}").number("n")).isEqualTo(DOCUMENTS);
        // Not even the collection is made.
        run("{'update':'gone','updates':[{'q':{},'u':{'$set':{'z':1}},'upsert':true}]}");
        assertThat(ok("{'listCollections':1,'filter':{'name':'gone'}}").text("cursor.firstBatch"))
                .isEqualTo("[]");
    }

    @Test
    void explainsCountsAndPipelines() {
        Reply count = run("{'count':'#','query':{'n':{'$lt':9}}}");
        assertThat(count.string(WINNER + ".stage")).isEqualTo("COUNT");
        assertThat(count.text(WINNER)).contains("by n");
        assertThat(run("{'distinct':'#','key':'m'}").number("executionStats.nReturned"))
                .isEqualTo(2);
        String pipeline = "'pipeline':[{'$match':{'n':7}}]";
        assertThat(ok("{'aggregate':'#'," + pipeline + ",'explain':true}").text(WINNER))
                .contains("by n");
        assertThat(
                        run("{'aggregate':'#'," + pipeline + ",'cursor':{}}")
                                .number("executionStats.totalDocsExamined"))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'explain':{'frob':1}}                               | 59",
                "{'explain':{'ping':1}}                               | 20",
                "{'explain':{'find':'#'},'verbosity':'all'}           | 2",
                "{'explain':{'find':'#','frob':1}}                    | 40415",
                "{'explain':{'find':'#','$db':'other'}}               | 73",
                "{'explain':{}}                                       | 14",
                "{'explain':1}                                        | 14",
                "{'explain':{'find':'#','filter':{'a':{'$frob':1}}}}  | 2",
                "{'explain':{'find':'#','startTransaction':true}}     | 72",
                "{'explain':{'delete':'#','deletes':[{'q':{},'limit':1},{'q':{},'limit':1}]}} | 16",
                "{'find':'#','hint':'frob'}                           | 2",
                "{'find':'#','hint':{'n':-1}}                         | 2",
                "{'find':'#','hint':5}                                | 9",
                "{'find':'#','hint':{'$natural':-1}}                  | 2",
                "{'count':'#','hint':'frob'}                          | 2",
                "{'distinct':'#','key':'n','hint':'frob'}             | 2",
                "{'aggregate':'#','pipeline':[],'cursor':{},'hint':'frob'} | 2",
                "{'findAndModify':'#','remove':true,'hint':'frob'}    | 2",
                "{'find':'#','let':{'x':'$n'}}                        | 4890500",
                "{'find':'#','let':{'X':1}}                           | 9"
            })
    void refuses(String command, String code) {
        assertThat(call(command).text("code")).isEqualTo(code);
    }

    @Test
    void refusesHintsOfStatements() {
        String update = "{'q':{},'u':{'$set':{'z':1}},'hint':'frob'}";
        assertThat(call("{'update':'#','updates':[" + update + "]}").text("writeErrors.0.code"))
                .isEqualTo("2");
        assertThat(
                        call("{'delete':'#','deletes':[{'q':{},'limit':0,'hint':'frob'}]}")
                                .text("writeErrors.0.code"))
                .isEqualTo("2");
        assertThat(ok("{'count':'#'}").number("n")).isEqualTo(DOCUMENTS);
    }

    @Test
    void hasNoPlanForNoCollection() {
        Reply reply = ok("{'explain':{'find':'gone','hint':'any'},'verbosity':'executionStats'}");
        assertThat(reply.string(WINNER + ".stage")).isEqualTo("EOF");
        assertThat(reply.number("executionStats.nReturned")).isZero();
    }

    @Test
    void usesTheIndexOfAHint() {
        String filter = "'filter':{'n':7,'m':1}";
        assertThat(
                        plan("{'find':'#'," + filter + ",'hint':'by n'}")
                                .string(WINNER + ".inputStage.stage"))
                .isEqualTo("IXSCAN");
        Reply other = plan("{'find':'#','filter':{'n':7,'tags':'t7'},'hint':{'tags':1}}");
        assertThat(other.text(WINNER)).contains("tags_1").doesNotContain("by n");
        Reply natural = run("{'find':'#'," + filter + ",'hint':{'$natural':1}}");
        assertThat(natural.string(WINNER + ".stage")).isEqualTo("COLLSCAN");
        assertThat(natural.number("executionStats.nReturned")).isEqualTo(1);
        assertThat(
                        plan("{'delete':'#','deletes':[{'q':{'n':7},'limit':0,'hint':{'$natural':1}}]}")
                                .string(WINNER + ".inputStage.stage"))
                .isEqualTo("COLLSCAN");
        assertThat(
                        ok("{'find':'#'," + filter + ",'hint':{'tags':1}}")
                                .text("cursor.firstBatch.0._id"))
                .isEqualTo("7");
    }

    @Test
    void evaluatesTheVariablesOfACommand() {
        String filter = "'filter':{'$expr':{'$eq':['$n','$$x']}}";
        assertThat(
                        ok("{'find':'#'," + filter + ",'let':{'y':3,'x':{'$add':['$$y',4]}}}")
                                .text("cursor.firstBatch.0._id"))
                .isEqualTo("7");
        assertThat(
                        ok("{'find':'#'," + filter + ",'let':{'x':{'$literal':8}}}")
                                .text("cursor.firstBatch.0._id"))
                .isEqualTo("8");
        ok(
                "{'update':'#','updates':[{'q':{'_id':1},'u':[{'$set':{'z':'$$x'}}],"
                        + "'c':{'x':{'$concat':['a','b']}}}]}");
        assertThat(ok("{'find':'#','filter':{'_id':1}}").string("cursor.firstBatch.0.z"))
                .isEqualTo("ab");
    }

    @Test
    void tellsWhatItCosts() {
        Reply reply = run("{'find':'#'}");
        assertThat(reply.text("executionStats.requestCharge")).isNotEqualTo("0.0");
        Reply last = ok("{'getLastRequestStatistics':1}");
        assertThat(last.string("CommandName")).isEqualTo("explain");
        assertThat(last.text("RequestCharge"))
                .isEqualTo(reply.text("executionStats.requestCharge"));
    }
}
