package orrery.frontend.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.frontend.mongo.MongoClient.Reply;
import orrery.query.mongo.Documents;

/** What clients read of failures and figures: numbers, names, words, and the fields beside them. */
final class ExactAnswersTest {
    @RegisterExtension static final MongoEngine ENGINE = MongoEngine.standard().withFailPoints();

    private final MongoClient client = ENGINE.client();

    /** A collection that no other test has. */
    private final String name = MongoEngine.newName();

    /** Sends a command whose collection is written as a hash. */
    private Reply call(String command) {
        return client.call(command.replace("#", name));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'findAndModify':'#'} | 9 FailedToParse: Either an update or remove=true must be specified",
                "{'findAndModify':'#','remove':true,'update':{}} | 9 FailedToParse: Cannot specify both an update"
                        + " and remove=true",
                "{'findAndModify':'#','remove':true,'new':true} | 9 FailedToParse: Cannot specify both new=true"
                        + " and remove=true; 'remove' always returns the deleted document",
                "{'findAndModify':'#','remove':true,'upsert':true} | 9 FailedToParse: Cannot specify both"
                        + " upsert=true and remove=true",
                "{'findAndModify':'#','remove':true,'arrayFilters':[]} | 9 FailedToParse: Cannot specify"
                        + " arrayFilters and remove=true",
                "{'find':'#','limit':'x'} | 14 TypeMismatch: BSON field 'find.limit' is the wrong type 'string',"
                        + " expected types '[long, int, decimal, double]'",
                "{'find':'#','singleBatch':'x'} | 14 TypeMismatch: BSON field 'find.singleBatch' is the wrong"
                        + " type 'string', expected types '[bool, long, int, decimal, double]'",
                "{'insert':'#','documents':[{},5]} | 14 TypeMismatch: BSON field 'insert.documents.1' is the"
                        + " wrong type 'int', expected type 'object'",
                "{'update':'#','updates':[5]} | 14 TypeMismatch: BSON field 'update.updates.0' is the wrong type"
                        + " 'int', expected type 'object'",
                "{'createIndexes':'#','indexes':[{'key':{'a':1}}]} | 9 FailedToParse: The 'name' field is a"
                        + " required property of an index specification",
                "{'createIndexes':'#','indexes':[{'name':'a'}]} | 9 FailedToParse: The 'key' field is a required"
                        + " property of an index specification",
                "{'createIndexes':'#','indexes':[{'key':{'a':1},'name':'a','foo':1}]} |"
                        + " 197 InvalidIndexSpecificationOption: The field 'foo' is not valid for an index"
                        + " specification. Specification: { key: { a: 1 }, name: \"a\", foo: 1 }",
                "{'createIndexes':'#','indexes':[{'key':{'a':1},'name':'a','weights':{}}]} |"
                        + " 67 CannotCreateIndex: the option 'weights' of an index is not supported",
                "{'createIndexes':'#','indexes':[{'key':{'a':'foo'},'name':'a'}]} | 67 CannotCreateIndex: Unknown"
                        + " index plugin 'foo'",
                "{'createIndexes':'#','indexes':[{'key':{'a':'text'},'name':'a'}]} | 67 CannotCreateIndex:"
                        + " indexes of the kind 'text' are not supported",
                "{'convertToCapped':'#'} | 115 CommandNotSupported: the command convertToCapped is not supported",
                "{'createSearchIndexes':'#','indexes':[]} | 31082 SearchNotEnabled: the command"
                        + " createSearchIndexes needs the search of MongoDB Atlas, which this server does not have",
                "{'aggregate':'#','pipeline':[{'$listSearchIndexes':{}}],'cursor':{}} | 31082 SearchNotEnabled:"
                        + " the pipeline stage $listSearchIndexes needs the search of MongoDB Atlas, which this"
                        + " server does not have",
                "{'aggregate':'#','pipeline':[{'$collStats':{'latencyStats':{}}}],'cursor':{}} |"
                        + " 238 NotImplemented: the option 'latencyStats' of $collStats is not supported",
                "{'aggregate':'#','pipeline':[{'$set':{}}],'cursor':{}} | 40177 Location40177: Invalid $set ::"
                        + " caused by :: specification must have at least one field",
                "{'aggregate':'#','pipeline':[{'$project':{'a':{'$foo':1}}}],'cursor':{}} | 31325 Location31325:"
                        + " Invalid $project :: caused by :: Unknown expression $foo",
                "{'listDatabases':1} | 13 Unauthorized: listDatabases may only be run against the admin"
                        + " database.",
                "{'getParameter':'*'} | 13 Unauthorized: getParameter may only be run against the admin database.",
                "{'aggregate':1,'pipeline':[{'$listLocalSessions':{}}],'cursor':{},'apiVersion':'1','apiStrict':true} |"
                        + " 323 APIStrictError: stage $listLocalSessions is not allowed with 'apiStrict: true'"
                        + " in API Version 1",
                "{'aggregate':'#','pipeline':[{'$collStats':{'storageStats':{}}}],'cursor':{},'apiVersion':'1',"
                        + "'apiStrict':true} | 323 APIStrictError: stage $collStats is not allowed with"
                        + " 'apiStrict: true' in API Version 1",
                "{'aggregate':'#','pipeline':[{'$collStats':{'count':{}}},{'$match':{}}],'cursor':{},"
                        + "'apiVersion':'1','apiStrict':true} | ok",
                "{'find':'#','noCursorTimeout':true,'apiVersion':'1','apiStrict':true} | 323 APIStrictError: BSON"
                        + " field 'find.noCursorTimeout' is not allowed with apiStrict:true.",
                "{'insert':'#','documents':[{}],'writeConcern':{'w':'foo'}} | 79 UnknownReplWriteConcern: No write"
                        + " concern mode named 'foo' found in replica set configuration",
                "{'insert':'#','documents':[{}],'writeConcern':{'w':{'dc':1}}} | 9 FailedToParse: w has to be a"
                        + " number or a string, and not of the type object",
                "{'insert':'#','documents':[{}],'writeConcern':{'foo':1}} | 40415 Location40415: BSON field"
                        + " 'insert.writeConcern.foo' is an unknown field.",
                "{'insert':'#','documents':[{}],'writeConcern':{'j':'x'}} | 14 TypeMismatch: BSON field"
                        + " 'insert.writeConcern.j' is the wrong type 'string', expected types '[bool, long, int,"
                        + " decimal, double]'",
                "{'insert':'#','documents':[{}],'writeConcern':{'w':'majority','wtimeout':1,'j':true}} | ok",
                "{'testVersion2':1,'apiVersion':'1','apiStrict':true} | 323 APIStrictError: Provided"
                        + " apiStrict:true, but the command testVersion2 is not in API Version 1"
            })
    void refuses(String command, String failure) {
        assertThat(call(command).failure()).isEqualTo(failure);
    }

    @Test
    void namesTheIndexThatIsNotThere() {
        assertThat(call("{'create':'#'}").isOk()).isTrue();
        assertThat(call("{'dropIndexes':'#','index':{'zz':-1}}").failure())
                .isEqualTo("27 IndexNotFound: can't find index with key: { zz: -1 }");
    }

    @Test
    void aCollectionThatIsThereWithTheSameOptionsIsWhatWasAskedFor() {
        assertThat(call("{'create':'#'}").isOk()).isTrue();
        assertThat(call("{'insert':'#','documents':[{'_id':1}]}").isOk()).isTrue();
        assertThat(call("{'create':'#'}").isOk()).isTrue();
        assertThat(call("{'count':'#'}").number("n")).isEqualTo(1);
    }

    @Test
    void aDuplicateKeyShowsTheDirectionsOfItsIndex() {
        call("{'createIndexes':'#','indexes':[{'key':{'a':1,'b':-1},'name':'ab','unique':true}]}");
        Reply inserted =
                call("{'insert':'#','documents':[{'_id':1,'a':1,'b':2},{'_id':2,'a':1,'b':2}]}");
        assertThat(inserted.text("writeErrors.0.keyPattern")).isEqualTo("{ a: 1, b: -1 }");
        assertThat(inserted.text("writeErrors.0.keyValue")).isEqualTo("{ a: 1, b: 2 }");
        Reply updated =
                call("{'update':'#','updates':[{'q':{'_id':3},'u':{'a':1,'b':2},'upsert':true}]}");
        assertThat(updated.text("writeErrors.0.keyPattern")).isEqualTo("{ a: 1, b: -1 }");
        Reply modified =
                call(
                        "{'findAndModify':'#','query':{'_id':3},'update':{'a':1,'b':2},'upsert':true}");
        assertThat(modified.text("keyPattern")).isEqualTo("{ a: 1, b: -1 }");
    }

    @Test
    void onlyPipelinesHaveConstants() {
        Reply updated =
                call("{'update':'#','updates':[{'q':{},'u':{'$set':{'a':1}},'c':{'x':1}}]}");
        assertThat(updated.text("writeErrors.0.code")).isEqualTo("51198");
        assertThat(updated.string("writeErrors.0.errmsg"))
                .isEqualTo("Constant values may only be specified for pipeline updates");
    }

    @Test
    void findAndModifyShowsTheElementThatMatched() {
        call("{'insert':'#','documents':[{'_id':1,'a':[1,2,3]}]}");
        String found = "{'findAndModify':'#','query':{'a':{'$gt':1}},'fields':{'a.$':1},";
        assertThat(call(found + "'update':{'$set':{'b':1}}}").text("value"))
                .isEqualTo("{ _id: 1, a: [ 2 ] }");
        assertThat(call(found + "'update':{'$set':{'a.1':9}},'new':true}").text("value"))
                .isEqualTo("{ _id: 1, a: [ 9 ] }");
        assertThat(call(found + "'update':{'$set':{'a':[0]}},'new':true}").text("code"))
                .isEqualTo("51246");
        assertThat(
                        call("{'findAndModify':'#','query':{'a':0},'fields':{'a.$':1},'remove':true}")
                                .text("value"))
                .isEqualTo("{ _id: 1, a: [ 0 ] }");
    }

    @Test
    void distinctValuesFitIntoADocument() {
        String half = String.join("", Collections.nCopies(9 << 20, "x"));
        call("{'insert':'#','documents':[{'_id':1,'s':'" + half + "'}]}");
        assertThat(call("{'distinct':'#','key':'s'}").isOk()).isTrue();
        call("{'insert':'#','documents':[{'_id':2,'s':'y" + half + "'}]}");
        assertThat(call("{'distinct':'#','key':'s'}").failure())
                .isEqualTo("17217 Location17217: distinct too big, 16mb cap");
    }

    @Test
    void serverStatusCountsWhatWasDone() {
        String status = "{'serverStatus':1}";
        Reply before = client.call("admin", status);
        call("{'insert':'#','documents':[{'_id':1},{'_id':2},{'_id':3}]}");
        call("{'update':'#','updates':[{'q':{'_id':1},'u':{'a':1}},{'q':{'_id':2},'u':{'a':1}}]}");
        call("{'delete':'#','deletes':[{'q':{'_id':1},'limit':1}]}");
        call("{'find':'#'}");
        call("{'count':'#'}");
        Reply after = client.call("admin", status);
        assertThat(grown(before, after, "opcounters.insert")).isEqualTo(3);
        assertThat(grown(before, after, "opcounters.update")).isEqualTo(2);
        assertThat(grown(before, after, "opcounters.delete")).isEqualTo(1);
        assertThat(grown(before, after, "opcounters.query")).isEqualTo(1);
        // The count, and the second of the two statuses.
        assertThat(grown(before, after, "opcounters.command")).isEqualTo(2);
        assertThat(grown(before, after, "network.numRequests")).isEqualTo(6);
        assertThat(grown(before, after, "network.bytesIn")).isGreaterThan(6 * 26);
        assertThat(grown(before, after, "network.bytesOut")).isGreaterThan(6 * 26);
        assertThat(after.number("connections.active")).isEqualTo(1);
    }

    private static long grown(Reply before, Reply after, String path) {
        return after.number(path) - before.number(path);
    }

    @Test
    void serverStatusCountsConnections() {
        MongoEndpoint endpoint = MongoClient.endpointOfAnybody(ENGINE.fixture(), false);
        MongoClient one = new MongoClient(endpoint);
        MongoClient other = new MongoClient(endpoint);
        assertThat(one.call("admin", "{'serverStatus':1}").number("connections.current"))
                .isEqualTo(2);
        other.close();
        Reply after = one.call("admin", "{'serverStatus':1}");
        assertThat(after.number("connections.current")).isEqualTo(1);
        assertThat(after.number("connections.totalCreated")).isEqualTo(2);
    }

    @Test
    void listCommandsTellsWhichAreOnlyOfAdmin() {
        Reply all = client.send(Documents.bson("{'listCommands':1,'$db':'admin'}"));
        assertThat(all.text("commands.listDatabases.adminOnly")).isEqualTo("true");
        assertThat(all.text("commands.find.adminOnly")).isEqualTo("false");
    }
}
