package orrery.query.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.document.edm.EdmValue;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition.Geospatial;
import orrery.model.ContainerKind;
import orrery.model.ErrorCode;
import orrery.model.IndexingPolicy;
import orrery.model.OrreryException;
import orrery.query.evaluate.ComputedProperties;
import orrery.query.table.TableDefinition;
import orrery.query.table.TableFilter;
import orrery.query.table.TableFilter.Operator;
import orrery.query.table.TableStatement;

/** Pages over tables read about what they return. */
final class TablePageTest {
    private static final int KEYS = 10;
    private static final int ROWS = 100;
    private static final PageLimits TEN = PageLimits.of(10, 4 << 20);
    private static final PageLimits ALL = PageLimits.of(10_000, 4 << 20);
    private static final TableFilter EVERYTHING = new TableFilter.Constant(true);

    private final MemoryItems items = items(TableDefinition.INDEXING);

    private static MemoryItems items(IndexingPolicy policy) {
        return new MemoryItems(
                policy, Geospatial.GEOGRAPHY, ComputedProperties.NONE, ContainerKind.TABLE);
    }

    /** Ten partition keys of a hundred rows each, in an order that is not that of the keys. */
    @BeforeEach
    void fill() {
        fill(items);
    }

    private static void fill(MemoryItems items) {
        for (int row = ROWS - 1; row >= 0; row--) {
            for (int key = 0; key < KEYS; key++) {
                int number = key * ROWS + row;
                items.add(
                        """
                        {"id":"r%02d","$id":"r%02d","$pk":"p%d","n":{"$t":16,"$v":%d},\
                        "big":{"$t":18,"$v":"%s"},"even":{"$t":8,"$v":%b}}"""
                                .formatted(
                                        row,
                                        row,
                                        key,
                                        number,
                                        text(new EdmValue.Int64(number - 500)),
                                        number % 2 == 0));
            }
        }
    }

    private static String text(EdmValue value) {
        return value.content() instanceof Value.Text(String text) ? text : "";
    }

    private static TableFilter compare(String property, Operator operator, EdmValue constant) {
        return new TableFilter.Comparison(property, operator, constant);
    }

    private static TableFilter key(Operator operator, String constant) {
        return compare("PartitionKey", operator, new EdmValue.Text(constant));
    }

    private static TableFilter row(Operator operator, String constant) {
        return compare("RowKey", operator, new EdmValue.Text(constant));
    }

    private static TableFilter and(TableFilter... conditions) {
        return new TableFilter.And(List.of(conditions));
    }

    private static TableFilter or(TableFilter... conditions) {
        return new TableFilter.Or(List.of(conditions));
    }

    private static TableStatement all(TableFilter filter) {
        return new TableStatement(filter, Optional.empty());
    }

    private QueryResult page(TableFilter filter, PageLimits limits) {
        return items.find(all(filter), limits, Optional.empty());
    }

    /** Every match is read, and nothing else. */
    private void assertExact(TableFilter filter, int matches) {
        QueryResult page = page(filter, ALL);
        assertThat(page.rows()).hasSize(matches);
        assertThat(page.metrics().documents()).as(filter.toString()).isEqualTo(matches);
    }

    @Test
    void everyPageOfAScanCostsAPage() {
        List<String> keys = new ArrayList<>();
        Optional<Bytes> token = Optional.empty();
        do {
            QueryResult page = items.find(all(EVERYTHING), TEN, token);
            assertThat(page.metrics().documents()).isLessThanOrEqualTo(11);
            assertThat(page.metrics().entries()).isLessThanOrEqualTo(13);
            page.rows().forEach(each -> keys.add(keys(each)));
            token = page.next();
        } while (token.isPresent());
        assertThat(keys)
                .isEqualTo(
                        IntStream.range(0, KEYS * ROWS)
                                .mapToObj(i -> "p%d r%02d".formatted(i / ROWS, i % ROWS))
                                .toList());
    }

    private static String keys(Bytes row) {
        Value.Obj item = (Value.Obj) JsonText.parse(row);
        return item.properties().get("$pk") instanceof Value.Text(String pk)
                        && item.properties().get("$id") instanceof Value.Text(String id)
                ? pk + " " + id
                : item.toString();
    }

    @Test
    void aRangeOfKeysBoundsTheWalk() {
        for (TableFilter filter :
                List.of(
                        and(key(Operator.GE, "p5"), key(Operator.LT, "p6")),
                        key(Operator.GT, "p4"),
                        new TableFilter.Not(key(Operator.LE, "p4")),
                        and(key(Operator.EQ, "p5"), row(Operator.GE, "r")),
                        and(key(Operator.GT, "p4"), compare("even", Operator.EQ, TRUE)))) {
            QueryResult page = page(filter, TEN);
            assertThat(keys(page.rows().getFirst())).isEqualTo("p5 r00");
            assertThat(page.metrics().documents()).as(filter.toString()).isLessThanOrEqualTo(11);
            assertThat(page.metrics().entries()).as(filter.toString()).isLessThanOrEqualTo(100);
        }
    }

    private static final EdmValue TRUE = new EdmValue.Bool(true);

    @Test
    void aRangeOfRowsCostsWhatItReturns() {
        assertExact(
                and(key(Operator.EQ, "p3"), row(Operator.GT, "r50"), row(Operator.LE, "r55")), 5);
        assertExact(and(key(Operator.EQ, "p3"), row(Operator.LT, "r05")), 5);
        assertExact(and(key(Operator.EQ, "p3"), row(Operator.EQ, "r05")), 1);
        assertExact(row(Operator.EQ, "r05"), KEYS);
        assertExact(
                or(
                        and(key(Operator.EQ, "p1"), row(Operator.LT, "r03")),
                        and(key(Operator.EQ, "p8"), row(Operator.GE, "r98"))),
                5);
    }

    @Test
    void whatNeverMatchesReadsNothing() {
        assertExact(compare("PartitionKey", Operator.EQ, new EdmValue.Int32(1)), 0);
        assertExact(and(key(Operator.EQ, "p1"), key(Operator.EQ, "p2")), 0);
        assertExact(compare("none", Operator.NE, new EdmValue.Int32(1)), 0);
    }

    @Test
    void aSelectiveFilterTakesTheIndexOfItsProperty() {
        TableFilter one = compare("n", Operator.EQ, new EdmValue.Real(321));
        assertExact(one, 1);
        assertExact(and(key(Operator.EQ, "p3"), one), 1);
        assertExact(and(key(Operator.EQ, "p3"), row(Operator.GE, ""), one), 1);
        assertExact(and(key(Operator.GE, "p3"), row(Operator.GE, "r2"), one), 1);
        assertExact(
                and(
                        compare("n", Operator.GE, new EdmValue.Int32(990)),
                        compare("even", Operator.EQ, TRUE)),
                5);
    }

    /** The texts of negative numbers sort the other way round. */
    @Test
    void rangesOfInt64ReadNothingElse() {
        assertExact(compare("big", Operator.LT, new EdmValue.Int64(-495)), 5);
        assertExact(compare("big", Operator.GT, new EdmValue.Int64(495)), 4);
        assertExact(
                and(
                        compare("big", Operator.GE, new EdmValue.Int64(-2)),
                        compare("big", Operator.LE, new EdmValue.Int64(2))),
                5);
        assertExact(compare("big", Operator.EQ, new EdmValue.Int32(1)), 0);
    }

    /** Many match nothing here: a page ends early, and the next goes on. */
    @Test
    void pagesEndEarlyWhereLittleMatches() {
        TableFilter odd =
                and(
                        key(Operator.GE, "p1"),
                        new TableFilter.Not(compare("n", Operator.LT, new EdmValue.Int32(995))));
        PageLimits few = new PageLimits(10, 4 << 20, 50, 50, Duration.ofHours(1));
        List<String> rows = new ArrayList<>();
        Optional<Bytes> token = Optional.empty();
        int pages = 0;
        do {
            QueryResult page = items.find(all(odd), few, token);
            assertThat(page.metrics().documents()).isLessThanOrEqualTo(60);
            page.rows().forEach(each -> rows.add(keys(each)));
            token = page.next();
            pages++;
        } while (token.isPresent());
        assertThat(rows).containsExactly("p9 r95", "p9 r96", "p9 r97", "p9 r98", "p9 r99");
        assertThat(pages).isBetween(10, 40);
    }

    @Test
    void selectedPropertiesTravelAlone() {
        TableStatement one =
                new TableStatement(
                        and(key(Operator.EQ, "p3"), row(Operator.EQ, "r07")),
                        Optional.of(List.of("n", "Timestamp", "PartitionKey", "missing")));
        assertThat(items.find(one, ALL).getFirst())
                .startsWith(
                        "{\"$pk\":\"p3\",\"$id\":\"r07\",\"n\":{\"$t\":16,\"$v\":307},\"_etag\":\"")
                .hasSizeLessThan(110);
    }

    @Test
    void itemsWithoutKeysAreNoEntities() {
        items.add("{\"id\":\"x\",\"n\":{\"$t\":16,\"$v\":321}}");
        items.add("{\"id\":\"x\",\"$pk\":\"p3\",\"n\":{\"$t\":16,\"$v\":321}}");
        items.add("{\"id\":\"x\",\"$pk\":5,\"$id\":\"x\",\"n\":{\"$t\":16,\"$v\":321}}");
        assertThat(items.find(all(compare("n", Operator.EQ, new EdmValue.Int32(321))), ALL))
                .hasSize(1);
        assertThat(items.find(all(EVERYTHING), ALL)).hasSize(KEYS * ROWS);
    }

    /** Somebody may take the index away through SQL. */
    @Test
    void withoutItsIndexAPageIsSortedOrRefused() {
        MemoryItems plain = items(IndexingPolicy.DEFAULT);
        fill(plain);
        List<String> rows = plain.find(all(key(Operator.EQ, "p3")), TEN);
        assertThat(rows).hasSize(ROWS);
        assertThat(keys(Bytes.ofUtf8(rows.get(42)))).isEqualTo("p3 r42");
        PageLimits late = new PageLimits(10, 4 << 20, 5000, 5000, Duration.ofNanos(-1));
        assertThatThrownBy(() -> plain.find(all(EVERYTHING), late))
                .isInstanceOfSatisfying(
                        OrreryException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_REQUEST))
                .hasMessageContaining("must sort more items than one page can read");
    }
}
