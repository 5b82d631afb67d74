package orrery.frontend.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.frontend.mongo.MongoClient.Reply;

/** What the documents of a collection are held to, in every command that writes. */
final class ValidatorsTest {
    private static final String UNFIT = "121 DocumentValidationFailure: Document failed validation";

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

    private void ok(String command) {
        Reply reply = call(command);
        assertThat(reply.failure()).isEqualTo("ok");
        assertThat(reply.has("writeErrors")).isFalse();
    }

    /** Documents must have a number in n; there is one that has, and one that came before. */
    private void createWithBoth(String more) {
        ok("{'create':'#'}");
        ok("{'insert':'#','documents':[{'_id':'fit','n':1},{'_id':'old','n':'x'}]}");
        ok("{'collMod':'#','validator':{'n':{'$type':'number'}}" + more + "}");
    }

    private String all() {
        return call("{'find':'#','sort':{'_id':1}}").text("cursor.firstBatch");
    }

    // ---- the options

    @Test
    void createKeepsTheOptionsAndListsThem() {
        ok("{'create':'#','validator':{'n':{'$gt':0}}}");

        assertThat(
                        call("{'listCollections':1,'filter':{'name':'#'}}")
                                .text("cursor.firstBatch.0.options"))
                .isEqualTo(
                        "{ validator: { n: { $gt: 0 } }, validationLevel: \"strict\","
                                + " validationAction: \"error\" }");
        ok("{'create':'#','validator':{'n':{'$gt':0}}}");
        assertThat(call("{'create':'#','validator':{'n':{'$gt':1}}}").number("code")).isEqualTo(48);
        assertThat(call("{'create':'#'}").number("code")).isEqualTo(48);
    }

    @Test
    void collModChangesWhatItNamesAndNothingElse() {
        ok("{'create':'#','validator':{'n':1},'validationLevel':'moderate'}");
        ok("{'collMod':'#','validationAction':'warn'}");
        String filter = "{'listCollections':1,'filter':{'name':'#'}}";
        assertThat(call(filter).text("cursor.firstBatch.0.options"))
                .isEqualTo(
                        "{ validator: { n: 1 }, validationLevel: \"moderate\","
                                + " validationAction: \"warn\" }");
        ok("{'createIndexes':'#','indexes':[{'key':{'n':1},'name':'n_1'}]}");
        ok("{'collMod':'#','validator':{}}");
        assertThat(call(filter).text("cursor.firstBatch.0.options"))
                .isEqualTo("{ validationLevel: \"moderate\", validationAction: \"warn\" }");
        assertThat(call("{'listIndexes':'#'}").text("cursor.firstBatch")).contains("n_1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    'validator':{'n':{'$frob':1}}                      | 2
                    'validator':{'$jsonSchema':{'frob':1}}             | 9
                    'validator':{'$jsonSchema':{'multipleOf':2}}       | 9
                    'validator':{'$text':{'$search':'x'}}              | 2
                    'validator':{'$expr':{'$gt':['$n','$$NOW']}}       | 2
                    'validator':'x'                                    | 14
                    'validator':{},'validationLevel':'some'            | 2
                    'validator':{},'validationAction':'some'           | 2
                    'validator':{},'validationAction':'errorAndLog'    | 72
                    'validator':{},'validationAction':1                | 14
                    """)
    void refusesWhatHasNoMeaning(String options, int code) {
        assertThat(call("{'create':'#'," + options + "}").number("code")).isEqualTo(code);
        ok("{'create':'#'}");
        Reply refused = call("{'collMod':'#'," + options + "}");
        assertThat(refused.number("code")).isEqualTo(code);
        if (options.contains("errorAndLog")) {
            assertThat(refused.string("errmsg")).contains("errorAndLog");
        }
    }

    @Test
    void aValidatorHasABound() {
        String fits = "v".repeat((64 << 10) - 100);
        ok("{'create':'#','validator':{'n':'" + fits + "'}}");
        Reply refused = call("{'create':'x#','validator':{'n':'" + fits + "v".repeat(200) + "'}}");
        assertThat(refused.failure()).startsWith("72 InvalidOptions").contains("65536 bytes");
    }

    // ---- writes

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void refusesDocumentsOneByOneAndSaysWhy(boolean ordered) {
        ok("{'create':'#','validator':{'$jsonSchema':{'required':['n']}}}");

        Reply reply =
                call(
                        "{'insert':'#','documents':[{'_id':1,'n':1},{'_id':2},{'_id':3,'n':3}],'ordered':"
                                + ordered
                                + "}");

        assertThat(reply.number("n")).isEqualTo(ordered ? 1 : 2);
        assertThat(reply.text("writeErrors"))
                .isEqualTo(
                        "[ { index: 1, code: 121, errmsg: \"Document failed validation\", errInfo:"
                                + " { failingDocumentId: 2, details: { operatorName:"
                                + " \"$jsonSchema\", schemaRulesNotSatisfied: [ { operatorName:"
                                + " \"required\", specifiedAs: { required: [ \"n\" ] },"
                                + " missingProperties: [ \"n\" ] } ] } } } ]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'q':{'_id':'fit'},'u':{'$set':{'n':'y'}}}",
                "{'q':{'_id':'fit'},'u':{'n':'y'}}",
                "{'q':{'_id':'fit'},'u':[{'$set':{'n':'y'}}]}",
                "{'q':{'n':1},'u':{'$set':{'n':'y'}},'multi':true}",
                "{'q':{'_id':'new'},'u':{'$set':{'n':'y'}},'upsert':true}",
                "{'q':{'m':5},'u':{'$set':{'n':'y'}},'upsert':true}",
                "{'q':{'_id':'old'},'u':{'$set':{'m':1}}}",
            })
    void refusesUpdatesToWhatDoesNotMeetIt(String update) {
        createWithBoth("");
        String before = all();

        Reply reply = call("{'update':'#','updates':[" + update + "]}");

        assertThat(reply.number("n")).isZero();
        assertThat(reply.number("writeErrors.0.code")).isEqualTo(121);
        assertThat(reply.text("writeErrors.0.errInfo.details.operatorName")).isEqualTo("\"$type\"");
        assertThat(all()).isEqualTo(before);

        ok("{'update':'#','updates':[" + update + "],'bypassDocumentValidation':true}");
        assertThat(all()).isNotEqualTo(before);
    }

    @Test
    void updatesThatMeetItAndThoseThatChangeNothingPass() {
        createWithBoth("");
        ok("{'update':'#','updates':[{'q':{'_id':'old'},'u':{'$set':{'n':2}}}]}");
        ok("{'update':'#','updates':[{'q':{'_id':'fit'},'u':{'$set':{'n':1}}}]}");
        ok("{'insert':'#','documents':[{'_id':'x','n':'x'}],'bypassDocumentValidation':true}");
        ok("{'update':'#','updates':[{'q':{'_id':'x'},'u':{'$set':{'n':'x'}}}]}");
        ok("{'delete':'#','deletes':[{'q':{'_id':'x'},'limit':1}]}");
    }

    @Test
    void anUpdateOfManyStopsAtTheFirstThatFails() {
        ok("{'create':'#','validator':{'n':{'$lt':10}}}");
        ok("{'insert':'#','documents':[{'_id':1,'n':1},{'_id':2,'n':6},{'_id':3,'n':2}]}");

        Reply reply = call("{'update':'#','updates':[{'q':{},'u':{'$inc':{'n':5}},'multi':true}]}");

        assertThat(reply.number("nModified")).isEqualTo(1);
        assertThat(reply.text("writeErrors.0.errInfo"))
                .isEqualTo(
                        "{ failingDocumentId: 2, details: { operatorName: \"$lt\", specifiedAs: {"
                                + " n: { $lt: 10 } }, reason: \"comparison failed\","
                                + " consideredValue: 11 } }");
        assertThat(all()).isEqualTo("[ { _id: 1, n: 6 }, { _id: 2, n: 6 }, { _id: 3, n: 2 } ]");
    }

    @Test
    void findAndModifyFailsAsACommand() {
        createWithBoth("");
        String command = "{'findAndModify':'#','query':{'_id':'fit'},'update':{'$set':{'n':'y'}}}";

        Reply reply = call(command);

        assertThat(reply.failure()).isEqualTo(UNFIT);
        assertThat(reply.string("errInfo.failingDocumentId")).isEqualTo("fit");
        assertThat(reply.string("errInfo.details.reason")).isEqualTo("type did not match");
        ok(command.replace("}}}", "}},'bypassDocumentValidation':true}"));
    }

    @Test
    void bulkWriteTellsOfEachOperation() {
        createWithBoth("");
        String command =
                "{'bulkWrite':1,'ops':[{'insert':0,'document':{'_id':1}},"
                        + "{'update':0,'filter':{'_id':'fit'},'updateMods':{'$set':{'n':'y'}}},"
                        + "{'insert':0,'document':{'_id':2,'n':2}}],"
                        + "'nsInfo':[{'ns':'d.#'}],'ordered':false";

        Reply reply = admin(command + "}");

        assertThat(reply.number("nErrors")).isEqualTo(2);
        assertThat(reply.number("nInserted")).isEqualTo(1);
        assertThat(reply.text("cursor.firstBatch.0"))
                .contains("code: 121", "errInfo: { failingDocumentId: 1, ");
        assertThat(reply.text("cursor.firstBatch.1"))
                .contains("code: 121", "errInfo: { failingDocumentId: \"fit\", ");
        Reply bypassed =
                admin(
                        command.replace("'_id':2,", "'_id':3,")
                                + ",'bypassDocumentValidation':true}");
        assertThat(bypassed.number("nErrors")).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'$merge':{'into':'to#'}}",
                "{'$merge':{'into':'to#','whenMatched':[{'$set':{'n':'$$new.n'}}]}}",
                "{'$merge':{'into':'to#','whenMatched':'replace'}}",
                "{'$out':'to#'}"
            })
    void pipelinesThatWriteAreHeldToIt(String stage) {
        ok("{'insert':'#','documents':[{'_id':1,'n':'x'}]}");
        ok("{'create':'to#','validator':{'n':{'$type':'number'}}}");
        ok("{'insert':'to#','documents':[{'_id':1,'n':1}]}");
        String command = "{'aggregate':'#','pipeline':[" + stage + "],'cursor':{}";

        Reply refused = call(command + "}");

        assertThat(refused.number("code")).isEqualTo(121);
        assertThat(refused.number("errInfo.failingDocumentId")).isEqualTo(1);
        String find = "{'find':'to#'}";
        assertThat(call(find).text("cursor.firstBatch")).isEqualTo("[ { _id: 1, n: 1 } ]");
        ok(command + ",'bypassDocumentValidation':true}");
        assertThat(call(find).text("cursor.firstBatch")).isEqualTo("[ { _id: 1, n: \"x\" } ]");
        // The collection that $out has made is held to the same rule.
        assertThat(call("{'insert':'to#','documents':[{'n':'y'}]}").number("writeErrors.0.code"))
                .isEqualTo(121);
    }

    @Test
    void aTransactionIsAbortedByAWriteThatFails() {
        createWithBoth("");
        String session =
                "'lsid':{'id':{'$binary':{'base64':'AAAAAAAAAAAAAAAAAAAAAA==','subType':'04'}}}";
        String of = "," + session + ",'txnNumber':{'$numberLong':'1'},'autocommit':false";

        ok("{'insert':'#','documents':[{'_id':1,'n':1}]" + of + ",'startTransaction':true}");
        Reply refused =
                call("{'update':'#','updates':[{'q':{'_id':1},'u':{'$set':{'n':'y'}}}]" + of + "}");
        assertThat(refused.number("code")).isEqualTo(121);
        assertThat(refused.number("errInfo.failingDocumentId")).isEqualTo(1);
        assertThat(admin("{'commitTransaction':1" + of + "}").number("code")).isEqualTo(251);

        String next = of.replace("'1'}", "'2'}");
        ok(
                "{'insert':'#','documents':[{'_id':2,'n':'y'}]"
                        + next
                        + ",'startTransaction':true,'bypassDocumentValidation':true}");
        ok("{'update':'#','updates':[{'q':{'_id':'fit'},'u':{'$set':{'n':3}}}]" + next + "}");
        assertThat(admin("{'commitTransaction':1" + next + "}").failure()).isEqualTo("ok");
        assertThat(all()).contains("_id: 2, n: \"y\"", "_id: \"fit\", n: 3");
    }

    @Test
    void aWriteThatComesAgainIsAnsweredAsBefore() {
        ok("{'create':'#'}");
        String retried =
                "{'insert':'#','documents':[{'_id':1}],'lsid':{'id':{'$binary':"
                        + "{'base64':'AAAAAAAAAAAAAAAAAAAAAQ==','subType':'04'}}},'txnNumber':{'$numberLong':'1'}}";
        ok(retried);
        ok("{'collMod':'#','validator':{'n':1}}");

        Reply again = call(retried);

        assertThat(again.failure()).isEqualTo("ok");
        assertThat(again.number("n")).isEqualTo(1);
        assertThat(
                        call(retried.replace("'1'}}", "'2'}}").replace("'_id':1", "'_id':2"))
                                .number("writeErrors.0.code"))
                .isEqualTo(121);
    }

    // ---- levels and actions

    @Test
    void moderateLeavesAloneWhatDidNotMeetItBefore() {
        createWithBoth(",'validationLevel':'moderate'");

        ok("{'update':'#','updates':[{'q':{'_id':'old'},'u':{'$set':{'m':1}}}]}");
        ok("{'update':'#','updates':[{'q':{'_id':'old'},'u':{'$set':{'m':2}},'multi':true}]}");
        assertThat(
                        call("{'update':'#','updates':[{'q':{'_id':'fit'},'u':{'$set':{'n':'y'}}}]}")
                                .number("writeErrors.0.code"))
                .isEqualTo(121);
        assertThat(call("{'insert':'#','documents':[{'_id':1}]}").number("writeErrors.0.code"))
                .isEqualTo(121);
        // It meets the rule now, so it has to go on doing so.
        ok("{'update':'#','updates':[{'q':{'_id':'old'},'u':{'$set':{'n':1}}}]}");
        assertThat(
                        call("{'update':'#','updates':[{'q':{'_id':'old'},'u':{'$unset':{'n':1}}}]}")
                                .number("writeErrors.0.code"))
                .isEqualTo(121);
    }

    @ParameterizedTest
    @ValueSource(strings = {",'validationLevel':'off'", ",'validationAction':'warn'"})
    void letsEverythingPass(String option) {
        createWithBoth(option);
        ok("{'insert':'#','documents':[{'_id':1},{'_id':2}]}");
        ok("{'update':'#','updates':[{'q':{'_id':'fit'},'u':{'$set':{'n':'y'}}}]}");
        assertThat(all()).contains("_id: 1 }", "_id: \"fit\", n: \"y\"");
    }

    @Test
    void whatOnlyWarnsIsInTheLog() {
        List<String> said = new CopyOnWriteArrayList<>();
        Logger logger = Logger.getLogger("orrery.partition.RuleCheck");
        Handler listener = new Listener(said);
        logger.addHandler(listener);
        try {
            ok("{'create':'#','validator':{'n':1},'validationAction':'warn'}");
            ok("{'insert':'#','documents':[{'_id':'" + name + "','n':2},{'_id':'fit','n':1}]}");
        } finally {
            logger.removeHandler(listener);
        }
        assertThat(said).singleElement().asString().contains(name, "comparison failed");
    }

    /** Hears what a logger says. */
    private static final class Listener extends Handler {
        private final List<String> said;

        Listener(List<String> said) {
            this.said = said;
        }

        @Override
        public void publish(LogRecord line) {
            said.add(new SimpleFormatter().formatMessage(line));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    /**
     * Writers that go on while the rule changes: none that begins behind the answer slips through.
     */
    @Test
    void collModHoldsForAllThatBeginsBehindItsAnswer() {
        ok(
                "{'customAction':'CreateCollection','collection':'#','shardKey':'k','offerThroughput':50000}");
        AtomicBoolean isAnswered = new AtomicBoolean();
        AtomicInteger before = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        Queue<String> slipped = new ConcurrentLinkedQueue<>();
        List<Future<?>> writers = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 4; i++) {
                String writer = "w" + i;
                MongoClient own = client.another();
                writers.add(
                        threads.submit(
                                () -> {
                                    for (int n = 0; refused.get() < 100; n++) {
                                        boolean isBehind = isAnswered.get();
                                        String insert =
                                                "{'insert':'#','documents':[{'_id':'%s-%d','k':%d}]}"
                                                        .formatted(writer, n, n % 50)
                                                        .replace("#", name);
                                        if (own.call(insert).has("writeErrors")) {
                                            refused.incrementAndGet();
                                        } else if (isBehind) {
                                            slipped.add(insert);
                                            return;
                                        } else {
                                            before.incrementAndGet();
                                        }
                                    }
                                }));
            }
            while (before.get() < 100) {
                Thread.onSpinWait();
            }
            ok("{'collMod':'#','validator':{'n':{'$exists':true}}}");
            isAnswered.set(true);
        }
        assertThat(writers).allMatch(each -> each.state() == Future.State.SUCCESS);
        assertThat(slipped).isEmpty();
        assertThat(refused.get()).isGreaterThanOrEqualTo(100);
        assertThat(call("{'count':'#'}").number("n")).isEqualTo(before.get());
    }

    @Test
    void validateCountsWhatDoesNotMeetIt() {
        createWithBoth("");

        Reply reply = call("{'validate':'#'}");

        assertThat(reply.number("nNonCompliantDocuments")).isEqualTo(1);
        assertThat(reply.number("nrecords")).isEqualTo(2);
        assertThat(reply.text("valid")).isEqualTo("true");
        assertThat(reply.text("warnings")).contains("not compliant with the collection's schema");
        ok("{'collMod':'#','validationLevel':'off'}");
        assertThat(call("{'validate':'#'}").number("nNonCompliantDocuments")).isZero();
    }

    @Test
    void holdsInAllPartitions() {
        ok(
                "{'customAction':'CreateCollection','collection':'#','shardKey':'k','offerThroughput':50000}");
        ok("{'collMod':'#','validator':{'n':{'$gt':0}}}");
        StringBuilder documents = new StringBuilder("{'_id':0,'k':0,'n':0}");
        for (int i = 1; i < 40; i++) {
            documents.append(",{'_id':").append(i).append(",'k':").append(i).append(",'n':0}");
        }

        Reply reply = call("{'insert':'#','documents':[" + documents + "],'ordered':false}");

        assertThat(reply.number("n")).isZero();
        assertThat(reply.at("writeErrors.39.code")).isEqualTo(reply.at("writeErrors.0.code"));
    }

    @Test
    void detailsAreBounded() {
        ok("{'create':'#','validator':{'n':0}}");
        String fill = "f".repeat(10_000);
        StringBuilder documents = new StringBuilder("{'_id':0,'n':'" + fill + "'}");
        for (int i = 1; i < 200; i++) {
            documents.append(",{'_id':").append(i).append(",'n':'").append(fill).append("'}");
        }

        Reply reply = call("{'insert':'#','documents':[" + documents + "],'ordered':false}");

        assertThat(reply.has("writeErrors.0.errInfo.details.consideredValue")).isTrue();
        assertThat(reply.has("writeErrors.199.errInfo")).isFalse();
        assertThat(reply.number("writeErrors.199.code")).isEqualTo(121);
    }
}
