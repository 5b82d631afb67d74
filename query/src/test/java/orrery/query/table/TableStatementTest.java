package orrery.query.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import orrery.document.edm.EdmValue;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.KeyComponent;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.query.table.TableFilter.Operator;

/** The payload and the limits of queries over tables, and the keys that they visit. */
final class TableStatementTest {
    private static final TableFilter TRUE = new TableFilter.Constant(true);

    private static TableFilter key(Operator operator, String text) {
        return new TableFilter.Comparison("PartitionKey", operator, new EdmValue.Text(text));
    }

    private static TableStatement statement(TableFilter filter) {
        return new TableStatement(filter, Optional.empty());
    }

    /** The example of docs/formats/messages.md. */
    @Test
    void thePayloadIsTheDocumentedOne() {
        TableStatement statement =
                new TableStatement(
                        new TableFilter.And(
                                List.of(
                                        key(Operator.EQ, "p"),
                                        new TableFilter.Not(new TableFilter.Flag("b")))),
                        Optional.of(List.of("n")));
        assertThat(statement.encoded().dialect()).isEqualTo("table");
        assertThat(statement.encoded().version()).isEqualTo(1);
        assertThat(statement.encoded().payload())
                .isEqualTo(
                        Bytes.ofHex(
                                "02020"
                                        + "10C506172746974696F6E4B657902455102060170"
                                        + "04050162"
                                        + "0101016E"));
    }

    @Test
    void largeFiltersAreRefused() {
        TableFilter widest =
                new TableFilter.Or(Collections.nCopies(TableStatement.MAX_COMPARISONS, TRUE));
        assertThat(TableDialect.INSTANCE.read(statement(widest).encoded().payload()))
                .isEqualTo(statement(widest));
        assertRefused(
                () -> statement(new TableFilter.And(List.of(widest, TRUE))),
                "The filter has 1001 comparisons, and 1000 are the most that are supported.");
        assertRefused(
                () -> new TableStatement(TRUE, Optional.of(Collections.nCopies(256, "a"))),
                "No more than 255 properties can be selected.");
    }

    private static TableFilter nested(int levels) {
        TableFilter filter = TRUE;
        for (int i = 1; i < levels; i++) {
            filter = new TableFilter.Not(filter);
        }
        return filter;
    }

    @Test
    void deepFiltersAreRefused() {
        TableStatement deepest = statement(nested(TableStatement.MAX_DEPTH));
        assertThat(TableDialect.INSTANCE.read(deepest.encoded().payload())).isEqualTo(deepest);
        assertRefused(
                () -> statement(nested(100_000)),
                "The filter is nested more than 200 levels deep.");
        BinaryWriter payload = new BinaryWriter();
        for (int i = 0; i < 100_000; i++) {
            payload.u8(4);
        }
        assertThatThrownBy(() -> TableDialect.INSTANCE.read(payload.toBytes()))
                .isInstanceOf(MalformedRecordException.class)
                .hasMessage("the filter is nested too deeply");
    }

    private static void assertRefused(Runnable made, String message) {
        assertThatThrownBy(made::run)
                .isInstanceOfSatisfying(
                        OrreryException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_REQUEST))
                .hasMessage(message);
    }

    private static Optional<List<String>> keys(TableFilter filter) {
        return TableKeys.of(filter, TableDefinition.PARTITION_KEY)
                .map(
                        keys ->
                                keys.stream()
                                        .map(PartitionKey::components)
                                        .map(List::getFirst)
                                        .map(each -> ((KeyComponent.Text) each).value())
                                        .toList());
    }

    @Test
    void aFilterOnThePartitionKeyVisitsItsKeys() {
        TableFilter other = new TableFilter.Comparison("n", Operator.GT, new EdmValue.Int32(1));
        assertThat(keys(TRUE)).isEmpty();
        assertThat(keys(key(Operator.EQ, "a"))).contains(List.of("a"));
        assertThat(keys(key(Operator.EQ, ""))).contains(List.of(""));
        assertThat(keys(key(Operator.GE, "a"))).isEmpty();
        assertThat(keys(new TableFilter.And(List.of(other, key(Operator.EQ, "a")))))
                .contains(List.of("a"));
        assertThat(keys(new TableFilter.Or(List.of(other, key(Operator.EQ, "a"))))).isEmpty();
        assertThat(
                        keys(
                                new TableFilter.Or(
                                        List.of(
                                                key(Operator.EQ, "a"),
                                                new TableFilter.And(
                                                        List.of(key(Operator.EQ, "b"), other))))))
                .contains(List.of("a", "b"));
        assertThat(keys(new TableFilter.And(List.of(key(Operator.EQ, "a"), key(Operator.EQ, "b")))))
                .contains(List.of());
        assertThat(keys(new TableFilter.Not(key(Operator.NE, "a")))).contains(List.of("a"));
        assertThat(keys(new TableFilter.Not(key(Operator.EQ, "a")))).isEmpty();
        assertThat(keys(new TableFilter.Constant(false))).contains(List.of());
        assertThat(
                        keys(
                                new TableFilter.Comparison(
                                        "PartitionKey", Operator.EQ, new EdmValue.Int32(1))))
                .contains(List.of());
    }
}
