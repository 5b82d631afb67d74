package orrery.frontend.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.Value;
import orrery.frontend.mongo.MongoClient.Reply;

/** {@code $graphLookup}, over one partition and over five. */
final class GraphLookupTest {
    @RegisterExtension static final MongoEngine ENGINE = MongoEngine.standard();

    private static MongoClient client;

    @BeforeAll
    static void open() {
        client = ENGINE.client();
        client.call(
                "{'customAction':'CreateCollection','collection':'five','shardKey':'_id','offerThroughput':50000}");
        for (String name : List.of("one", "five")) {
            client.call(
                    ("{'insert':'%s','documents':["
                                    + "{'_id':1,'name':'Dev'},{'_id':2,'name':'Eliot','boss':'Dev'},"
                                    + "{'_id':3,'name':'Ron','boss':'Eliot'},"
                                    + "{'_id':4,'name':'Andrew','boss':'Eliot'},"
                                    + "{'_id':5,'name':'Asya','boss':'Ron'},"
                                    + "{'_id':6,'name':'Dan','boss':'Andrew'},"
                                    + "{'_id':7,'name':'a','boss':'b'},{'_id':8,'name':'b','boss':'a'},"
                                    + "{'_id':9,'name':'many','boss':['Dan','Asya',null]},"
                                    + "{'_id':10,'name':['x','y'],'boss':{'$undefined':true}}]}")
                            .formatted(name));
        }
    }

    private static String search(String collection, String start, String options) {
        Reply reply =
                client.call(
                        ("{'aggregate':'%s','pipeline':[{'$match':%s},{'$graphLookup':{'from':'%s',"
                                        + "'startWith':'$boss','connectFromField':'boss',"
                                        + "'connectToField':'name','as':'r'%s}},"
                                        + "{'$project':{'_id':0,'r':{'$sortArray':{'input':'$r','sortBy':{'_id':1}}}}},"
                                        + "{'$project':{'r._id':1,'r.d':1}}],'cursor':{}}")
                                .formatted(collection, start, collection, options));
        return reply.isOk() ? reply.text("cursor.firstBatch.0.r") : reply.failure();
    }

    @ParameterizedTest
    @ValueSource(strings = {"one", "five"})
    void findsAllThatCanBeReached(String name) {
        assertThat(search(name, "{'_id':5}", ""))
                .isEqualTo("[ { _id: 1 }, { _id: 2 }, { _id: 3 } ]");
        assertThat(search(name, "{'_id':6}", ",'depthField':'d'"))
                .isEqualTo("[ { _id: 1, d: 2 }, { _id: 2, d: 1 }, { _id: 4, d: 0 } ]");
        assertThat(search(name, "{'_id':6}", ",'depthField':'d','maxDepth':0"))
                .isEqualTo("[ { _id: 4, d: 0 } ]");
        assertThat(search(name, "{'_id':6}", ",'maxDepth':1"))
                .isEqualTo("[ { _id: 2 }, { _id: 4 } ]");
        assertThat(search(name, "{'_id':6}", ",'restrictSearchWithMatch':{'name':{'$ne':'Eliot'}}"))
                .isEqualTo("[ { _id: 4 } ]");
        assertThat(search(name, "{'_id':7}", "")).isEqualTo("[ { _id: 7 }, { _id: 8 } ]");
    }

    /** An array leads to several; nothing leads to what has no such field either. */
    @ParameterizedTest
    @ValueSource(strings = {"one", "five"})
    void followsEachElementOfAnArray(String name) {
        assertThat(search(name, "{'_id':9}", ",'depthField':'d'"))
                .isEqualTo(
                        "[ { _id: 1, d: 3 }, { _id: 2, d: 2 }, { _id: 3, d: 1 }, { _id: 4, d: 1 },"
                                + " { _id: 5, d: 0 }, { _id: 6, d: 0 } ]");
        assertThat(search(name, "{'_id':1}", "")).isEqualTo("[]");
        assertThat(search(name, "{'_id':10}", "")).isEqualTo("[]");
        Reply reply =
                client.call(
                        ("{'aggregate':'%s','pipeline':[{'$match':{'_id':1}},{'$graphLookup':{'from':'%s',"
                                        + "'startWith':['y','Ron'],'connectFromField':'none',"
                                        + "'connectToField':'name','as':'r.s'}},"
                                        + "{'$project':{'n':{'$size':'$r.s'}}}],'cursor':{}}")
                                .formatted(name, name));
        assertThat(reply.text("cursor.firstBatch")).isEqualTo("[ { _id: 1, n: 2 } ]");
    }

    @Test
    void searchesNothingWhereThereIsNoCollection() {
        Reply reply =
                client.call(
                        "{'aggregate':'one','pipeline':[{'$limit':1},{'$graphLookup':{'from':'none',"
                                + "'startWith':1,'connectFromField':'a','connectToField':'b','as':'r'}},"
                                + "{'$project':{'_id':0,'r':1}}],'cursor':{}}");
        assertThat(reply.text("cursor.firstBatch")).isEqualTo("[ { r: [] } ]");
    }

    /** A step that leads to more values than one query asks for takes several queries. */
    @Test
    void takesStepsOfManyValues() {
        StringBuilder documents = new StringBuilder("{'_id':-1,'to':[");
        for (int i = 0; i < 2_500; i++) {
            documents.append(i == 0 ? "" : ",").append(i);
        }
        documents.append("]}");
        for (int i = 0; i < 2_500; i++) {
            documents.append(",{'_id':").append(i).append(",'to':").append(5_000).append('}');
        }
        client.call("{'insert':'wide','documents':[" + documents + ",{'_id':5000}]}");

        Reply reply =
                client.call(
                        "{'aggregate':'wide','pipeline':[{'$match':{'_id':-1}},{'$graphLookup':{"
                                + "'from':'wide','startWith':'$to','connectFromField':'to',"
                                + "'connectToField':'_id','as':'r','depthField':'d'}},"
                                + "{'$unwind':'$r'},{'$group':{'_id':'$r.d','n':{'$sum':1}}},"
                                + "{'$sort':{'_id':1}}],'cursor':{}}");

        assertThat(reply.text("cursor.firstBatch"))
                .isEqualTo("[ { _id: 0, n: 2500 }, { _id: 1, n: 1 } ]");
    }

    /** A collation says which names are equal, as for the whole pipeline. */
    @Test
    void joinsByTheCollation() {
        client.call("{'insert':'loud','documents':[{'_id':1,'a':'X'},{'_id':2,'b':'x'}]}");
        Reply reply =
                client.call(
                        "{'aggregate':'loud','pipeline':[{'$match':{'_id':1}},{'$graphLookup':{"
                                + "'from':'loud','startWith':'$a','connectFromField':'a',"
                                + "'connectToField':'b','as':'r'}},{'$project':{'r':1}}],'cursor':{},"
                                + "'collation':{'locale':'en','strength':2}}");
        assertThat(reply.at("cursor.firstBatch.0.r.0._id")).isEqualTo(Value.of(2));
    }
}
