package orrery.frontend.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import orrery.document.edm.EdmValue;
import orrery.query.table.TableFilter;
import orrery.query.table.TableFilter.Operator;

class FilterParserProperties {
    @Provide
    Arbitrary<TableFilter> filters() {
        return filters(3);
    }

    private static Arbitrary<TableFilter> filters(int depth) {
        Arbitrary<String> names =
                Arbitraries.of("PartitionKey", "RowKey", "Timestamp", "a", "_b-c");
        Arbitrary<TableFilter> leaf =
                Arbitraries.oneOf(
                        Combinators.combine(
                                        names,
                                        Arbitraries.of(Operator.class),
                                        EntityArbitraries.values())
                                .as(TableFilter.Comparison::new),
                        names.map(TableFilter.Flag::new));
        if (depth == 0) {
            return leaf;
        }
        Arbitrary<TableFilter> inner = filters(depth - 1);
        return Arbitraries.oneOf(
                leaf,
                inner.map(TableFilter.Not::new),
                inner.list().ofMinSize(2).ofMaxSize(3).map(FilterParserProperties::and),
                inner.list().ofMinSize(2).ofMaxSize(3).map(FilterParserProperties::or));
    }

    private static TableFilter and(List<TableFilter> all) {
        return new TableFilter.And(all);
    }

    private static TableFilter or(List<TableFilter> any) {
        return new TableFilter.Or(any);
    }

    /** With parentheses around everything, so that nothing depends on precedence. */
    private static String print(TableFilter filter) {
        return switch (filter) {
            case TableFilter.Comparison(String name, Operator operator, EdmValue constant) ->
                    name
                            + " "
                            + operator.name().toLowerCase(Locale.ROOT)
                            + " "
                            + EntityArbitraries.literal(constant);
            case TableFilter.And(var all) ->
                    all.stream()
                            .map(each -> "(" + print(each) + ")")
                            .collect(Collectors.joining(" and "));
            case TableFilter.Or(var any) ->
                    any.stream()
                            .map(each -> "(" + print(each) + ")")
                            .collect(Collectors.joining(" or "));
            case TableFilter.Not(TableFilter inner) -> "not (" + print(inner) + ")";
            case TableFilter.Flag(String name) -> name;
            case TableFilter.Constant(boolean value) -> Boolean.toString(value);
        };
    }

    @Property(tries = 200)
    void readsWhatItSays(@ForAll("filters") TableFilter filter) {
        assertThat(FilterParser.parse(print(filter))).isEqualTo(filter);
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.oneOf(
                Arbitraries.of(
                                "a",
                                "eq",
                                "and",
                                "or",
                                "not",
                                "(",
                                ")",
                                "'x'",
                                "1",
                                "1.5",
                                "L",
                                "datetime'",
                                "guid'",
                                "X'0'",
                                "true",
                                "null",
                                "NaN",
                                "-INF",
                                "''",
                                "'",
                                "add",
                                ",",
                                "$",
                                "startswith",
                                "\uD800")
                        .list()
                        .ofMaxSize(12)
                        .map(words -> String.join(" ", words)),
                Arbitraries.strings().ofMaxLength(20));
    }

    @Property(tries = 500)
    void answersEveryText(@ForAll("texts") String text) {
        try {
            assertThat(FilterParser.parse(text)).isNotNull();
        } catch (TableException refusal) {
            assertThat(refusal.code().status()).isIn(400, 501);
        }
    }
}
