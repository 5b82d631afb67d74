package orrery.query.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import orrery.document.Value;
import orrery.query.syntax.QueryParser;

/** The order of all values is total, and equality agrees with it. */
final class ValueOrderProperties {
    private static final ValueOrder ORDER = ValueOrder.INSTANCE;

    @Property(tries = 3000)
    void isTotal(@ForAll("values") Value a, @ForAll("values") Value b, @ForAll("values") Value c) {
        assertThat(ORDER.compare(a, a)).isZero();
        assertThat(Integer.signum(ORDER.compare(a, b)))
                .isEqualTo(-Integer.signum(ORDER.compare(b, a)));
        if (ORDER.compare(a, b) <= 0 && ORDER.compare(b, c) <= 0) {
            assertThat(ORDER.compare(a, c)).isLessThanOrEqualTo(0);
        }
        if (ORDER.compare(a, b) == 0) {
            assertThat(Integer.signum(ORDER.compare(a, c)))
                    .isEqualTo(Integer.signum(ORDER.compare(b, c)));
        }
    }

    @Property(tries = 3000)
    void equalityAgrees(@ForAll("values") Value a, @ForAll("values") Value b) {
        // NaN is equal to itself in the order only, also deep inside.
        if (!a.toString().contains("NaN")) {
            assertThat(ValueOrder.equal(a, b)).isEqualTo(ORDER.compare(a, b) == 0);
            assertThat(ValueOrder.equal(a, a)).isTrue();
        }
    }

    @Property(tries = 3000)
    void operatorsAgree(@ForAll("values") Value a, @ForAll("values") Value b) {
        Value less = evaluate("@a < @b", a, b);
        Value greater = evaluate("@a > @b", a, b);
        Value equal = evaluate("@a = @b", a, b);
        assertThat(less.isDefined()).isEqualTo(greater.isDefined());
        assertThat(equal.isDefined()).isEqualTo(a.isDefined() && b.isDefined());
        if (less.isDefined() && !(a + "" + b).contains("NaN")) {
            assertThat(List.of(less, greater, equal)).containsOnlyOnce(Value.of(true));
            assertThat(less).isEqualTo(Value.of(ORDER.compare(a, b) < 0));
            assertThat(evaluate("@a <= @b", a, b)).isEqualTo(evaluate("@a < @b OR @a = @b", a, b));
            assertThat(evaluate("@a BETWEEN @b AND @b", a, b)).isEqualTo(equal);
        }
        assertThat(evaluate("@a != @b", a, b)).isEqualTo(evaluate("NOT (@a = @b)", a, b));
        if (b.isDefined()) {
            assertThat(evaluate("@a IN (@b)", a, b)).isEqualTo(equal);
        }
    }

    @Test
    void typesAreInOrder() {
        List<Value> ascending =
                List.of(
                        Value.Undefined.UNDEFINED,
                        Value.Null.NULL,
                        Value.of(false),
                        Value.of(true),
                        new Value.Real(Double.NaN),
                        new Value.Real(Double.NEGATIVE_INFINITY),
                        Value.of(Long.MIN_VALUE),
                        Value.of(-0.5),
                        Value.of(0),
                        new Value.Real(Double.MIN_VALUE),
                        new Value.Real(0x1p53),
                        Value.of((1L << 53) + 1),
                        Value.of(Long.MAX_VALUE),
                        new Value.Real(0x1p63),
                        new Value.Real(Double.POSITIVE_INFINITY),
                        Value.of(""),
                        Value.of("A"),
                        Value.of("a"),
                        // By UTF-16 unit: a surrogate comes before U+FF21.
                        Value.of("\uD83D\uDE00"),
                        Value.of("\uFF21"),
                        new Value.Array(List.of()),
                        new Value.Array(List.of(Value.of(1))),
                        new Value.Array(List.of(Value.of(1), Value.of(0))),
                        new Value.Array(List.of(Value.of(2))),
                        new Value.Obj(Map.of()),
                        new Value.Obj(Map.of("a", Value.of(1))),
                        new Value.Obj(Map.of("a", Value.of(2))),
                        new Value.Obj(Map.of("b", Value.of(1))));
        for (int i = 0; i < ascending.size(); i++) {
            for (int j = 0; j < ascending.size(); j++) {
                assertThat(Integer.signum(ORDER.compare(ascending.get(i), ascending.get(j))))
                        .isEqualTo(Integer.compare(i, j));
            }
        }
    }

    private static Value evaluate(String expression, Value a, Value b) {
        return new Evaluator(Map.of("@a", a, "@b", b))
                .evaluate(QueryParser.scalar(expression, Set.of()), Bindings.empty());
    }

    @Provide
    Arbitrary<Value> values() {
        Arbitrary<Value> scalars =
                Arbitraries.oneOf(
                        Arbitraries.of(
                                Value.Undefined.UNDEFINED,
                                Value.Null.NULL,
                                Value.of(true),
                                Value.of(false),
                                new Value.Real(Double.NaN),
                                new Value.Real(Double.POSITIVE_INFINITY),
                                new Value.Real(-0.0),
                                Value.of(Long.MAX_VALUE),
                                Value.of(Long.MIN_VALUE),
                                new Value.Real(0x1p63),
                                new Value.Real(-0x1p63),
                                Value.of((1L << 53) + 1),
                                new Value.Real(0x1p53)),
                        Arbitraries.longs().between(-3, 3).map(Value::of),
                        Arbitraries.longs().map(Value::of),
                        Arbitraries.integers().between(-6, 6).map(i -> new Value.Real(i / 2.0)),
                        Arbitraries.doubles().map(Value.Real::new),
                        Arbitraries.strings()
                                .withChars("aAb\uD83D\uFF21")
                                .ofMaxLength(3)
                                .map(Value::of));
        return Arbitraries.lazyOf(
                () -> scalars,
                () -> scalars,
                () -> scalars,
                () -> values().list().ofMaxSize(2).map(Value.Array::new),
                () ->
                        Arbitraries.maps(Arbitraries.of("a", "b", "c"), values())
                                .ofMaxSize(2)
                                .map(Value.Obj::new));
    }
}
