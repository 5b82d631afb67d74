package orrery.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import orrery.model.Bytes;
import orrery.model.TermRules;

final class IndexValueProperties {
    @Property(tries = 5000)
    void bytesSortAsNumbersDo(@ForAll("numbers") Value left, @ForAll("numbers") Value right) {
        assertThat(
                        Integer.signum(
                                IndexValue.encode(left, TermRules.FIRST)
                                        .compareTo(IndexValue.encode(right, TermRules.FIRST))))
                .isEqualTo(left.toDecimal().compareTo(right.toDecimal()));
    }

    @Property(tries = 3000)
    void neighboursOfIntegersSortExactly(@ForAll("integers") long number) {
        Bytes bytes = IndexValue.encode(Value.of(number), TermRules.FIRST);
        if (number < Long.MAX_VALUE) {
            assertThat(bytes).isLessThan(IndexValue.encode(Value.of(number + 1), TermRules.FIRST));
        }
        Value asDouble = Value.of((double) number);
        assertThat(Integer.signum(bytes.compareTo(IndexValue.encode(asDouble, TermRules.FIRST))))
                .isEqualTo(BigDecimal.valueOf(number).compareTo(asDouble.toDecimal()));
    }

    @Property(tries = 3000)
    void bytesSortAsDecimalsDo(
            @ForAll("decimals") BigDecimal left, @ForAll("decimals") BigDecimal right) {
        BsonValue.Decimal first = BsonValue.Decimal.nearest(left);
        BsonValue.Decimal second = BsonValue.Decimal.nearest(right);
        assertThat(
                        Integer.signum(
                                IndexValue.encode(first, TermRules.FIRST)
                                        .compareTo(IndexValue.encode(second, TermRules.FIRST))))
                .isEqualTo(first.toBigDecimal().compareTo(second.toBigDecimal()));
    }

    @Property(tries = 3000)
    void decimalsSortExactlyAmongOtherNumbers(
            @ForAll("decimals") BigDecimal left, @ForAll("numbers") Value right) {
        BsonValue.Decimal decimal = BsonValue.Decimal.nearest(left);
        assertThat(
                        Integer.signum(
                                IndexValue.encode(decimal, TermRules.FIRST)
                                        .compareTo(IndexValue.encode(right, TermRules.FIRST))))
                .isEqualTo(decimal.toBigDecimal().compareTo(right.toDecimal()));
    }

    @Property(tries = 2000)
    void decimalsComeBackFromTheirBytes(@ForAll("decimals") BigDecimal number) {
        BsonValue.Decimal decimal = BsonValue.Decimal.nearest(number);
        Bytes bytes = IndexValue.encode(decimal, TermRules.FIRST);
        assertThat(bytes.length()).isLessThan(40);
        assertThat(IndexValue.encode(IndexValue.decode(bytes).value(), TermRules.FIRST))
                .isEqualTo(bytes);
    }

    @Property(tries = 5000)
    void bytesSortAsStringsDo(@ForAll("texts") Value left, @ForAll("texts") Value right) {
        Bytes leftBytes = IndexValue.encode(left, TermRules.FIRST);
        Bytes rightBytes = IndexValue.encode(right, TermRules.FIRST);
        int expected =
                Integer.signum(((Value.Text) left).value().compareTo(((Value.Text) right).value()));
        int order = Integer.signum(leftBytes.compareTo(rightBytes));
        boolean isCut =
                !IndexValue.decode(leftBytes).isExact() && !IndexValue.decode(rightBytes).isExact();
        // Two strings that were both cut may look equal; never the wrong way round.
        assertThat(order).isIn(expected, isCut ? 0 : expected);
    }

    @Property
    void typesSortInTheirOrder(@ForAll("values") Value left, @ForAll("values") Value right) {
        int order = Integer.compare(rank(left), rank(right));
        if (order != 0) {
            assertThat(
                            Integer.signum(
                                    IndexValue.encode(left, TermRules.FIRST)
                                            .compareTo(IndexValue.encode(right, TermRules.FIRST))))
                    .isEqualTo(order);
        }
    }

    private static int rank(Value value) {
        return switch (value) {
            case BsonValue.MinKey _ -> 0;
            case Value.Undefined _ -> 1;
            case BsonValue.Undef _ -> 2;
            case Value.Null _ -> 3;
            case Value.Bool(boolean truth) -> truth ? 5 : 4;
            case Value.Int _, Value.Real _, BsonValue.Int64 _, BsonValue.Decimal _ -> 6;
            case Value.Text _, BsonValue.Symbol _ -> 7;
            case Value.Array _ -> 8;
            case Value.Obj _ -> 9;
            case BsonValue.Binary _ -> 10;
            case BsonValue.ObjectId _ -> 11;
            case BsonValue.DateTime _ -> 12;
            case BsonValue.Timestamp _ -> 13;
            case BsonValue.Regex _ -> 14;
            case BsonValue.Pointer _ -> 15;
            case BsonValue.Code _ -> 16;
            case BsonValue.ScopedCode _ -> 17;
            case BsonValue.MaxKey _ -> 18;
        };
    }

    @Property(tries = 3000)
    void whatIsKeptWholeIsCutToWhatTheIndexHas(
            @ForAll("values") Value value,
            @ForAll("values") Value next,
            @ForAll boolean isFlipped,
            @ForAll @IntRange(min = 1, max = 300) int textBytes) {
        TermRules rules = new TermRules(textBytes, TermRules.FIRST.cells());
        ByteSink whole = new ByteSink();
        whole.put(IndexValue.encodeWhole(value));
        int end = whole.length();
        whole.put(IndexValue.encodeWhole(next));
        ByteSink expected = new ByteSink();
        expected.put(IndexValue.encode(value, rules));
        if (isFlipped) {
            whole.complementFrom(0);
            expected.complementFrom(0);
        }
        ByteSink cut = new ByteSink();
        assertThat(IndexValue.putShortened(whole.toArray(), 0, isFlipped, rules, cut))
                .isEqualTo(end);
        assertThat(cut.toBytes()).isEqualTo(expected.toBytes());
        assertThat(IndexValue.end(cut.toArray(), 0, isFlipped)).isEqualTo(cut.length());
        assertThat(IndexValue.isCut(cut.toArray(), 0, cut.length(), isFlipped))
                .isEqualTo(cut.length() < end);
    }

    @Property(tries = 3000)
    void wholeStringsSortAsTheyDo(@ForAll("texts") Value left, @ForAll("texts") Value right) {
        int order = IndexValue.encodeWhole(left).compareTo(IndexValue.encodeWhole(right));
        assertThat(Integer.signum(order))
                .isEqualTo(
                        Integer.signum(
                                ((Value.Text) left)
                                        .value()
                                        .compareTo(((Value.Text) right).value())));
    }

    @Property(tries = 3000)
    void decodesWhatItEncoded(@ForAll("values") Value value, @ForAll("values") Value next) {
        ByteSink out = new ByteSink();
        out.put(IndexValue.encode(value, TermRules.FIRST));
        int end = out.length();
        out.put(IndexValue.encode(next, TermRules.FIRST));
        IndexValue.Decoded decoded = IndexValue.decode(out.toArray(), 0);
        assertThat(decoded.end()).isEqualTo(end);
        assertThat(IndexValue.end(out.toArray(), 0, false)).isEqualTo(end);
        switch (value) {
            case Value.Text(String text) when !decoded.isExact() ->
                    assertThat(text).startsWith(((Value.Text) decoded.value()).value());
            case Value.Array(var elements) ->
                    assertThat(decoded.isExact()).isEqualTo(elements.isEmpty());
            case Value.Obj(var properties) ->
                    assertThat(decoded.isExact()).isEqualTo(properties.isEmpty());
            // Numbers and strings come back in the kind that JSON has for them.
            case BsonValue.Int64 _, BsonValue.Decimal _, BsonValue.Symbol _, Value.Real _ -> {
                if (decoded.isExact()) {
                    assertThat(IndexValue.encode(decoded.value(), TermRules.FIRST))
                            .isEqualTo(IndexValue.encode(value, TermRules.FIRST));
                }
            }
            default -> {
                if (decoded.isExact()) {
                    assertThat(decoded.value()).isEqualTo(value);
                }
            }
        }
    }

    @Provide
    Arbitrary<Value> numbers() {
        return Samples.numbers();
    }

    @Provide
    Arbitrary<Long> integers() {
        return Samples.numbers()
                .filter(Value.Int.class::isInstance)
                .map(number -> ((Value.Int) number).value());
    }

    @Provide
    Arbitrary<BigDecimal> decimals() {
        Arbitrary<BigInteger> digits =
                Arbitraries.bigIntegers()
                        .between(BigInteger.TEN.pow(34).negate(), BigInteger.TEN.pow(34));
        Arbitrary<BigDecimal> wide =
                Combinators.combine(digits, Arbitraries.integers().between(-6100, 6100))
                        .as(BigDecimal::new);
        Arbitrary<BigDecimal> close =
                Combinators.combine(
                                Samples.numbers(),
                                Arbitraries.bigDecimals()
                                        .between(BigDecimal.valueOf(-2), BigDecimal.valueOf(2))
                                        .ofScale(33))
                        .as((number, step) -> number.toDecimal().add(step));
        Arbitrary<BigDecimal> ordinary =
                Combinators.combine(digits, Arbitraries.integers().between(20, 45))
                        .as(BigDecimal::new);
        return Arbitraries.oneOf(wide, close, ordinary);
    }

    @Provide
    Arbitrary<Value> texts() {
        return Samples.texts();
    }

    @Provide
    Arbitrary<Value> values() {
        return Arbitraries.oneOf(
                Samples.values(1),
                Arbitraries.just(Value.Undefined.UNDEFINED),
                BsonSamples.values(1));
    }
}
