package orrery.frontend.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.Value;
import orrery.frontend.mongo.MongoClient.Reply;
import orrery.query.mongo.Documents;

/** Transactions of several commands, as drivers send them. */
final class TransactionsTest {
    private static final AtomicInteger NEXT = new AtomicInteger();

    @RegisterExtension
    static final MongoEngine ENGINE = MongoEngine.ofNewestLevel().withFailPoints();

    private MongoClient client = ENGINE.client();

    /** A collection that no other test has. */
    private final String name = MongoEngine.newName();

    private final int session = NEXT.incrementAndGet();
    private int transaction;
    private boolean isStarted;

    /**
     * Makes the collection, sharded by k on five partitions or not at all, with three documents.
     */
    private void create(boolean isSharded) {
        if (isSharded) {
            assertThat(
                            call("{'customAction':'CreateCollection','collection':'#',"
                                            + "'shardKey':'k','offerThroughput':50000}")
                                    .isOk())
                    .isTrue();
        } else {
            assertThat(call("{'create':'#'}").isOk()).isTrue();
        }
        call("{'createIndexes':'#','indexes':[{'key':{'n':1},'name':'n_1'}]}");
        call(
                "{'insert':'#','documents':[{'_id':1,'k':1,'n':10},{'_id':2,'k':1,'n':20},"
                        + "{'_id':3,'k':1,'n':30}]}");
    }

    private static String lsid(int session) {
        return "'lsid':{'id':{'$binary':{'base64':'AAAAAAAAAAAAAAAAAA"
                + (char) ('A' + session / 26 % 26)
                + (char) ('A' + session % 26)
                + "AA==','subType':'04'}}}";
    }

    private Reply call(String command) {
        return client.call(command.replace("#", name));
    }

    private static Value value(String json) {
        return Documents.value(json);
    }

    private void start() {
        transaction++;
        isStarted = false;
    }

    private String fields(int number) {
        return ",'txnNumber':{'$numberLong':'" + number + "'},'autocommit':false," + lsid(session);
    }

    /** Sends an operation of the transaction. */
    private Reply send(String command) {
        String first = isStarted ? "" : ",'startTransaction':true";
        isStarted = true;
        return call(command.substring(0, command.length() - 1) + fields(transaction) + first + "}");
    }

    private Reply end(String command, int number) {
        return client.call("admin", "{'" + command + "':1" + fields(number) + "}");
    }

    private Reply commit() {
        return end("commitTransaction", transaction);
    }

    private Reply abort() {
        return end("abortTransaction", transaction);
    }

    private String all() {
        return call("{'find':'#','sort':{'_id':1}}").text("cursor.firstBatch");
    }

    private String seen() {
        return send("{'find':'#','filter':{'k':1},'sort':{'_id':1}}").text("cursor.firstBatch");
    }

    private static void refused(Reply reply, int code, String label) {
        assertThat(reply.isOk()).isFalse();
        assertThat(reply.number("code")).isEqualTo(code);
        assertThat(reply.text("errorLabels"))
                .isEqualTo(label.isEmpty() ? "MISSING" : "[ \"" + label + "\" ]");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTransactionSeesItsWritesAndOthersDoNotUntilItsCommit(boolean isSharded) {
        create(isSharded);
        String before = all();
        start();

        assertThat(
                        send("{'insert':'#','documents':[{'_id':4,'k':1,'n':40},{'_id':5,'k':1}]}")
                                .at("n"))
                .isEqualTo(value("2"));
        Reply update =
                send(
                        "{'update':'#','updates':[{'q':{'k':1,'_id':1},'u':{'$inc':{'n':1}}},"
                                + "{'q':{'k':1,'n':{'$gte':20}},'u':{'$set':{'m':1}},'multi':true}]}");
        assertThat(update.text("n")).isEqualTo("4");
        assertThat(update.text("nModified")).isEqualTo("4");
        assertThat(send("{'delete':'#','deletes':[{'q':{'k':1,'n':30},'limit':1}]}").at("n"))
                .isEqualTo(value("1"));
        assertThat(
                        send("{'findAndModify':'#','query':{'k':1,'n':11},'update':{'$set':{'n':12}},"
                                        + "'new':true}")
                                .text("value.n"))
                .isEqualTo("12");
        assertThat(send("{'distinct':'#','key':'n','query':{'k':1}}").text("values"))
                .isEqualTo("[ 12, 20, 40 ]");
        assertThat(
                        send("{'find':'#','filter':{'k':1,'n':{'$lt':20}},'projection':{'n':1}}")
                                .text("cursor.firstBatch"))
                .isEqualTo("[ { _id: 1, n: 12 } ]");
        assertThat(
                        send("{'aggregate':'#','pipeline':[{'$match':{'k':1}},{'$group':{'_id':null,"
                                        + "'n':{'$sum':1}}}],'cursor':{}}")
                                .text("cursor.firstBatch"))
                .isEqualTo("[ { _id: null, n: 4 } ]");
        String inside = seen();
        assertThat(all()).isEqualTo(before);

        assertThat(commit().isOk()).isTrue();

        assertThat(all()).isEqualTo(inside).isNotEqualTo(before);
        assertThat(commit().isOk()).isTrue();
        refused(seenAgain(), 256, "");
        refused(abort(), 256, "");
        assertThat(all()).isEqualTo(inside);
    }

    private Reply seenAgain() {
        return send("{'find':'#','filter':{'k':1}}");
    }

    @Test
    void whatIsAbortedLeavesNothing() {
        create(false);
        String before = all();
        start();
        send("{'insert':'#','documents':[{'_id':4}]}");
        send("{'delete':'#','deletes':[{'q':{},'limit':0}]}");
        assertThat(seen()).isEqualTo("[]");

        assertThat(abort().isOk()).isTrue();

        assertThat(all()).isEqualTo(before);
        refused(commit(), 251, "TransientTransactionError");
        refused(abort(), 251, "TransientTransactionError");
        refused(seenAgain(), 251, "TransientTransactionError");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aWriteOfSomebodyElseIsAConflictAtOnce(boolean isSharded) {
        create(isSharded);
        String other = "{'update':'#','updates':[{'q':{'k':1,'_id':2},'u':{'$inc':{'n':1}}}]}";
        start();
        seen();
        call(other);

        refused(
                send("{'insert':'#','documents':[{'_id':4,'k':1}]}"),
                112,
                "TransientTransactionError");
        refused(commit(), 251, "TransientTransactionError");

        start();
        send("{'insert':'#','documents':[{'_id':4,'k':1}]}");
        call(other);
        refused(commit(), 112, "TransientTransactionError");
        assertThat(call("{'count':'#'}").number("n")).isEqualTo(3);

        // A search that finds nothing has seen the key as well.
        start();
        assertThat(
                        send("{'update':'#','updates':[{'q':{'k':1,'n':-1},'u':{'$inc':{'n':1}}}]}")
                                .number("n"))
                .isZero();
        call(other);
        refused(seenAgain(), 112, "TransientTransactionError");
    }

    @Test
    void aTransactionStaysInItsLogicalPartition() {
        create(true);
        for (String leaving :
                new String[] {
                    "{'insert':'#','documents':[{'_id':9,'k':2}]}",
                    "{'update':'#','updates':[{'q':{'k':2},'u':{'$set':{'n':1}}}]}",
                    "{'update':'#','updates':[{'q':{'_id':1},'u':{'$set':{'n':1}}}]}",
                    "{'update':'#','updates':[{'q':{},'u':{'$set':{'n':1}},'multi':true}]}",
                    "{'delete':'#','deletes':[{'q':{'k':3,'_id':3},'limit':1}]}",
                    "{'find':'#','filter':{'k':{'$in':[1,2]}}}",
                    "{'find':'#'}",
                    "{'find':'#','filter':{'k':2,'_id':1}}"
                }) {
            start();
            send("{'insert':'#','documents':[{'_id':4,'k':1}]}");

            Reply reply = send(leaving);

            refused(reply, 263, "");
            assertThat(reply.text("errmsg")).contains("limited to one logical partition");
            refused(commit(), 251, "TransientTransactionError");
        }
        call("{'create':'other'}");
        start();
        send("{'insert':'#','documents':[{'_id':4,'k':1}]}");
        refused(send("{'insert':'other','documents':[{'_id':4,'k':1}]}"), 263, "");
        assertThat(call("{'count':'#'}").number("n")).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'count':'#'} | 263",
                "{'create':'x'} | 263",
                "{'listCollections':1} | 263",
                "{'explain':{'find':'#'}} | 263",
                "{'aggregate':'#','pipeline':[{'$out':'x'}],'cursor':{}} | 263",
                "{'insert':'missing','documents':[{}]} | 263",
                "{'insert':'#','documents':[{}],'writeConcern':{'w':1}} | 72",
                "{'find':'#','readConcern':{'level':'linearizable'}} | 72"
            })
    void aCommandThatCannotBeInATransactionIsRefused(String command, int code) {
        create(false);
        start();

        assertThat(send(command).number("code")).isEqualTo(code);
    }

    @Test
    void theFieldsOfATransactionMustHaveAMeaning() {
        create(false);
        String find = "{'find':'#'," + lsid(session);
        String number = ",'txnNumber':{'$numberLong':'7'}";
        assertThat(call(find + ",'autocommit':false}").number("code")).isEqualTo(72);
        assertThat(call(find + number + ",'startTransaction':true}").number("code")).isEqualTo(72);
        assertThat(call(find + number + ",'autocommit':true}").number("code")).isEqualTo(72);
        assertThat(
                        call(find + number + ",'autocommit':false,'startTransaction':false}")
                                .number("code"))
                .isEqualTo(72);
        refused(call(find + number + ",'autocommit':false}"), 251, "TransientTransactionError");
        start();
        assertThat(send("{'find':'#','readConcern':{'level':'snapshot'}}").isOk()).isTrue();
        assertThat(send("{'find':'#','readConcern':{'level':'snapshot'}}").number("code"))
                .isEqualTo(72);
        isStarted = false;
        assertThat(seenAgain().number("code")).isEqualTo(50911);
        transaction--;
        isStarted = false;
        assertThat(seenAgain().number("code")).isEqualTo(225);
    }

    @Test
    void aFailureEndsTheTransaction() {
        create(false);
        start();
        send("{'insert':'#','documents':[{'_id':4}]}");

        Reply reply = send("{'insert':'#','documents':[{'_id':5},{'_id':1},{'_id':6}]}");

        refused(reply, 11000, "");
        assertThat(reply.text("keyValue")).isEqualTo("{ _id: 1 }");
        refused(seenAgain(), 251, "TransientTransactionError");
        assertThat(call("{'count':'#'}").number("n")).isEqualTo(3);
    }

    @Test
    void theNextTransactionAndTheEndOfTheSessionAbort() {
        create(false);
        start();
        send("{'insert':'#','documents':[{'_id':4}]}");
        start();
        send("{'insert':'#','documents':[{'_id':5}]}");
        refused(end("commitTransaction", transaction - 1), 225, "");
        client.call("{'endSessions':[" + lsid(session).substring("'lsid':".length()) + "]}");

        refused(commit(), 251, "TransientTransactionError");
        assertThat(call("{'count':'#'}").number("n")).isEqualTo(3);
    }

    /** A cursor goes on among the writes of its transaction, and ends with it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCursorBelongsToItsTransaction(boolean isSharded) {
        create(isSharded);
        start();
        send("{'insert':'#','documents':[{'_id':4,'k':1},{'_id':5,'k':1}]}");
        Reply first = send("{'find':'#','filter':{'k':1},'batchSize':2}");
        assertThat(first.text("cursor.firstBatch")).contains("_id: 1").contains("_id: 2");
        // Others create documents beside it.
        if (isSharded) {
            for (int i = 0; i < 20; i++) {
                call("{'insert':'#','documents':[{'_id':" + (100 + i) + ",'k':" + (i + 2) + "}]}");
            }
        }
        String more = "{'getMore':" + first.text("cursor.id") + ",'collection':'#','batchSize':2}";

        Reply second = send(more);

        assertThat(second.text("cursor.nextBatch")).contains("_id: 3").contains("_id: 4");
        assertThat(send(more).text("cursor.nextBatch")).contains("_id: 5").doesNotContain("_id: 3");
        first = send("{'find':'#','filter':{'k':1},'batchSize':2}");
        commit();
        assertThat(
                        call("{'getMore':" + first.text("cursor.id") + ",'collection':'#'}")
                                .number("code"))
                .isEqualTo(43);
    }

    /** Another node, or this one after a restart, knows nothing but what partitions remember. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCommitThatComesAgainElsewhereIsKnown(boolean isSharded) {
        create(isSharded);
        start();
        send("{'insert':'#','documents':[{'_id':4,'k':1}]}");
        assertThat(commit().isOk()).isTrue();
        MongoClient here = client;
        try {
            client = MongoClient.ofAnybody(ENGINE.fixture(), true);

            assertThat(commit().isOk()).isTrue();
            refused(end("commitTransaction", transaction + 1), 251, "TransientTransactionError");
            refused(seenAgain(), 251, "TransientTransactionError");
        } finally {
            client = here;
        }
        assertThat(call("{'count':'#'}").number("n")).isEqualTo(4);
    }

    @Test
    void aTransactionHasBounds() {
        create(false);
        StringBuilder many = new StringBuilder();
        for (int i = 0; i < 1001; i++) {
            many.append(i == 0 ? "" : ",").append("{'_id':").append(1000 + i).append('}');
        }
        start();

        refused(send("{'insert':'#','documents':[" + many + "]}"), 257, "");
        start();
        String most = many.substring(0, many.lastIndexOf(","));
        assertThat(send("{'insert':'#','documents':[" + most + "]}").number("n")).isEqualTo(1000);
        assertThat(commit().isOk()).isTrue();
        assertThat(call("{'count':'#'}").number("n")).isEqualTo(1003);
    }
}
