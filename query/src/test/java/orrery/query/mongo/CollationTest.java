package orrery.query.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.document.Value;
import orrery.model.OrreryException;

/** The orders of strings that clients may ask for. */
final class CollationTest {
    private static MongoOrder order(String collation) {
        return Collation.order(Documents.of(collation));
    }

    private static int sign(MongoOrder order, Value left, Value right) {
        return Integer.signum(order.compare(left, right));
    }

    @ParameterizedTest
    @CsvSource({
        "1, a, A, 0",
        "1, a, á, 0",
        "1, a, b, -1",
        "2, a, A, 0",
        "2, a, á, -1",
        "3, a, A, -1",
        "3, A, b, -1",
        "3, a b, ab, -1",
        "1, a-b, ab, -1",
        "3, a10, a9, -1",
    })
    void strengthSaysWhatDiffers(int strength, String left, String right, int expected) {
        Value one = Value.of(left);
        Value other = Value.of(right);
        for (String locale : new String[] {"en", "en_US"}) {
            MongoOrder order = order("{'locale':'" + locale + "','strength':" + strength + "}");
            assertThat(sign(order, one, other)).isEqualTo(expected);
            assertThat(sign(order, other, one)).isEqualTo(-expected);
        }
    }

    @Test
    void theThirdStrengthIsTheDefault() {
        assertThat(order("{'locale':'en'}")).isSameAs(order("{'locale':'en','strength':3}"));
        assertThat(order("{'locale':'en','strength':2.0,'caseLevel':false}"))
                .isSameAs(order("{'locale':'en_US','strength':2}"));
        assertThat(order("{}")).isSameAs(MongoOrder.SIMPLE);
        assertThat(order("{'locale':'simple'}")).isSameAs(MongoOrder.SIMPLE);
    }

    /** Keys stand for strings in sorts and in groups. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    'a'          | 'A'
                    'a'          | 'B'
                    ''           | 'a'
                    're\u0301'   | 'r\u00e9'
                    '\u4e2d'     | '\ud83d\ude00'
                    {'x':['a']}  | {'x':['A']}
                    {'x':['a']}  | {'x':['b',1]}
                    ['a']        | ['A','b']
                    1            | 2
                    """)
    void keysCompareAsTheValuesDo(String left, String right) {
        Value one = Documents.value(left);
        Value other = Documents.value(right);
        for (int strength = 1; strength <= 3; strength++) {
            MongoOrder order = order("{'locale':'en','strength':" + strength + "}");
            assertThat(sign(MongoOrder.SIMPLE, order.key(one), order.key(other)))
                    .isEqualTo(sign(order, one, other));
        }
        assertThat(MongoOrder.SIMPLE.key(one)).isSameAs(one);
    }

    @Test
    void stringsAreFoundByTheirBytesWithoutACollationOnly() {
        MongoOrder english = order("{'locale':'en'}");
        for (String text : new String[] {"'a'", "['a']", "{'x':{'y':'a'}}"}) {
            assertThat(english.isByBytes(Documents.value(text))).as(text).isFalse();
            assertThat(MongoOrder.SIMPLE.isByBytes(Documents.value(text))).isTrue();
        }
        for (String other : new String[] {"1", "null", "[1,true]", "{'x':1}"}) {
            assertThat(english.isByBytes(Documents.value(other))).as(other).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    {'strength':1}                             | 40414 | locale
                    {'locale':1}                               | 14    | locale
                    {'locale':'fr'}                            | 2     | locale
                    {'locale':'en','strength':'1'}             | 14    | strength
                    {'locale':'en','strength':0}               | 2     | strength
                    {'locale':'en','strength':1.5}             | 2     | strength
                    {'locale':'en','strength':4}               | 2     | strength
                    {'locale':'en','strength':6}               | 2     | strength
                    {'locale':'en','caseLevel':true}           | 2     | caseLevel
                    {'locale':'en','caseLevel':1}              | 14    | caseLevel
                    {'locale':'en','numericOrdering':true}     | 2     | numericOrdering
                    {'locale':'en','alternate':'shifted'}      | 2     | alternate
                    {'locale':'en','caseFirst':'upper'}        | 2     | caseFirst
                    {'locale':'en','frob':1}                   | 40415 | collation.frob
                    {'locale':'simple','strength':1}           | 2     | simple
                    """)
    void othersAreRefusedByName(String collation, int code, String name) {
        assertThatThrownBy(() -> order(collation))
                .hasMessageContaining(name)
                .isInstanceOfSatisfying(
                        OrreryException.class,
                        refused -> assertThat(refused.languageCode()).hasValue(code));
    }
}
