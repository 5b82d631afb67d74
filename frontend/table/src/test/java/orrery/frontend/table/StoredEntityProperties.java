package orrery.frontend.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import orrery.document.ByteSink;
import orrery.document.JsonText;
import orrery.document.SystemProperties;
import orrery.document.Value;
import orrery.document.edm.EdmValue;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.FileTime;
import orrery.model.Item;
import orrery.model.ResourceId;

/** An entity that is copied from the stored text reads as one that was taken apart and written. */
class StoredEntityProperties {
    private static final FileTime TIME = FileTime.ofMillis(1_700_000_000_123L);
    private static final SystemProperties SYSTEM =
            new SystemProperties(ResourceId.ofContainer(1, 2));

    @Provide
    Arbitrary<Entity> entities() {
        return EntityArbitraries.entities();
    }

    private static void showsTheSame(Bytes body) {
        for (MetadataLevel level : MetadataLevel.values()) {
            for (Optional<List<String>> select :
                    List.of(
                            Optional.<List<String>>empty(),
                            Optional.of(List.of("id", "a", "RowKey", "_ts", "B_")))) {
                EntityJson json = new EntityJson(level, "http://localhost", "a.T", "T", select);
                ByteSink naive = new ByteSink();
                json.element(naive, NaiveEntity.read(body), TIME);
                ByteSink copied = new ByteSink();
                json.element(copied, StoredEntity.of(body), TIME);
                assertThat(copied.toBytes().toUtf8()).isEqualTo(naive.toBytes().toUtf8());
            }
        }
    }

    @Property(tries = 300)
    void whatTheApiHasWrittenIsShown(@ForAll("entities") Entity entity) {
        showsTheSame(EntityDocument.write(entity).bytes());
    }

    /** A row of a query has the properties of the service as well. */
    @Property(tries = 100)
    void rowsHaveTheirEtag(@ForAll("entities") Entity entity, @ForAll long docid) {
        Bytes body = EntityDocument.write(entity).bytes();
        ByteSink row = new ByteSink();
        SYSTEM.splice(
                row,
                new Item(docid & 0xFFFF, TIME.toEtag(), 17, 3, Encoding.JSON, body),
                OptionalLong.empty());
        StoredEntity stored = StoredEntity.of(row.toBytes());
        assertThat(stored.etag()).hasValue(TIME.toEtag());
        assertThat(stored.partitionKey()).isEqualTo(entity.partitionKey());
        assertThat(stored.rowKey()).isEqualTo(entity.rowKey());
        showsTheSame(row.toBytes());
    }

    /** Other APIs may write anything, in any order. */
    @Provide
    Arbitrary<Value.Obj> items() {
        Arbitrary<Value> plain =
                Arbitraries.oneOf(
                        Arbitraries.of(
                                Value.of(true), Value.of(1.5), Value.of("NaN"), Value.Null.NULL),
                        Arbitraries.longs().map(Value::of),
                        Arbitraries.of("", "x", "00000000000000000012", "-5", "5", "\"", "\u0001é")
                                .map(Value::of),
                        Arbitraries.of("d2d2d2d2-0000-4000-8000-000000000001").map(Value::of));
        Arbitrary<Value> typed =
                Combinators.combine(
                                Arbitraries.of(0, 1, 2, 5, 8, 9, 16, 18, 3, 77, -1),
                                plain,
                                Arbitraries.of(0, 0, 0, 1, 2))
                        .as(StoredEntityProperties::typed);
        Arbitrary<String> names =
                Arbitraries.of(
                        "id", "$id", "$pk", "$$id", "$_ts", "ttl", "$ttl", "_x", "$x", "a", "B_",
                        "é\"", "i", "t", "", "_etag");
        return Arbitraries.maps(names, Arbitraries.oneOf(plain, typed, typed))
                .ofMaxSize(8)
                .map(Value.Obj::new);
    }

    private static Value typed(int tag, Value content, int form) {
        Map<String, Value> members = new LinkedHashMap<>();
        if (form == 1) {
            members.put(EdmValue.CONTENT, content);
        }
        members.put(EdmValue.TYPE, Value.of(tag));
        if (form != 1) {
            members.put(EdmValue.CONTENT, content);
        }
        if (form == 2) {
            members.put("more", new Value.Array(List.of(Value.of("]}"))));
        }
        return new Value.Obj(members);
    }

    @Property(tries = 500)
    void whatOthersHaveWrittenIsShown(@ForAll("items") Value.Obj item) {
        showsTheSame(JsonText.writeBytes(item));
    }

    @Example
    void blanksAndEscapesAreNoHindrance() {
        showsTheSame(
                Bytes.ofUtf8(
                        " { \"id\" : \"r\\u0031\" ,\n\"\\u0024pk\":\"p\", \"a\" : { \"$t\" : 2,"
                                + " \"$v\" : \"x\" }, \"B_\":{\"$t\":2,\"$v\":\"a\\/b\"},"
                                + "\"c\":{\"$t\":16,\"$v\":-5},\"d\":{\"$t\":16,\"$v\":9999999999},"
                                + "\"e\":{\"$t\":1,\"$v\":1e3},\"f\":{\"$t\":16,\"$v\":5 },"
                                + "\"\\u0067\":{\"$t\":8,\"$v\":true},\"h\":{\"$t\":2,\"$v\":null}}"));
    }

    /** One reader goes over all rows of a page. */
    @Example
    void nothingIsLeftOfTheEntityBefore() {
        StoredEntity entity = StoredEntity.of(Bytes.ofUtf8("{\"id\":\"r\",\"$pk\":\"p\",\"a\":1}"));
        entity.open(Bytes.ofUtf8("{}"));
        assertThat(entity.rowKey()).isEmpty();
        assertThat(entity.partitionKey()).isEmpty();
        assertThat(entity.etag()).isEmpty();
    }
}
