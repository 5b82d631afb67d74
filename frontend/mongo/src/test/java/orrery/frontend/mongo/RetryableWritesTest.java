package orrery.frontend.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.Value;
import orrery.frontend.mongo.MongoClient.Reply;
import orrery.query.mongo.Documents;

/** Writes with the number of a transaction: sent again, they are answered again and not made. */
final class RetryableWritesTest {
    @RegisterExtension
    static final MongoEngine ENGINE = MongoEngine.ofNewestLevel().withFailPoints();

    private final MongoClient client = ENGINE.client();

    /** A collection that no other test has. */
    private final String name = MongoEngine.newName();

    private static String lsid() {
        return "'lsid':{'id':{'$binary':{'base64':'AAAAAAAAAAAAAAAAAAAAAA==','subType':'04'}}}";
    }

    private Reply call(String command) {
        return client.call(command.replace("#", name));
    }

    /** Sends a command with the number of a transaction of the session. */
    private Reply send(int transaction, String command) {
        return call(
                command.substring(0, command.length() - 1)
                        + ",'txnNumber':{'$numberLong':'"
                        + transaction
                        + "'},"
                        + lsid()
                        + "}");
    }

    private String all() {
        return call("{'find':'#','sort':{'_id':1}}").text("cursor.firstBatch");
    }

    private static Value value(String json) {
        return Documents.value(json);
    }

    /** Makes the collection, sharded by k on five partitions or not at all. */
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
    void anInsertIsMadeOnce(boolean isSharded) {
        create(isSharded);
        for (String order : new String[] {"true", "false"}) {
            String insert =
                    "{'insert':'#','ordered':"
                            + order
                            + ",'documents':[{'k':1,'o':"
                            + order
                            + "},{'k':1},{'k':2},{'k':3},{'k':3}]}";
            int transaction = order.equals("true") ? 1 : 2;
            assertThat(send(transaction, insert).has("retriedStmtIds")).isFalse();
            String before = all();

            Reply again = send(transaction, insert);

            assertThat(again.at("n")).isEqualTo(value("5"));
            assertThat(again.at("retriedStmtIds")).isEqualTo(value("[0,1,2,3,4]"));
            assertThat(all()).isEqualTo(before);
        }
        assertThat(call("{'count':'#'}").number("n")).isEqualTo(10);
    }

    /** A document that stood in the way may be gone when the command comes again. */
    @Test
    void whatFailedBeforeIsTriedAgain() {
        call("{'insert':'#','documents':[{'_id':2}]}");
        String insert = "{'insert':'#','documents':[{'_id':1},{'_id':2},{'_id':3}]}";
        assertThat(send(1, insert).text("writeErrors.0.code")).isEqualTo("11000");
        call("{'delete':'#','deletes':[{'q':{'_id':2},'limit':1}]}");

        Reply again = send(1, insert);

        assertThat(again.at("n")).isEqualTo(value("3"));
        assertThat(again.at("retriedStmtIds")).isEqualTo(value("[0]"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void updatesAreMadeOnce(boolean isSharded) {
        create(isSharded);
        call("{'insert':'#','documents':[{'_id':1,'k':1,'n':0},{'_id':2,'k':2,'n':0}]}");
        String update =
                "{'update':'#','updates':["
                        + "{'q':{'_id':1,'k':1,'n':0},'u':{'$inc':{'n':1}}},"
                        + "{'q':{'k':2,'n':0},'u':{'$inc':{'n':1}}},"
                        + "{'q':{'k':9,'x':1},'u':{'$set':{'n':1}},'upsert':true},"
                        + "{'q':{'_id':1},'u':{'$inc':{'n':10}}}]}";
        Reply first = send(1, update);
        assertThat(first.at("n")).as(first.toString()).isEqualTo(value("4"));
        String before = all();

        Reply again = send(1, update);

        assertThat(again.at("n")).isEqualTo(first.at("n"));
        assertThat(again.at("nModified")).isEqualTo(first.at("nModified"));
        assertThat(again.at("upserted")).isEqualTo(first.at("upserted"));
        assertThat(again.at("retriedStmtIds")).isEqualTo(value("[0,1,2,3]"));
        assertThat(all()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void deletesAreMadeOnce(boolean isSharded) {
        create(isSharded);
        call("{'insert':'#','documents':[{'_id':1,'k':1},{'_id':2,'k':1},{'_id':3,'k':3}]}");
        String delete =
                "{'delete':'#','deletes':[{'q':{'k':1},'limit':1},{'q':{'_id':3},'limit':1}]}";
        assertThat(send(1, delete).at("n")).isEqualTo(value("2"));
        call("{'insert':'#','documents':[{'_id':3,'k':4}]}");

        Reply again = send(1, delete);

        assertThat(again.at("n")).isEqualTo(value("2"));
        assertThat(again.at("retriedStmtIds")).isEqualTo(value("[0,1]"));
        assertThat(call("{'count':'#'}").number("n")).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'update':{'$inc':{'n':1}}",
                "'update':{'$inc':{'n':1}},'new':true",
                "'update':{'$inc':{'n':1}},'fields':{'_id':0}",
                "'remove':true",
                "'query':{'q':1},'upsert':true,'update':{'$set':{'n':5}}",
                "'query':{'q':1},'upsert':true,'new':true,'update':{'$set':{'n':5}}"
            })
    void findAndModifyAnswersWithTheSameImage(String rest) {
        call("{'insert':'#','documents':[{'_id':1,'n':1},{'_id':2,'n':2}]}");
        String command = "{'findAndModify':'#','sort':{'n':1}," + rest + "}";
        Reply first = send(1, command);
        assertThat(first.has("retriedStmtId")).isFalse();
        String before = all();

        Reply again = send(1, command);

        assertThat(again.at("value")).as(again.toString()).isEqualTo(first.at("value"));
        assertThat(again.at("lastErrorObject")).isEqualTo(first.at("lastErrorObject"));
        assertThat(again.at("retriedStmtId")).isEqualTo(value("0"));
        assertThat(all()).isEqualTo(before);
    }

    /** A write that made nothing cannot be made twice. */
    @Test
    void whatChangedNothingIsLookedAtAgain() {
        call("{'insert':'#','documents':[{'_id':1,'n':1}]}");
        String update = "{'update':'#','updates':[{'q':{'_id':1},'u':{'$set':{'n':1}}}]}";
        assertThat(send(1, update).at("nModified")).isEqualTo(value("0"));

        Reply again = send(1, update);

        assertThat(again.at("n")).isEqualTo(value("1"));
        assertThat(again.has("retriedStmtIds")).isFalse();
    }

    @Test
    void theClientMayNumberItsStatements() {
        String insert = "{'insert':'#','documents':[{'_id':1},{'_id':2}],'stmtIds':[7,3]}";
        send(1, insert);
        assertThat(send(1, insert).at("retriedStmtIds")).isEqualTo(value("[7,3]"));
        Reply third = send(1, "{'insert':'#','documents':[{'_id':9},{'_id':5}],'stmtId':7}");
        assertThat(third.at("retriedStmtIds")).isEqualTo(value("[7]"));
        assertThat(all()).contains("_id: 5").doesNotContain("_id: 9");
    }

    @Test
    void anOlderTransactionIsRefusedAsAWhole() {
        send(2, "{'insert':'#','documents':[{'_id':1}]}");

        assertThat(send(1, "{'insert':'#','documents':[{'_id':2}]}").failure())
                .startsWith("225 TransactionTooOld: ");
        assertThat(
                        send(1, "{'update':'#','updates':[{'q':{'_id':1},'u':{'$set':{'a':1}}}]}")
                                .text("code"))
                .isEqualTo("225");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'insert':'#','documents':[{}],'txnNumber':{'$numberLong':'1'}} | 72",
                "{'insert':'#','documents':[{}],'txnNumber':1,@}                 | 14",
                "{'insert':'#','documents':[{}],'txnNumber':{'$numberLong':'-1'},@} | 72",
                "{'insert':'#','documents':[{}],'stmtId':1}                      | 72",
                "{'find':'#','txnNumber':{'$numberLong':'1'},@}                  | 50768",
                "{'insert':'#','documents':[{}],'stmtIds':[1,2],'txnNumber':{'$numberLong':'1'},@} | 16",
                "{'insert':'#','documents':[{}],'stmtIds':[1],'stmtId':1,'txnNumber':{'$numberLong':'1'},@} | 72",
                "{'insert':'#','documents':[{}],'txnNumber':{'$numberLong':'1'},@,'autocommit':false} | 251"
            })
    void refuses(String command, String code) {
        assertThat(call(command.replace("@", lsid())).text("code")).isEqualTo(code);
    }

    @Test
    void refusesWritesToManyDocuments() {
        call("{'insert':'#','documents':[{'_id':1}]}");
        Reply update =
                send(1, "{'update':'#','updates':[{'q':{},'u':{'$set':{'a':1}},'multi':true}]}");
        assertThat(update.text("writeErrors.0.code")).isEqualTo("72");
        Reply delete = send(2, "{'delete':'#','deletes':[{'q':{},'limit':0}]}");
        assertThat(delete.text("writeErrors.0.errmsg"))
                .contains("Cannot use (or request) retryable writes with limit=0");
        assertThat(all()).isEqualTo("[ { _id: 1 } ]");
    }

    @Test
    void failuresThatPassHaveTheLabelThatDriversLookFor() {
        String point =
                "{'configureFailPoint':'failCommand','mode':{'times':1},'data':"
                        + "{'failCommands':['insert'],@}}";
        call(point.replace("@", "'errorCode':11600"));
        assertThat(send(1, "{'insert':'#','documents':[{'_id':1}]}").text("errorLabels"))
                .contains("RetryableWriteError");
        call(point.replace("@", "'writeConcernError':{'code':91,'errmsg':'x'}"));
        Reply made = send(1, "{'insert':'#','documents':[{'_id':1}]}");
        assertThat(made.text("errorLabels")).contains("RetryableWriteError");
        assertThat(made.at("n")).isEqualTo(value("1"));
        call(point.replace("@", "'errorCode':11600,'errorLabels':[]"));
        assertThat(send(1, "{'insert':'#','documents':[{'_id':1}]}").has("errorLabels")).isFalse();
        call(point.replace("@", "'errorCode':11600"));
        assertThat(call("{'insert':'#','documents':[{'_id':2}]}").has("errorLabels")).isFalse();
    }
}
