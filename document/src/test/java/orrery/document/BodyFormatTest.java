package orrery.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.Etag;
import orrery.model.IdRules;
import orrery.model.IndexingPolicy;
import orrery.model.Item;
import orrery.model.KeyComponent;
import orrery.model.PartitionKey;
import orrery.model.ResourceId;

/** Bodies in BSON, given here in their JSON form. */
final class BodyFormatTest {
    private static final BodyFormat BSON = BodyFormat.of(Encoding.BSON);
    private static final String OID = "507f1f77bcf86cd799439011";

    private static Bytes bson(String form) {
        return BsonCodec.write(JsonForm.readable(((Value.Obj) JsonText.parse(form)).properties()));
    }

    private static String id(String form) {
        return BSON.parse(bson("{\"_id\":" + form + "}"), Samples.keyed("/pk")).id().orElseThrow();
    }

    @Test
    void anIdIsNamedByItsValue() {
        assertThat(id("{\"$oid\":\"" + OID + "\"}")).isEqualTo(OID);
        assertThat(id("\"plain\"")).isEqualTo("plain");
        assertThat(id("\"" + OID + "\"")).isEqualTo("s:" + OID);
        assertThat(id("\"k:x\"")).isEqualTo("s:k:x");
        assertThat(id("\"a/b\"")).startsWith("k:");
        assertThat(id("1"))
                .startsWith("k:")
                .isEqualTo(id("{\"$numberDouble\":\"1.0\"}"))
                .isEqualTo(id("{\"$numberDecimal\":\"1.00\"}"))
                .isNotEqualTo(id("2"));
        assertThat(id("{\"a\":1,\"b\":2}")).isNotEqualTo(id("{\"b\":2,\"a\":1}"));
        // A field of that name is the document's own affair.
        assertThat(BSON.parse(bson("{\"id\":\"x\"}"), Samples.keyed("/pk")).id()).isEmpty();
        assertThat(BSON.parse(bson("{}"), Samples.keyed("/pk")).id()).isEmpty();
    }

    /** SQL finds what it wrote by the id that it wrote, also one that looks like another form. */
    @Test
    void anItemFromSqlHasTheKeyThatItsIdNames() {
        for (String id : List.of("x", OID, "s:" + OID, "a/b", "x".repeat(300))) {
            ItemBody body =
                    BSON.parse(
                            BSON.accept(Body.json(Bytes.ofUtf8("{\"id\":\"" + id + "\"}"))),
                            Samples.keyed("/pk"));
            assertThat(body.rowKey(IdRules.ANY)).contains(SqlId.parse(Encoding.BSON, id));
        }
        assertThat(
                        BSON.parse(
                                        bson("{\"_id\":{\"$oid\":\"" + OID + "\"},\"id\":\"x\"}"),
                                        Samples.keyed("/pk"))
                                .rowKey(IdRules.SQL))
                .contains(SqlId.parse(Encoding.BSON, OID));
    }

    private static Bytes sql(String json) {
        return BSON.accept(Body.json(Bytes.ofUtf8(json)));
    }

    @Test
    void theShownIdIsNotWritten() {
        Bytes stored = bson("{\"_id\":{\"$oid\":\"" + OID + "\"},\"n\":1}");

        assertThat(BSON.accept(Body.json(BSON.toJson(stored)))).isEqualTo(stored);
        assertThat(sql("{\"id\":\"" + OID + "\",\"n\":1}")).isEqualTo(stored);
        assertThat(sql("{\"_id\":{\"$oid\":\"" + OID + "\"},\"n\":1}")).isEqualTo(stored);
    }

    @Test
    void aFieldOfTheNameIdHasAnotherNameInSql() {
        Bytes stored = bson("{\"_id\":1,\"id\":5,\"$id\":6,\"_ts\":7}");

        assertThat(BSON.toJson(stored).toUtf8())
                .isEqualTo(
                        "{\"_id\":1,\"$id\":5,\"$$id\":6,\"$_ts\":7,\"id\":\"k:GL_wAAAAAAAAgA\"}");
        assertThat(BSON.accept(Body.json(BSON.toJson(stored)))).isEqualTo(stored);
        assertThat(BSON.jsonProperties(stored, new PropertyNames(List.of("$id", "_id", "id"))))
                .isEqualTo(
                        Map.of(
                                "$id",
                                Value.of(5),
                                "_id",
                                Value.of(1),
                                "id",
                                Value.of("k:GL_wAAAAAAAAgA")));
    }

    /** Languages that see items as they are stored know no names that the service reserves. */
    @Test
    void fieldsWithTheNamesOfTheServiceAreReadAsAnyOthers() {
        Bytes stored = bson("{\"_id\":1,\"n\":5,\"_ts\":7,\"_etag\":\"e\",\"ü\":8,\"last\":9}");

        PropertyNames names = new PropertyNames(List.of("_ts", "n", "ü", "absent", "_etag", "n"));
        assertThat(BSON.properties(stored, names))
                .isEqualTo(BSON.properties(stored, names::contains, names.size()))
                .containsOnlyKeys("n", "_ts", "_etag", "ü");
        assertThat(names.size()).isEqualTo(5);
        Bytes item = Bytes.ofUtf8("{\"id\":\"a\",\"n\":5,\"m\":6}");
        assertThat(BodyFormat.of(Encoding.JSON).properties(item, names)).containsOnlyKeys("n");
    }

    @Test
    void anIdBesideAnotherKeyIsRefused() {
        assertThat(Samples.refusal(() -> sql("{\"_id\":\"a\",\"id\":\"b\"}")))
                .contains("'id' of the item is 'b'")
                .contains("has the name 'a'");
        // Names that lead to the same key agree.
        assertThat(sql("{\"_id\":\"a\",\"id\":\"s:a\"}")).isEqualTo(bson("{\"_id\":\"a\"}"));
    }

    private static KeyComponent key(String form) {
        PartitionKey key = BSON.partitionKey(bson("{\"pk\":" + form + "}"), Samples.keyed("/pk"));
        return key.components().getFirst();
    }

    @Test
    void keysThatCompareAsEqualAreOne() {
        assertThat(key("1"))
                .isEqualTo(new KeyComponent.Numeric(1))
                .isEqualTo(key("{\"$numberLong\":\"1\"}"))
                .isEqualTo(key("{\"$numberDecimal\":\"1.0\"}"));
        assertThat(key("{\"$numberDouble\":\"-0.0\"}")).isEqualTo(key("0"));
        assertThat(key("\"a\"")).isEqualTo(key("{\"$symbol\":\"a\"}"));
        assertThat(key("{\"$oid\":\"" + OID + "\"}"))
                .isEqualTo(new KeyComponent.Text("\0" + "2c" + OID));
        assertThat(key("{\"$numberDouble\":\"NaN\"}"))
                .isEqualTo(key("{\"$numberDecimal\":\"NaN\"}"))
                .isEqualTo(new KeyComponent.Text("\0" + "18000000000000000080"));
        assertThat(key("[1]")).isEqualTo(KeyComponent.UNDEFINED);
    }

    @Test
    void lifetimesAreReadInEveryWidth() {
        for (String form :
                List.of("60", "{\"$numberLong\":\"60\"}", "{\"$numberDouble\":\"60\"}")) {
            Bytes body = bson("{\"ttl\":" + form + "}");
            assertThat(ItemLifetime.of(Encoding.BSON, body)).isEqualTo(60);
            ItemLifetime.check(Encoding.BSON, body);
        }
        // Clients of MongoDB know no such property, so it may be anything.
        Bytes other = bson("{\"ttl\":{\"$oid\":\"" + OID + "\"}}");
        assertThat(ItemLifetime.of(Encoding.BSON, other)).isEqualTo(ItemLifetime.UNSAID);
        ItemLifetime.check(Encoding.BSON, other);
        ItemLifetime.checkChange(Encoding.BSON, bson("{}"), other);
    }

    @Test
    void sqlSeesTheJsonForm() {
        Bytes body = bson("{\"_id\":{\"$oid\":\"" + OID + "\"},\"n\":5,\"_ts\":1}");
        Item item = new Item(5, new Etag(0, 1), 123_456, 9, Encoding.BSON, body);
        SystemProperties system = new SystemProperties(ResourceId.ofContainer(1, 1)).withoutLinks();
        ByteSink out = new ByteSink();
        system.splice(out, item, OptionalLong.empty());

        assertThat(out.toBytes().toUtf8())
                .startsWith(
                        "{\"_id\":{\"$oid\":\""
                                + OID
                                + "\"},\"n\":5,\"$_ts\":1,\"id\":\""
                                + OID
                                + "\",\"_rid\":")
                .endsWith("\"_ts\":123}");
        assertThat(system.read(item, new PropertyNames(List.of("n", "_ts", "id"))).properties())
                .isEqualTo(Map.of("n", Value.of(5), "id", Value.of(OID), "_ts", Value.of(123)));
    }

    private static Value.Obj patched(String form, String operations) {
        return BSON.value(
                BSON.patch(
                        bson(form), Patch.parse(Bytes.ofUtf8(operations)), Samples.keyed("/pk")));
    }

    @Test
    void aPatchKeepsTypesThatItDoesNotName() {
        Value.Obj after =
                patched(
                        "{\"l\":{\"$numberLong\":\"5\"},\"d\":{\"$numberDouble\":\"2.0\"},"
                                + "\"o\":{\"$oid\":\""
                                + OID
                                + "\"}}",
                        "[{\"op\":\"set\",\"path\":\"/x\",\"value\":{\"$date\":"
                                + "\"1970-01-01T00:00:00Z\"}}]");

        assertThat(after.properties())
                .containsEntry("l", new BsonValue.Int64(5))
                .containsEntry("d", new Value.Real(2.0))
                .containsEntry("x", new BsonValue.DateTime(0));
    }

    @Test
    void aSumHasTheWiderType() {
        String add = "[{\"op\":\"incr\",\"path\":\"/n\",\"value\":%s}]";
        assertThat(patched("{\"n\":{\"$numberLong\":\"5\"}}", add.formatted("1")).properties())
                .containsEntry("n", new BsonValue.Int64(6));
        assertThat(patched("{\"n\":2147483647}", add.formatted("1")).properties())
                .containsEntry("n", Value.of(2147483648L));
        assertThat(patched("{\"n\":{\"$numberDouble\":\"2.0\"}}", add.formatted("1")).properties())
                .containsEntry("n", new Value.Real(3.0));
        assertThat(patched("{\"n\":{\"$numberDecimal\":\"0.1\"}}", add.formatted("1")).properties())
                .containsEntry("n", BsonValue.Decimal.parse("1.1").orElseThrow());
        assertThat(Samples.refusal(() -> patched("{\"n\":{\"$minKey\":1}}", add.formatted("1"))))
                .contains("not a number");
    }

    @Test
    void aPatchCannotChangeTheId() {
        assertThat(
                        Samples.refusal(
                                () ->
                                        patched(
                                                "{\"_id\":1}",
                                                "[{\"op\":\"set\",\"path\":\"/_id\",\"value\":2}]")))
                .contains("_id");
        for (String path : List.of("/id", "/_ts", "/$id")) {
            assertThat(
                            Samples.refusal(
                                    () ->
                                            BSON.patch(
                                                    bson("{\"_id\":1,\"id\":3}"),
                                                    Patch.parse(
                                                            Bytes.ofUtf8(
                                                                    "[{\"op\":\"set\",\"path\":\""
                                                                            + path
                                                                            + "\",\"value\":2}]")),
                                                    Samples.keyed("/id"))))
                    .contains("cannot be changed");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":{\"$regularExpression\":{\"pattern\":\"a\",\"options\":\"\"}}}",
                "{\"a\":[{\"$oid\":\"12\"}]}",
                "{\"a\":{\"$oid\":\"507f1f77bcf86cd799439011\",\"b\":1}}",
                "{\"a\":{\"$date\":\"yesterday\"}}",
                "{\"a\":{\"$date\":\"2026-02-30T00:00:00Z\"}}",
                "{\"a\":{\"$numberDecimal\":\"1E9999\"}}",
                "{\"a\":{\"$numberInt\":\"2147483648\"}}",
                "{\"a\":{\"$binary\":{\"base64\":\"?\",\"subType\":\"00\"}}}",
                "{\"a\":{\"$minKey\":2}}",
                "{\"a\":1e400}",
                "{\"a\\u0000b\":1}",
                "[]"
            })
    void whatBsonCannotKeepIsRefused(String json) {
        assertThat(Samples.refusal(() -> BSON.accept(Body.json(Bytes.ofUtf8(json))))).isNotEmpty();
    }

    @Test
    void sqlLooksUpTheTimeAlone() {
        IndexPlan plan = IndexPlan.compile(IndexingPolicy.DEFAULT);

        assertThat(plan.forSql(Encoding.JSON)).isSameAs(plan);
        assertThat(plan.forSql(Encoding.BSON).isIndexed(IndexPath.of("_ts"))).isTrue();
        assertThat(plan.forSql(Encoding.BSON).isIndexed(IndexPath.of("a"))).isFalse();
    }

    @Test
    void geometriesHaveTheSameTerms() {
        IndexPlan plan =
                IndexPlan.compile(
                        new IndexingPolicy(
                                IndexingPolicy.Mode.CONSISTENT,
                                true,
                                List.of(),
                                List.of("/*"),
                                List.of(),
                                List.of(
                                        new IndexingPolicy.SpatialPath(
                                                "/p/*", List.of("Point"), Optional.empty()))));
        Bytes json =
                Bytes.ofUtf8(
                        "{\"id\":\"1\",\"p\":{\"q\":{\"type\":\"Point\",\"coordinates\":[5,52.5]},"
                                + "\"r\":{\"type\":\"Point\",\"coordinates\":[5,152.5]}}}");

        assertThat(plan.extract(Encoding.BSON, bson(json.toUtf8()), 1, List.of()).toList())
                .isEqualTo(plan.extract(Encoding.JSON, json, 1, List.of()).toList())
                .hasSizeGreaterThan(2);
    }

    /** A document may have any depth while it is changed; what is stored can be read again. */
    @Test
    void whatCouldNotBeReadIsNotWritten() {
        List<UnaryOperator<Value>> levels =
                List.of(
                        inner -> new Value.Obj(Map.of("a", inner)),
                        inner -> new Value.Array(List.of(inner)),
                        inner -> new BsonValue.ScopedCode("f", new Value.Obj(Map.of("a", inner))));
        for (UnaryOperator<Value> level : levels) {
            for (int depth = BsonCodec.MAX_DEPTH - 2; depth <= BsonCodec.MAX_DEPTH + 1; depth++) {
                Value inner = Value.of(1);
                for (int i = 1; i < depth; i++) {
                    inner = level.apply(inner);
                }
                Value.Obj document = new Value.Obj(Map.of("a", inner));
                Bytes bytes = BsonCodec.write(document);
                if (depth <= BsonCodec.MAX_DEPTH) {
                    assertThat(BSON.write(document)).isEqualTo(bytes);
                    assertThat(BsonCodec.read(bytes)).isEqualTo(document);
                } else {
                    assertThat(Samples.refusal(() -> BSON.write(document))).contains("deeper");
                    assertThat(Samples.refusal(() -> BsonCodec.read(bytes))).contains("deeper");
                }
            }
        }
    }
}
