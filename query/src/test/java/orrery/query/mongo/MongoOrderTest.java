package orrery.query.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.document.Value;

final class MongoOrderTest {
    /** Each comes before the next. */
    private static final List<Value> SORTED =
            Stream.of(
                            "{'$minKey':1}",
                            "{'$undefined':true}",
                            "null",
                            "{'$numberDouble':'NaN'}",
                            "{'$numberDecimal':'-Infinity'}",
                            "{'$numberDouble':'-1.7976931348623157E308'}",
                            "-1",
                            "{'$numberDecimal':'-1E-6000'}",
                            "0",
                            "{'$numberDecimal':'1E-6000'}",
                            "{'$numberDouble':'0.1'}",
                            "9007199254740992.0",
                            "9007199254740993",
                            "9223372036854775807",
                            "9223372036854775808.0",
                            "{'$numberDecimal':'1E400'}",
                            "{'$numberDouble':'Infinity'}",
                            "''",
                            "'a'",
                            "'a\\u0000'",
                            "'aa'",
                            "{'$symbol':'b'}",
                            "'\\uFF5E'",
                            "'\\uD83D\\uDE00'",
                            "{}",
                            "{'b':1}",
                            "{'b':1,'a':0}",
                            "{'b':2}",
                            "{'c':0}",
                            "{'a':'x'}",
                            "[]",
                            "[1]",
                            "[1,0]",
                            "[2]",
                            "[[]]",
                            "{'$binary':{'base64':'/w==','subType':'00'}}",
                            "{'$binary':{'base64':'/w==','subType':'04'}}",
                            "{'$binary':{'base64':'AAE=','subType':'00'}}",
                            "{'$oid':'507f1f77bcf86cd799439011'}",
                            "false",
                            "true",
                            "{'$date':{'$numberLong':'-1'}}",
                            "{'$date':'2026-11-17T04:30:00.125Z'}",
                            "{'$timestamp':{'t':1,'i':2}}",
                            "{'$timestamp':{'t':4294967295,'i':0}}",
                            "{'$regularExpression':{'pattern':'a','options':''}}",
                            "{'$regularExpression':{'pattern':'a','options':'i'}}",
                            "{'$code':'x'}",
                            "{'$code':'x','$scope':{}}",
                            "{'$code':'x','$scope':{'a':1}}",
                            "{'$maxKey':1}")
                    .map(Documents::value)
                    .toList();

    @Test
    void ordersAllTypesAndTheirValues() {
        for (int i = 0; i < SORTED.size(); i++) {
            for (int j = 0; j < SORTED.size(); j++) {
                assertThat(Integer.signum(MongoOrder.SIMPLE.compare(SORTED.get(i), SORTED.get(j))))
                        .as(SORTED.get(i) + " and " + SORTED.get(j))
                        .isEqualTo(Integer.compare(i, j));
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    1                           | 1.0
                    1                           | {'$numberLong':'1'}
                    1                           | {'$numberDecimal':'1.00'}
                    0                           | -0.0
                    0.0                         | {'$numberDecimal':'-0'}
                    0.5                         | {'$numberDecimal':'0.5'}
                    {'$numberDouble':'NaN'}     | {'$numberDecimal':'NaN'}
                    {'$numberDouble':'Infinity'} | {'$numberDecimal':'Infinity'}
                    'a'                         | {'$symbol':'a'}
                    {'a':[1]}                   | {'a':[1.0]}
                    """)
    void valuesOfDifferentWidthAreEqual(String left, String right) {
        assertThat(MongoOrder.SIMPLE.equal(Documents.value(left), Documents.value(right))).isTrue();
    }

    @Test
    void absentIsUndefined() {
        assertThat(
                        MongoOrder.SIMPLE.compare(
                                Value.Undefined.UNDEFINED, Documents.value("{'$undefined':true}")))
                .isZero();
    }
}
