package orrery.query.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.edm.EdmValue;
import orrery.model.Bytes;
import orrery.query.dialect.Effort;
import orrery.query.table.TableFilter.Operator;

/** A filter rules out some entities by their text alone. Properties show that it is right. */
final class StoredFilterTest {
    private static final String ENTITY =
            """
            {"id":"r","$id":"r","$pk":"p","n":{"$t":16,"$v":-5},"d":{"$t":1,"$v":2.5},\
            "inf":{"$t":1,"$v":"Infinity"},"big":{"$t":18,"$v":"00000000000000000007"},\
            "at":{"$t":9,"$v":"00630000000000000000"},"s":{"$t":2,"$v":"text"},\
            "b":{"$t":8,"$v":true},"odd":{"$v":1,"$t":16},"plain":3,"esc":{"$t":2,"$v":"a\\nb"},\
            "g":{"$t":0,"$v":"00000000-0000-0000-0000-000000000001"}}""";

    private static TableFilter compare(String property, Operator operator, EdmValue constant) {
        return new TableFilter.Comparison(property, operator, constant);
    }

    private static boolean mayMatch(TableFilter filter, String body) {
        return new StoredFilter(filter).look().mayMatch(Bytes.ofUtf8(body), new Effort());
    }

    private static boolean mayMatch(TableFilter filter) {
        return mayMatch(filter, ENTITY);
    }

    @ParameterizedTest
    @CsvSource({"n,EQ,-5", "n,LT,0", "d,GT,2", "inf,GT,7", "d,NE,3"})
    void whatMatchesIsRead(String property, Operator operator, int constant) {
        assertThat(mayMatch(compare(property, operator, new EdmValue.Int32(constant)))).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"n,GT,0", "d,EQ,2", "inf,LT,7", "s,EQ,1", "big,EQ,7", "missing,NE,1"})
    void numbersThatDoNotMatchAreNotRead(String property, Operator operator, int constant) {
        assertThat(mayMatch(compare(property, operator, new EdmValue.Int32(constant)))).isFalse();
    }

    @Test
    void otherTypesThatDoNotMatchAreNotRead() {
        assertThat(mayMatch(compare("PartitionKey", Operator.NE, new EdmValue.Text("p"))))
                .isFalse();
        assertThat(mayMatch(compare("RowKey", Operator.GT, new EdmValue.Text("s")))).isFalse();
        assertThat(mayMatch(compare("s", Operator.LT, new EdmValue.Text("t")))).isFalse();
        assertThat(mayMatch(compare("big", Operator.NE, new EdmValue.Int64(7)))).isFalse();
        assertThat(mayMatch(compare("at", Operator.EQ, new EdmValue.Moment(1)))).isFalse();
        assertThat(mayMatch(compare("b", Operator.EQ, new EdmValue.Bool(false)))).isFalse();
        assertThat(mayMatch(new TableFilter.Flag("n"))).isFalse();
        assertThat(mayMatch(new TableFilter.Not(new TableFilter.Flag("b")))).isFalse();
    }

    /** A comparison with a content that is none of its type is false, whichever it is. */
    @Test
    void aContentOfAnotherTypeIsRead() {
        TableFilter unequal = compare("s", Operator.NE, new EdmValue.Text("a"));
        String body = "{\"s\":{\"$t\":2,\"$v\":5}}";

        assertThat(mayMatch(unequal, body)).isTrue();
        assertThat(mayMatch(new TableFilter.Not(unequal), body)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"odd", "plain", "esc"})
    void whatNoTableHasWrittenSoIsRead(String property) {
        assertThat(mayMatch(compare(property, Operator.EQ, new EdmValue.Text("other")))).isTrue();
    }

    @Test
    void whatTheTextDoesNotSayIsRead() {
        assertThat(mayMatch(compare("Timestamp", Operator.EQ, new EdmValue.Moment(1)))).isTrue();
        assertThat(mayMatch(compare("g", Operator.EQ, new EdmValue.Guid(new UUID(0, 2))))).isTrue();
        assertThat(mayMatch(new TableFilter.Flag("c"), "{\"\\u0063\":{\"$t\":8,\"$v\":true}}"))
                .isTrue();
    }

    @Test
    void oneConditionDecidesWhateverTheOthersSay() {
        TableFilter open = compare("Timestamp", Operator.EQ, new EdmValue.Moment(1));
        TableFilter wrong = new TableFilter.Flag("missing");

        assertThat(mayMatch(new TableFilter.And(List.of(open, wrong)))).isFalse();
        assertThat(mayMatch(new TableFilter.Or(List.of(open, wrong)))).isTrue();
        assertThat(mayMatch(new TableFilter.Or(List.of(wrong, wrong)))).isFalse();
        assertThat(mayMatch(new TableFilter.Not(open))).isTrue();
    }

    @Test
    void onlyWhatIsNotReadIsCounted() {
        Effort effort = new Effort();
        StoredFilter.Look look = new StoredFilter(new TableFilter.Flag("b")).look();

        assertThat(look.mayMatch(Bytes.ofUtf8(ENTITY), effort)).isTrue();
        assertThat(effort.steps()).isZero();
        assertThat(look.mayMatch(Bytes.ofUtf8("{\"id\":\"r\"}"), effort)).isFalse();
        assertThat(effort.steps()).isEqualTo(1);
    }
}
