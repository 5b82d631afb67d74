package orrery.frontend.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.frontend.mongo.MongoClient.Reply;

/** Commands that compare strings as a language does. */
final class CollationCommandsTest {
    private static final String ENGLISH = "'collation':{'locale':'en_US','strength':2}";

    @RegisterExtension static final MongoEngine ENGINE = MongoEngine.standard();

    private final MongoClient client = ENGINE.client();

    private String name = MongoEngine.newName();

    @BeforeEach
    void fill() {
        assertThat(
                        call("{'insert':'#','documents':[{'_id':1,'x':'ping'},{'_id':2,'x':'PING'},"
                                        + "{'_id':3,'x':'Pang'},{'_id':'k','x':7}]}")
                                .number("n"))
                .isEqualTo(4);
    }

    private Reply call(String command) {
        return client.call(command.replace("#", name).replace("~", ENGLISH));
    }

    @Test
    void readsFindWhatIsEqual() {
        assertThat(
                        call("{'find':'#','filter':{'x':'pInG'},'sort':{'_id':1},~}")
                                .text("cursor.firstBatch"))
                .isEqualTo("[ { _id: 1, x: \"ping\" }, { _id: 2, x: \"PING\" } ]");
        assertThat(call("{'find':'#','filter':{'_id':'K'},~}").text("cursor.firstBatch"))
                .isEqualTo("[ { _id: \"k\", x: 7 } ]");
        assertThat(call("{'find':'#','filter':{'_id':'K'}}").text("cursor.firstBatch"))
                .isEqualTo("[]");
        assertThat(call("{'count':'#','query':{'x':{'$ne':'ping'}},~}").number("n")).isEqualTo(2);
        assertThat(call("{'distinct':'#','key':'x',~}").text("values"))
                .isEqualTo("[ 7, \"Pang\", \"ping\" ]");
        assertThat(
                        call("{'aggregate':'#','pipeline':[{'$match':{'x':'PiNG'}},"
                                        + "{'$group':{'_id':1,'n':{'$sum':1}}}],'cursor':{},~}")
                                .number("cursor.firstBatch.0.n"))
                .isEqualTo(2);
    }

    @Test
    void sortsFollowTheLanguage() {
        assertThat(
                        call("{'find':'#','sort':{'x':1,'_id':-1},'projection':{'_id':1},~}")
                                .text("cursor.firstBatch"))
                .isEqualTo("[ { _id: \"k\" }, { _id: 3 }, { _id: 2 }, { _id: 1 } ]");
        assertThat(
                        call("{'find':'#','sort':{'x':1,'_id':-1},'projection':{'_id':1}}")
                                .text("cursor.firstBatch"))
                .isEqualTo("[ { _id: \"k\" }, { _id: 2 }, { _id: 3 }, { _id: 1 } ]");
    }

    @Test
    void updatesChangeWhatIsEqual() {
        assertThat(
                        call("{'update':'#','updates':[{'q':{'x':'PiNg'},'u':{'$set':{'y':1}},'multi':true,~}]}")
                                .number("nModified"))
                .isEqualTo(2);
        assertThat(
                        call("{'update':'#','updates':[{'q':{'_id':'K'},'u':{'$set':{'y':1}},~}]}")
                                .number("nModified"))
                .isEqualTo(1);
        assertThat(
                        call("{'findAndModify':'#','query':{'x':'pang'},'update':{'$addToSet':{'l':'A'}},'new':true,~}")
                                .text("value.l"))
                .isEqualTo("[ \"A\" ]");
        assertThat(
                        call("{'findAndModify':'#','query':{'x':'pang'},'update':{'$addToSet':{'l':'a'}},'new':true,~}")
                                .text("value.l"))
                .isEqualTo("[ \"A\" ]");
        // A generated id, and the value as the query has it.
        assertThat(
                        call("{'update':'#','updates':[{'q':{'x':'PONG'},'u':{'$set':{'y':1}},'upsert':true,~}]}")
                                .has("upserted"))
                .isTrue();
        assertThat(call("{'count':'#','query':{'x':'PONG'}}").number("n")).isEqualTo(1);
    }

    @Test
    void deletesTakeWhatIsEqual() {
        assertThat(call("{'findAndModify':'#','query':{'_id':'K'},'remove':true,~}").text("value"))
                .isEqualTo("{ _id: \"k\", x: 7 }");
        assertThat(call("{'delete':'#','deletes':[{'q':{'x':'pInG'},'limit':1,~}]}").number("n"))
                .isEqualTo(1);
        assertThat(call("{'delete':'#','deletes':[{'q':{'x':'pInG'},'limit':0,~}]}").number("n"))
                .isEqualTo(1);
        assertThat(call("{'count':'#'}").number("n")).isEqualTo(1);
    }

    /** Strings that are equal may be in any partition. */
    @Test
    void shardKeysThatAreStringsLeadNowhere() {
        name = MongoEngine.newName();
        call("{'shardCollection':'d.#','key':{'x':'hashed'}}");
        call(
                "{'insert':'#','documents':[{'_id':1,'x':'ping'},{'_id':2,'x':'PING'},{'_id':3,'x':5}]}");
        assertThat(call("{'count':'#','query':{'x':'pInG'},~}").number("n")).isEqualTo(2);
        assertThat(call("{'find':'#','filter':{'x':'pInG','_id':2},~}").text("cursor.firstBatch"))
                .isEqualTo("[ { _id: 2, x: \"PING\" } ]");
        assertThat(
                        call("{'update':'#','updates':[{'q':{'x':'pInG'},'u':{'$set':{'y':1}},~}]}")
                                .text("writeErrors.0.code"))
                .isEqualTo("61");
        assertThat(
                        call("{'update':'#','updates':[{'q':{'x':5},'u':{'$set':{'y':'A'}},~}]}")
                                .number("nModified"))
                .isEqualTo(1);
        assertThat(
                        call("{'update':'#','updates':[{'q':{'x':'pInG'},'u':{'$set':{'y':1}},'multi':true,~}]}")
                                .number("nModified"))
                .isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'find':'#',!}",
                "{'count':'#',!}",
                "{'distinct':'#','key':'x',!}",
                "{'findAndModify':'#','remove':true,!}",
                "{'aggregate':'#','pipeline':[],'cursor':{},!}",
                "{'create':'other',!}",
            })
    void otherLanguagesAreRefused(String command) {
        Reply reply = call(command.replace("!", "'collation':{'locale':'fr'}"));
        assertThat(reply.isOk()).as(reply.toString()).isFalse();
        assertThat(reply.string("errmsg")).contains("collation");
    }
}
