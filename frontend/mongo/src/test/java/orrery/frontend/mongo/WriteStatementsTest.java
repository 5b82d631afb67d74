package orrery.frontend.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.frontend.mongo.MongoClient.Reply;

/** A statement without a meaning fails the whole command, before any statement is carried out. */
final class WriteStatementsTest {
    @RegisterExtension static final MongoEngine ENGINE = MongoEngine.standard();

    private final MongoClient client = ENGINE.client();

    private final String name = MongoEngine.newName();

    @BeforeEach
    void fill() {
        call("{'insert':'#','documents':[{'_id':1,'x':1},{'_id':2,'x':1}]}");
    }

    private Reply call(String command) {
        return client.call(command.replace("#", name));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    {'q':{},'u':{'$set':{'x':2}},'sort':{'x':1},'multi':true} | 9
                    {'q':{},'u':{'$set':{'x':2}},'sort':1}                 | 14
                    {'q':{},'u':{'$set':{'x':2}},'frob':1}                 | 40415
                    {'u':{'$set':{'x':2}}}                                 | 40414
                    {'q':{}}                                               | 40414
                    {'q':1,'u':{'$set':{'x':2}}}                           | 14
                    {'q':{},'u':'x'}                                       | 9
                    {'q':{},'u':{'$set':{'x':2}},'multi':'yes'}            | 14
                    {'q':{},'u':{'$set':{'x':2}},'upsert':'yes'}           | 14
                    {'q':{},'u':{'$set':{'x':2}},'hint':7}                 | 9
                    {'q':{},'u':{'$set':{'x':2}},'arrayFilters':{}}        | 14
                    {'q':{},'u':{'$set':{'x':2}},'collation':'en'}         | 14
                    {'q':{},'u':{'$set':{'x':2}},'collation':{'locale':1}} | 14
                    7                                                      | 14
                    """)
    void anUpdateFailsAsAWhole(String statement, int code) {
        Reply reply =
                call(
                        "{'update':'#','updates':[{'q':{'_id':1},'u':{'$set':{'x':2}}},"
                                + statement
                                + "]}");
        assertThat(reply.text("ok")).isEqualTo("0.0");
        assertThat(reply.number("code")).isEqualTo(code);
        assertThat(call("{'count':'#','query':{'x':1}}").number("n")).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    {'q':{},'limit':1,'sort':{}}         | 40415
                    {'q':{}}                             | 40414
                    {'limit':1}                          | 40414
                    {'q':[],'limit':1}                   | 14
                    {'q':{},'limit':2}                   | 9
                    {'q':{},'limit':'1'}                 | 14
                    {'q':{},'limit':1,'hint':true}       | 9
                    {'q':{},'limit':1,'collation':1}     | 14
                    """)
    void aDeleteFailsAsAWhole(String statement, int code) {
        Reply reply =
                call("{'delete':'#','deletes':[{'q':{'_id':1},'limit':1}," + statement + "]}");
        assertThat(reply.text("ok")).isEqualTo("0.0");
        assertThat(reply.number("code")).isEqualTo(code);
        assertThat(call("{'count':'#'}").number("n")).isEqualTo(2);
    }

    /** What a statement says about documents is its own affair. */
    @Test
    void otherFaultsAreThoseOfOneStatement() {
        Reply reply =
                call(
                        "{'update':'#','ordered':false,'updates':[{'q':{'_id':1},'u':{'$frob':{'x':2}}},"
                                + "{'q':{'$frob':1},'u':{'$set':{'x':2}}},"
                                + "{'q':{'_id':2},'u':{'$set':{'x':2}}}]}");
        assertThat(reply.isOk()).isTrue();
        assertThat(reply.number("writeErrors.0.index")).isZero();
        assertThat(reply.number("writeErrors.1.index")).isEqualTo(1);
        assertThat(reply.number("nModified")).isEqualTo(1);
    }

    @Test
    void faultsOfTheStableApiHaveTheirNames() {
        assertThat(call("{'distinct':'#','key':'x','apiVersion':'1','apiStrict':true}").failure())
                .startsWith("323 APIStrictError");
        assertThat(call("{'ping':1,'apiVersion':'2'}").failure()).startsWith("322 APIVersionError");
        assertThat(call("{'ping':1,'apiStrict':true}").failure()).startsWith("322 APIVersionError");
    }

    @Test
    void commandsThatThereIsNothingForAreRefusedByName() {
        assertThat(call("{'createUser':'u','pwd':'p','roles':[]}").failure())
                .isEqualTo("115 CommandNotSupported: the command createUser is not supported");
    }
}
