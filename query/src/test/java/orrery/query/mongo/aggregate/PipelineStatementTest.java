package orrery.query.mongo.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.BsonCodec;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.codec.MalformedRecordException;
import orrery.query.Statement;
import orrery.query.mongo.Documents;
import orrery.query.mongo.MongoOrder;
import orrery.query.mongo.expression.ExpressionContext;
import orrery.query.mongo.find.FindOptions;
import orrery.query.mongo.find.FindStatement;

class PipelineStatementTest {
    private static final Instant NOW = Instant.ofEpochMilli(7);
    private static final ExpressionContext CONTEXT =
            new ExpressionContext(MongoOrder.SIMPLE, FindOptions.NONE, NOW, 7);

    private static Pipeline pipeline(String stages) {
        Value list = Documents.value("[" + stages + "]");
        return new PipelineReader(CONTEXT).read(((Value.Array) list).elements());
    }

    private static Statement statement(String stages) {
        PushDown parts = PushDown.of(pipeline(stages));
        return parts.statement(new FindStatement(parts.options()), NOW);
    }

    @Test
    void payloadsAreAsTheDocumentationSays() {
        Bytes payload =
                statement("{'$match':{'a':1}},{'$group':{'_id':'$b','n':{'$sum':1}}}")
                        .encoded()
                        .payload();
        assertThat(payload)
                .isEqualTo(
                        Bytes.ofHex(
                                "4E000000"
                                        + "0366696E6400"
                                        + "19000000"
                                        + "0366696C746572000C0000001061000100000000"
                                        + "00"
                                        + "0367726F757000"
                                        + "23000000"
                                        + "025F6964000300000024620003"
                                        + "6E000F0000001024"
                                        + "73756D000100000000"
                                        + "00"
                                        + "00"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'$group':{'_id':null,'a':{'$push':'$$ROOT'}}}",
                "{'$match':{'a':1}},{'$unwind':'$b'},{'$redact':'$$KEEP'},{'$match':{'b':1}},{'$project':{'a':1}}",
                "{'$sort':{'a':1}},{'$limit':2},{'$addFields':{'now':'$$NOW'}}",
            })
    void payloadsComeBack(String stages) {
        Statement sent = statement(stages);
        assertThat(PipelineDialect.INSTANCE.read(sent.encoded().payload())).isEqualTo(sent);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'find':{},'more':1}",
                "{'find':{},'rows':1}",
                "{'find':{},'group':1}",
                "{'find':{},'now':1}",
                "{'find':{},'rows':[{'$sort':{'a':1}}]}",
                "{'find':{},'rows':[{'$lookup':{'from':'x','pipeline':[],'as':'y'}}]}",
            })
    void otherPayloadsAreRefused(String payload) {
        Bytes bytes = BsonCodec.write(Documents.of(payload));
        assertThatThrownBy(() -> PipelineDialect.INSTANCE.read(bytes))
                .isInstanceOf(MalformedRecordException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'$sort':{'a':1}},{'$match':{'b':1}},{'$limit':3}            | FindStatement | 0",
                "{'$project':{'a':1}},{'$limit':3}                            | PipelineStatement | 0",
                "{'$project':{'a':1}},{'$sort':{'a':1}}                       | PipelineStatement | 1",
                "{'$limit':3},{'$match':{'b':1}}                              | FindStatement | 1",
                "{'$sort':{'a':1}},{'$unwind':'$a'}                           | FindStatement | 1",
                "{'$unwind':'$a'},{'$skip':1},{'$limit':2},{'$unset':'a'}     | PipelineStatement | 0",
                "{'$sort':{'a':1}},{'$group':{'_id':'$a'}}                    | FindStatement | 1",
                "{'$unwind':'$a'},{'$group':{'_id':'$a'}},{'$sort':{'_id':1}} | PipelineStatement | 1",
                "{'$limit':3},{'$count':'n'}                                  | FindStatement | 2",
                "{'$limit':3},{'$skip':1}                                     | FindStatement | 1",
                "{'$lookup':{'from':'x','pipeline':[],'as':'y'}},{'$match':{'b':1}} | FindStatement | 2",
            })
    void asMuchAsCanGoesToPartitions(String stages, String statement, int left) {
        PushDown parts = PushDown.of(pipeline(stages));
        assertThat(statement(stages).getClass().getSimpleName()).isEqualTo(statement);
        assertThat(parts.rest()).hasSize(left);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'$group':{'_id':'$a.b','n':{'$sum':1}}}                            | a",
                "{'$group':{'_id':{'x':'$a'},'n':{'$top':{'sortBy':{'s.t':1},'output':'$$ROOT.o'}}}} | a,o,s",
                "{'$project':{'a.b':1,'x':{'$concat':['$c','$d']}}}                  | _id,a,c,d,x",
                "{'$addFields':{'x':'$a'}},{'$project':{'x':1}}                      | _id,a,x",
                "{'$unwind':'$a'},{'$match':{'b.c':1}},{'$group':{'_id':'$d'}}       | a,b,d",
                "{'$project':{'a':0}}                                                | any",
                "{'$addFields':{'x':1}}                                              | any",
                "{'$group':{'_id':'$$ROOT'}}                                         | any",
                "{'$group':{'_id':{'$getField':'a'}}}                                | any",
                "{'$replaceWith':'$a'}                                               | _id,a",
            })
    void onlyWhatIsReadIsDecoded(String stages, String names) {
        Optional<Set<String>> read = ((PipelineStatement) statement(stages)).readNames();
        if (names.equals("any")) {
            assertThat(read).isEmpty();
        } else {
            assertThat(read.orElseThrow())
                    .contains(names.replace("_id,", "").split(","))
                    .isSubsetOf(List.of(("_id," + names).split(",")));
        }
    }
}
