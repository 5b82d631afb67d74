package orrery.frontend.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.document.edm.EdmValue;
import orrery.model.Bytes;
import orrery.query.table.TableFilter;
import orrery.query.table.TableFilter.Comparison;
import orrery.query.table.TableFilter.Operator;

class FilterParserTest {
    private static TableFilter comparison(String name, Operator operator, EdmValue constant) {
        return new Comparison(name, operator, constant);
    }

    private static TableFilter one(String name) {
        return comparison(name, Operator.EQ, new EdmValue.Int32(1));
    }

    @Test
    void readsEveryConstant() {
        assertThat(constant("'it''s'")).isEqualTo(new EdmValue.Text("it's"));
        assertThat(constant("''")).isEqualTo(new EdmValue.Text(""));
        assertThat(constant("'é\uD83D\uDE00'")).isEqualTo(new EdmValue.Text("é\uD83D\uDE00"));
        assertThat(constant("12")).isEqualTo(new EdmValue.Int32(12));
        assertThat(constant("-2147483648")).isEqualTo(new EdmValue.Int32(Integer.MIN_VALUE));
        assertThat(constant("2147483648")).isEqualTo(new EdmValue.Real(2147483648.0));
        assertThat(constant("9007199254740993")).isEqualTo(new EdmValue.Int64(9007199254740993L));
        assertThat(constant("12L")).isEqualTo(new EdmValue.Int64(12));
        assertThat(constant("-9223372036854775808l")).isEqualTo(new EdmValue.Int64(Long.MIN_VALUE));
        assertThat(constant("1.5")).isEqualTo(new EdmValue.Real(1.5));
        assertThat(constant("-1.0E3")).isEqualTo(new EdmValue.Real(-1000));
        assertThat(constant("1e-2")).isEqualTo(new EdmValue.Real(0.01));
        assertThat(constant("NaN")).isEqualTo(new EdmValue.Real(Double.NaN));
        assertThat(constant("INF")).isEqualTo(new EdmValue.Real(Double.POSITIVE_INFINITY));
        assertThat(constant("Infinity")).isEqualTo(new EdmValue.Real(Double.POSITIVE_INFINITY));
        assertThat(constant("-INF")).isEqualTo(new EdmValue.Real(Double.NEGATIVE_INFINITY));
        assertThat(constant("-Infinity")).isEqualTo(new EdmValue.Real(Double.NEGATIVE_INFINITY));
        assertThat(constant("true")).isEqualTo(new EdmValue.Bool(true));
        assertThat(constant("FALSE")).isEqualTo(new EdmValue.Bool(false));
        assertThat(constant("datetime'2026-01-02T03:04:05.678Z'"))
                .isEqualTo(new EdmValue.Moment(639029198456780000L));
        assertThat(constant("guid'A455c695-df98-5678-aaaa-81d3367e5a34'"))
                .isEqualTo(
                        new EdmValue.Guid(UUID.fromString("a455c695-df98-5678-aaaa-81d3367e5a34")));
        EdmValue bytes = new EdmValue.Binary(Bytes.ofHex("01ff"));
        assertThat(constant("X'01ff'")).isEqualTo(bytes);
        assertThat(constant("binary'01FF'")).isEqualTo(bytes);
    }

    private static EdmValue constant(String text) {
        Comparison left = (Comparison) FilterParser.parse("p eq " + text);
        Comparison right = (Comparison) FilterParser.parse(text + " eq p");
        assertThat(right).isEqualTo(left);
        return left.constant();
    }

    @Test
    void mirrorsComparisonsWithTheConstantInFront() {
        assertThat(FilterParser.parse("1 lt p"))
                .isEqualTo(comparison("p", Operator.GT, new EdmValue.Int32(1)));
        assertThat(FilterParser.parse("1 ge p"))
                .isEqualTo(comparison("p", Operator.LE, new EdmValue.Int32(1)));
        assertThat(FilterParser.parse("1 NE p"))
                .isEqualTo(comparison("p", Operator.NE, new EdmValue.Int32(1)));
    }

    @Test
    void bindsAndTighterThanOr() {
        assertThat(FilterParser.parse("a eq 1 or b eq 1 and c eq 1 Or not d eq 1"))
                .isEqualTo(
                        new TableFilter.Or(
                                List.of(
                                        one("a"),
                                        new TableFilter.And(List.of(one("b"), one("c"))),
                                        new TableFilter.Not(one("d")))));
        assertThat(FilterParser.parse("(a eq 1 or b eq 1) AND c eq 1"))
                .isEqualTo(
                        new TableFilter.And(
                                List.of(
                                        new TableFilter.Or(List.of(one("a"), one("b"))),
                                        one("c"))));
        assertThat(FilterParser.parse("((a eq 1))")).isEqualTo(one("a"));
    }

    @Test
    void takesPropertiesAndBooleansAsConditions() {
        assertThat(FilterParser.parse("ok")).isEqualTo(new TableFilter.Flag("ok"));
        assertThat(FilterParser.parse("not ok"))
                .isEqualTo(new TableFilter.Not(new TableFilter.Flag("ok")));
        assertThat(FilterParser.parse("true")).isEqualTo(new TableFilter.Constant(true));
    }

    @Test
    void namesMayLookLikeOperatorsAndHaveLettersOfAnyScript() {
        assertThat(FilterParser.parse("Mod eq 1")).isEqualTo(one("Mod"));
        assertThat(FilterParser.parse("le eq 1")).isEqualTo(one("le"));
        assertThat(FilterParser.parse("größe_1 eq 1")).isEqualTo(one("größe_1"));
        assertThat(FilterParser.parse("_x-y eq 1")).isEqualTo(one("_x-y"));
        assertThat(FilterParser.parse("order eq 1")).isEqualTo(one("order"));
        assertThat(FilterParser.parse("datetime eq 1")).isEqualTo(one("datetime"));
        assertThat(FilterParser.parse("NaN eq 1")).isEqualTo(one("NaN"));
        assertThat(FilterParser.parse("1 eq INF")).isEqualTo(one("INF"));
        assertThat(FilterParser.parse("INF")).isEqualTo(new TableFilter.Flag("INF"));
        assertThat(FilterParser.parse("INF eq NaN"))
                .isEqualTo(comparison("INF", Operator.EQ, new EdmValue.Real(Double.NaN)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    p eq                    | InvalidInput   | It ends where
                    p eq eq 1               | InvalidInput   | '1' is not expected at character 9
                    p = 1                   | InvalidInput   | '=' is not expected at character 3
                    p eq 'a                 | InvalidInput   | ''' is not expected at character 6
                    p eq 1 q eq 2           | InvalidInput   | 'q' is not expected at character 8
                    (p eq 1                 | InvalidInput   | It ends where
                    p eq 1)                 | InvalidInput   | ')' is not expected at character 7
                    'a'                     | InvalidInput   | The constant ''a'' at character 1
                    p eq 99999999999999999999 | InvalidInput | is not a number
                    p eq 1e400              | InvalidInput   | is not a number
                    p eq -1.5e9999          | InvalidInput   | is not a number
                    p eq datetime'soon'     | InvalidInput   | is not a DateTime
                    p eq guid'1-1-1-1-1'    | InvalidInput   | is not a Guid
                    p eq X'0'               | InvalidInput   | hexadecimal
                    p eq X'zz'              | InvalidInput   | hexadecimal
                    p eq datetime'1600-12-31T23:59:59Z' | OutOfRangeInput | 1601
                    p eq q                  | NotImplemented | two properties
                    1 eq 1                  | NotImplemented | two constants
                    p eq null               | NotImplemented | null
                    startswith(p, 'a')      | NotImplemented | 'startswith'
                    not substringof('a', p) | NotImplemented | 'substringof'
                    p add 1 eq 2            | NotImplemented | 'add'
                    p MOD 2 eq 0            | NotImplemented | 'mod'
                    """)
    void saysWhatIsWrongAndWhere(String text, String code, String reason) {
        TableException refusal =
                catchThrowableOfType(TableException.class, () -> FilterParser.parse(text));
        assertThat(refusal.code().text()).isEqualTo(code);
        assertThat(refusal.text()).contains(reason);
    }

    @Test
    void refusesWhatIsTooDeepOrTooLong() {
        String deep = "(".repeat(5000) + "p eq 1" + ")".repeat(5000);
        assertThat(refused(deep)).contains("nested too deeply");
        assertThat(refused("not ".repeat(5000) + "p eq 1")).contains("nested too deeply");
        assertThat(refused("p eq '" + "a".repeat(FilterParser.MAX_TEXT) + "'"))
                .contains("more than 65536 characters");
    }

    private static String refused(String text) {
        return catchThrowableOfType(TableException.class, () -> FilterParser.parse(text)).text();
    }
}
