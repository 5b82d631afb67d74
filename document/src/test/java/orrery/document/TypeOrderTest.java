package orrery.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import orrery.model.Bytes;
import orrery.model.TermRules;
import orrery.model.codec.MalformedRecordException;

final class TypeOrderTest {
    private static final BsonValue.ObjectId ID = new BsonValue.ObjectId(Bytes.wrap(new byte[12]));

    /** One value of each type or more, in MongoDB's order. */
    private static final List<Value> SORTED =
            List.of(
                    BsonValue.MinKey.MIN_KEY,
                    Value.Undefined.UNDEFINED,
                    BsonValue.Undef.UNDEF,
                    Value.Null.NULL,
                    new Value.Real(Double.NaN),
                    new Value.Real(Double.NEGATIVE_INFINITY),
                    Value.of(-5),
                    BsonValue.Decimal.parse("-4.9").orElseThrow(),
                    Value.of(1),
                    new BsonValue.Int64(2),
                    BsonValue.Decimal.parse("1E+400").orElseThrow(),
                    new Value.Real(Double.POSITIVE_INFINITY),
                    Value.of("a"),
                    new BsonValue.Symbol("b"),
                    new Value.Obj(Map.of()),
                    new Value.Array(List.of()),
                    new BsonValue.Binary(0, Bytes.ofHex("FF")),
                    new BsonValue.Binary(0, Bytes.ofHex("0000")),
                    ID,
                    Value.of(false),
                    Value.of(true),
                    new BsonValue.DateTime(-1),
                    new BsonValue.DateTime(1),
                    new BsonValue.Timestamp(1, 2),
                    new BsonValue.Timestamp(-1, 0),
                    new BsonValue.Regex("a", "i"),
                    new BsonValue.Pointer("a", ID),
                    new BsonValue.Code("a"),
                    new BsonValue.ScopedCode("a", new Value.Obj(Map.of())),
                    BsonValue.MaxKey.MAX_KEY);

    @Test
    void mongoSortsInItsOwnOrder() {
        List<Bytes> expected = SORTED.stream().map(TypeOrderTest::encoded).toList();
        List<Bytes> sorted = new ArrayList<>(expected);
        Collections.shuffle(sorted, new Random(7));

        sorted.sort(TypeOrder.MONGODB::compare);

        assertThat(sorted).isEqualTo(expected);
    }

    /** In a composite term only bytes count, whichever way a member goes. */
    @Test
    void compositesSortInMongosOrder() {
        IndexPath path = IndexPath.of("a");
        for (boolean descends : new boolean[] {false, true}) {
            CompositeIndex.Member member = new CompositeIndex.Member(path, descends);
            CompositeIndex index = new CompositeIndex(List.of(member), TypeOrder.MONGODB);
            List<Bytes> expected =
                    new ArrayList<>(
                            SORTED.stream()
                                    .map(TypeOrderTest::encoded)
                                    .map(value -> term(index, member, value))
                                    .toList());
            if (descends) {
                Collections.reverse(expected);
            }
            List<Bytes> sorted = new ArrayList<>(expected);
            Collections.shuffle(sorted, new Random(7));
            Collections.sort(sorted);

            assertThat(sorted).isEqualTo(expected);
        }
    }

    private static Bytes term(CompositeIndex index, CompositeIndex.Member member, Bytes value) {
        ByteSink out = new ByteSink();
        out.put(index.termPrefix());
        index.putValue(out, member, value.unsafeArray());
        return out.toBytes();
    }

    @Test
    void sqlSortsByBytes() {
        List<Bytes> byBytes = new ArrayList<>(SORTED.stream().map(TypeOrderTest::encoded).toList());
        List<Bytes> sorted = new ArrayList<>(byBytes);
        Collections.sort(byBytes);

        sorted.sort(TypeOrder.SQL::compare);

        assertThat(sorted).isEqualTo(byBytes);
    }

    @Test
    void aPlaceLeadsBackToItsTag() {
        for (Bytes value : SORTED.stream().map(TypeOrderTest::encoded).toList()) {
            for (TypeOrder order : TypeOrder.values()) {
                assertThat(order.tag(order.place(value.at(0)))).isEqualTo(value.at(0));
            }
        }
        assertThatThrownBy(() -> TypeOrder.MONGODB.tag(7))
                .isInstanceOf(MalformedRecordException.class);
        assertThatThrownBy(() -> TypeOrder.MONGODB.tag(255))
                .isInstanceOf(MalformedRecordException.class);
    }

    /** A sort that walks the ranges one after the other meets every value once. */
    @Test
    void walkingTheRangesGivesTheOrder() {
        List<Bytes> index = new ArrayList<>(SORTED.stream().map(TypeOrderTest::encoded).toList());
        Collections.sort(index);
        List<Bytes> walked = new ArrayList<>();
        for (TypeOrder.TagRange range : TypeOrder.MONGODB.ranges()) {
            index.stream()
                    .filter(value -> value.at(0) >= range.first() && value.at(0) <= range.last())
                    .forEach(walked::add);
        }

        assertThat(walked).isEqualTo(SORTED.stream().map(TypeOrderTest::encoded).toList());
    }

    private static Bytes encoded(Value value) {
        return IndexValue.encode(value, TermRules.FIRST);
    }
}
