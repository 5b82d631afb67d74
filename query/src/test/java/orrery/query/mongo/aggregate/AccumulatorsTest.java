package orrery.query.mongo.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.codec.MalformedRecordException;
import orrery.query.mongo.Documents;
import orrery.query.mongo.MongoOrder;
import orrery.query.mongo.expression.ExpressionContext;
import orrery.query.mongo.expression.ValueText;
import orrery.query.mongo.find.FindOptions;

class AccumulatorsTest {
    private static final ExpressionContext CONTEXT =
            new ExpressionContext(MongoOrder.SIMPLE, FindOptions.NONE, Instant.EPOCH, 0);

    private Value present = FindOptions.NONE;

    private Groups groups(String accumulator) {
        GroupSpec spec =
                GroupSpec.of(Documents.of("{'_id':'$g','r':" + accumulator + "}"), CONTEXT);
        return new Groups(spec, () -> CONTEXT.variables(present));
    }

    private Groups groups(String accumulator, List<Value.Obj> documents) {
        Groups groups = groups(accumulator);
        for (Value.Obj document : documents) {
            present = document;
            groups.add();
        }
        return groups;
    }

    private static List<Value.Obj> documents(String values) {
        List<Value.Obj> documents = new ArrayList<>();
        ((Value.Array) Documents.value("[" + values + "]"))
                .elements()
                .forEach(value -> documents.add(new Value.Obj(Map.of("v", value))));
        return documents;
    }

    private static Value result(Groups groups) {
        return ((Value.Obj) groups.results().next())
                .properties()
                .getOrDefault("r", Value.Undefined.UNDEFINED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'$sum':'$v'} | 1,2,'x',null | 3",
                "{'$sum':'$v'} | 2147483647,1 | 2147483648",
                "{'$sum':'$v'} | {'$numberLong':'9223372036854775807'},1,{'$numberLong':'-2'} | 9223372036854775806",
                "{'$sum':'$v'} | {'$numberLong':'9223372036854775807'},1 | 9.223372036854776E18",
                "{'$sum':'$v'} | 0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1 | 1.0",
                "{'$sum':'$v'} | 1e100,1,-1e100 | 1.0",
                "{'$sum':'$v'} | {'$numberDouble':'Infinity'},1 | Infinity",
                "{'$sum':'$v'} | {'$numberDouble':'Infinity'},{'$numberDouble':'-Infinity'} | NaN",
                "{'$sum':'$v'} | {'$numberDecimal':'1.10'},2 | 3.10",
                "{'$sum':'$v'} | 'x' | 0",
                "{'$avg':'$v'} | 1,2,'x' | 1.5",
                "{'$avg':'$v'} | 'x' | null",
                "{'$avg':'$v'} | {'$numberDecimal':'1'},2 | 1.5",
                "{'$min':'$v'} | 3,null,1,'a' | 1",
                "{'$max':'$v'} | 3,null,1,'a' | \"a\"",
                "{'$max':'$v'} | null | null",
                "{'$first':'$w'} | 1,2 | null",
                "{'$push':'$v'} | 1,null,[2] | [ 1, null, [ 2 ] ]",
                "{'$push':'$w'} | 1,2 | []",
                "{'$addToSet':'$v'} | 1,{'$numberDouble':'1.0'},2,{'$numberLong':'1'} | [ 1, 2 ]",
                "{'$mergeObjects':'$v'} | {'a':1,'b':1},null,{'b':2} | { a: 1, b: 2 }",
                "{'$firstN':{'n':2,'input':'$v'}} | 3,null,1 | [ 3, null ]",
                "{'$lastN':{'n':2,'input':'$w'}} | 3,2,1 | [ null, null ]",
                "{'$minN':{'n':2,'input':'$v'}} | 3,null,1,2 | [ 1, 2 ]",
                "{'$maxN':{'n':2,'input':'$v'}} | 3,null,1,2 | [ 3, 2 ]",
                "{'$top':{'sortBy':{'v':1},'output':'$v'}} | 3,1,2 | 1",
                "{'$bottom':{'sortBy':{'v':1},'output':['$v']}} | 3,1,2 | [ 3 ]",
                "{'$topN':{'n':2,'sortBy':{'v':-1},'output':'$v'}} | 3,1,2 | [ 3, 2 ]",
                "{'$bottomN':{'n':2,'sortBy':{'v':-1},'output':'$v'}} | 3,1,2 | [ 2, 1 ]",
                "{'$stdDevPop':'$v'} | 2,4 | 1.0",
                "{'$stdDevSamp':'$v'} | 2 | null",
                "{'$percentile':{'p':[0,0.5,1],'input':'$v','method':'approximate'}} | 4,1,3,2,'x' | [ 1.0, 2.0, 4.0 ]",
                "{'$count':{}} | 4,null,'x' | 3",
            })
    void areThoseOfTheServer(String accumulator, String values, String expected) {
        Value result = result(groups(accumulator, documents(values)));
        assertThat(ValueText.of(result)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'$sum':'$v'}",
                "{'$avg':'$v'}",
                "{'$min':'$v'}",
                "{'$max':'$v'}",
                "{'$first':'$v'}",
                "{'$last':'$v'}",
                "{'$push':'$v'}",
                "{'$addToSet':'$v'}",
                "{'$count':{}}",
                "{'$firstN':{'n':3,'input':'$v'}}",
                "{'$lastN':{'n':3,'input':'$v'}}",
                "{'$minN':{'n':3,'input':'$v'}}",
                "{'$maxN':{'n':3,'input':'$v'}}",
                "{'$top':{'sortBy':{'v':1},'output':'$v'}}",
                "{'$bottomN':{'n':3,'sortBy':{'v':1},'output':'$v'}}",
                "{'$median':{'input':'$v','method':'approximate'}}",
            })
    void statesMergeIntoWhatAllDocumentsGive(String accumulator) {
        List<String> values =
                List.of(
                        "{'g':1,'v':3}",
                        "{'g':1,'v':2147483647}",
                        "{'g':1,'v':{'$numberLong':'9223372036854775807'}}",
                        "{'g':1,'v':0.5}",
                        "{'g':2,'v':{'$numberDecimal':'1.10'}}",
                        "{'g':2,'v':'text'}",
                        "{'g':2,'v':null}",
                        "{'g':2}",
                        "{'v':[1,2]}",
                        "{'g':null,'v':{'a':1}}");
        Random random = new Random(accumulator.hashCode());
        for (int i = 0; i < 50; i++) {
            List<Value.Obj> all = new ArrayList<>();
            for (int k = random.nextInt(12); k >= 0; k--) {
                all.add(Documents.of(values.get(random.nextInt(values.size()))));
            }
            int cut = random.nextInt(all.size() + 1);
            Groups merged = groups(accumulator, all.subList(0, cut));
            groups(accumulator, all.subList(cut, all.size()))
                    .states()
                    .forEachRemaining(merged::merge);
            assertThat(texts(merged)).isEqualTo(texts(groups(accumulator, all)));
        }
    }

    private static List<String> texts(Groups groups) {
        List<String> texts = new ArrayList<>();
        groups.results().forEachRemaining(group -> texts.add(ValueText.of(group)));
        return texts;
    }

    @Test
    void deviationsMerge() {
        List<Value.Obj> all = documents("1,5,2.5,9,100,-3,8");
        Groups merged = groups("{'$stdDevSamp':'$v'}", all.subList(0, 3));
        groups("{'$stdDevSamp':'$v'}", all.subList(3, 7)).states().forEachRemaining(merged::merge);
        double whole = ((Value.Real) result(groups("{'$stdDevSamp':'$v'}", all))).value();
        assertThat(((Value.Real) result(merged)).value()).isCloseTo(whole, within(1e-9));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'i':1}",
                "{'i':1,'s':1}",
                "{'i':1,'s':[]}",
                "{'i':1,'s':[1]}",
                "{'i':1,'s':[{'w':9}]}",
            })
    void otherStatesAreRefused(String state) {
        Bytes bytes = Documents.bson(state);
        assertThatThrownBy(() -> groups("{'$sum':'$v'}").merge(bytes))
                .isInstanceOf(MalformedRecordException.class);
    }
}
