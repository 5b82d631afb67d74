package orrery.document;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.Encoding;

/** A document that came in JSON keeps the widths of the numbers it replaces, if they are equal. */
final class NumberWidthsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "an int32 stays | 5 | 5 | 5",
                "an int64 | {'$numberLong':'5'} | 5 | {'$numberLong':'5'}",
                "a double | {'$numberDouble':'5.0'} | 5 | {'$numberDouble':'5.0'}",
                "a double in another notation | {'$numberDouble':'5.0'} | 5.0 |"
                        + " {'$numberDouble':'5.0'}",
                "a double beyond 53 bits | {'$numberDouble':'1e18'} | 1000000000000000000 |"
                        + " {'$numberDouble':'1e18'}",
                "its neighbour is another number | {'$numberDouble':'1e18'} |"
                        + " 1000000000000000001 | {'$numberLong':'1000000000000000001'}",
                "a negative zero | {'$numberDouble':'-0.0'} | 0 | {'$numberDouble':'-0.0'}",
                "a changed number | {'$numberLong':'5'} | 6 | 6",
                "a decimal has a form of its own | {'$numberDecimal':'5'} | 5 | 5",
                "a form says the width | {'$numberDouble':'5.0'} | {'$numberLong':'5'} |"
                        + " {'$numberLong':'5'}",
                "inside of objects | {'a':{'$numberLong':'5'},'b':1} | {'b':1,'a':5} |"
                        + " {'b':1,'a':{'$numberLong':'5'}}",
                "elements by their place | [{'$numberLong':'1'},{'$numberLong':'2'}] | [1,3,2] |"
                        + " [{'$numberLong':'1'},3,2]",
                "another kind of value | {'a':{'$numberLong':'5'}} | [5] | [5]",
                "nothing was there | 'x' | {'a':5} | {'a':5}"
            })
    void ofOneProperty(String what, String stored, String sent, String expected) {
        assertThat(NumberWidths.kept(document(stored), document(sent)))
                .as(what)
                .isEqualTo(document(expected));
    }

    private static Value.Obj document(String value) {
        String json = "{\"v\":" + value.replace('\'', '"') + "}";
        BodyFormat bson = BodyFormat.of(Encoding.BSON);
        return bson.value(bson.show(Body.json(Bytes.ofUtf8(json))));
    }
}
