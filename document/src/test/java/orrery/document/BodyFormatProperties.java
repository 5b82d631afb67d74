package orrery.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition.UniqueKey;
import orrery.model.Encoding;
import orrery.model.IdRules;
import orrery.model.IndexingPolicy;
import orrery.model.PartitionKeyDefinition;
import orrery.model.PropertyPath;

/** The same document in JSON and in BSON. */
final class BodyFormatProperties {
    private static final BodyFormat JSON = BodyFormat.of(Encoding.JSON);
    private static final BodyFormat BSON = BodyFormat.of(Encoding.BSON);
    private static final long TS = 1_700_000_000;

    private static final IndexPlan PLAN =
            IndexPlan.compile(
                    new IndexingPolicy(
                            IndexingPolicy.Mode.CONSISTENT,
                            true,
                            List.of("/*", "/a/b/?", "/b/?"),
                            List.of("/c/a/*"),
                            List.of(
                                    List.of(
                                            new IndexingPolicy.CompositePath("/a", false),
                                            new IndexingPolicy.CompositePath("/b", true))),
                            List.of()));

    @Property(tries = 1000)
    void bothHaveTheSameTerms(@ForAll("plain") Value.Obj document) {
        Bytes json = JsonText.writeBytes(document);
        Bytes bson = BsonCodec.write(document);
        IndexTerms ofJson = PLAN.extract(Encoding.JSON, json, TS, List.of());
        IndexTerms ofBson = PLAN.extract(Encoding.BSON, bson, TS, List.of());
        assertThat(ofBson.toList()).isEqualTo(ofJson.toList());
        assertThat(ofBson.leafCount()).isEqualTo(ofJson.leafCount());
    }

    /** Widths of numbers do not count, nor kinds that compare as equal. */
    @Property(tries = 1000)
    void widerNumbersHaveTheSameTermsAndDigests(@ForAll("plain") Value.Obj document) {
        Bytes bson = BsonCodec.write(document);
        Bytes wide = BsonCodec.write((Value.Obj) widened(document));
        assertThat(PLAN.extract(Encoding.BSON, wide, TS, List.of()).toList())
                .isEqualTo(PLAN.extract(Encoding.BSON, bson, TS, List.of()).toList());
        assertThat(UniqueValues.of(KEYS, Encoding.BSON, wide))
                .isEqualTo(UniqueValues.of(KEYS, Encoding.BSON, bson));
        PartitionKeyDefinition key = Samples.keyed("/a");
        assertThat(scalarKey(document) ? BSON.partitionKey(wide, key) : "")
                .isEqualTo(scalarKey(document) ? BSON.partitionKey(bson, key) : "");
    }

    private static boolean scalarKey(Value.Obj document) {
        return !(document.properties().get("a") instanceof Value.Obj);
    }

    private static final List<UniqueKey> KEYS =
            List.of(
                    new UniqueKey(List.of(PropertyPath.parse("/a"), PropertyPath.parse("/b/c"))),
                    new UniqueKey(List.of(PropertyPath.parse("/c"))));

    private static Value widened(Value value) {
        return switch (value) {
            case Value.Int(long number) ->
                    number == (int) number
                            ? (number % 2 == 0
                                    ? new BsonValue.Int64(number)
                                    : new Value.Real((double) number))
                            : BsonValue.Decimal.parse(Long.toString(number)).orElseThrow();
            case Value.Text(String text) -> new BsonValue.Symbol(text);
            case Value.Array(List<Value> elements) ->
                    new Value.Array(elements.stream().map(BodyFormatProperties::widened).toList());
            case Value.Obj(Map<String, Value> properties) -> {
                Map<String, Value> changed = new LinkedHashMap<>();
                properties.forEach((name, each) -> changed.put(name, widened(each)));
                yield new Value.Obj(changed);
            }
            case Value.Undefined _, Value.Null _, Value.Bool _, Value.Real _, BsonValue _ -> value;
        };
    }

    @Property(tries = 1000)
    void bothHaveTheSameKeysAndDigests(@ForAll("plain") Value.Obj document) {
        Bytes json = JsonText.writeBytes(document);
        Bytes bson = BsonCodec.write(document);
        assertThat(UniqueValues.of(KEYS, Encoding.BSON, bson))
                .isEqualTo(UniqueValues.of(KEYS, Encoding.JSON, json));
        assertThat(BSON.parse(bson, Samples.keyed("/_id")).id()).contains("1");
        assertThat(BSON.parse(bson, Samples.keyed("/_id")).partitionKey(Samples.keyed("/_id")))
                .isEqualTo(JSON.partitionKey(json, Samples.keyed("/_id")));
    }

    @Property(tries = 1000)
    void whatJsonHasComesBackFromBson(@ForAll("plain") Value.Obj document) {
        Bytes json = JsonText.writeBytes(document);
        Map<String, Value> named = new LinkedHashMap<>(document.properties());
        named.put("id", Value.of("1"));
        assertThat(JsonText.parse(BSON.toJson(BSON.accept(Body.json(json)))))
                .isEqualTo(new Value.Obj(named));
    }

    /** Fields that only look like SQL's own survive it, whatever they are called. */
    @Property(tries = 2000)
    void fieldsWithReservedNamesComeBackFromSql(@ForAll("reserved") Value.Obj document) {
        Value.Obj sent = withoutPatterns(document);
        Bytes bson = BsonCodec.write(sent);
        Bytes json = BSON.toJson(bson);
        Value.Obj back = BSON.value(BSON.accept(Body.json(json)));

        assertThat(List.copyOf(back.properties().keySet()))
                .isEqualTo(List.copyOf(sent.properties().keySet()));
        assertThat(JsonForm.of(back)).isEqualTo(JsonForm.of(sent));
        assertThat(((Value.Obj) JsonText.parse(json)).properties())
                .containsEntry(
                        "id", Value.of(BSON.parse(bson, Samples.keyed("/pk")).id().orElseThrow()));
        // Each of them alone is found under the same name as in the whole.
        ((Value.Obj) JsonText.parse(json))
                .properties()
                .forEach(
                        (name, value) ->
                                assertThat(BSON.jsonProperties(bson, name::equals, 1))
                                        .isEqualTo(Map.of(name, value)));
    }

    private static Value.Obj withoutPatterns(Value.Obj document) {
        Map<String, Value> kept = new LinkedHashMap<>(document.properties());
        kept.values().removeIf(value -> JsonText.write(JsonForm.of(value)).contains("$regular"));
        kept.putIfAbsent("_id", Value.of(1));
        return new Value.Obj(kept);
    }

    /** The id alone leads to a document that has the key, and so the same name. */
    @Property(tries = 2000)
    void anIdAloneStandsForItsKey(@ForAll("reserved") Value.Obj document) {
        ItemBody whole = BSON.parse(BsonCodec.write(document), Samples.keyed("/pk"));
        String id = whole.id().orElseThrow();
        Bytes named =
                BSON.accept(
                        Body.json(JsonText.writeBytes(new Value.Obj(Map.of("id", Value.of(id))))));

        assertThat(BSON.value(named).properties()).containsOnlyKeys("_id");
        assertThat(BSON.parse(named, Samples.keyed("/pk")).rowKey(IdRules.ANY))
                .isEqualTo(whole.rowKey(IdRules.ANY));
    }

    /** A value that a patch does not name keeps its type, also the width of a number. */
    @Property(tries = 1000)
    void aPatchTouchesNothingElse(@ForAll("reserved") Value.Obj document) {
        Map<String, Value> before = new LinkedHashMap<>(document.properties());
        before.remove("id");
        before.remove("added");
        Patch patch =
                Patch.parse(
                        Bytes.ofUtf8(
                                "[{\"op\":\"add\",\"path\":\"/$id\",\"value\":1},"
                                        + "{\"op\":\"move\",\"from\":\"/$id\",\"path\":\"/added\"},"
                                        + "{\"op\":\"add\",\"path\":\"/$id\",\"value\":2}]"));
        Value.Obj after =
                BSON.value(
                        BSON.patch(
                                BsonCodec.write(new Value.Obj(before)),
                                patch,
                                Samples.keyed("/pk")));

        before.put("added", Value.of(1));
        before.put("id", Value.of(2));
        assertThat(after.properties()).isEqualTo(before);
    }

    /** Patterns may not be written through SQL; nothing else is lost but the width of numbers. */
    @Property(tries = 1000)
    void whatSqlReadsItMayWriteBack(@ForAll("documents") Value.Obj document) {
        Bytes json = BSON.toJson(BsonCodec.write(document));
        if (json.toUtf8().contains("$regularExpression")) {
            assertThat(Samples.refusal(() -> BSON.accept(Body.json(json))))
                    .contains("regular expression");
        } else {
            Bytes back = BSON.accept(Body.json(json));
            assertThat(BSON.toJson(back)).isEqualTo(json);
            assertThat(PLAN.extract(Encoding.BSON, back, TS, List.of()).toList())
                    .isEqualTo(
                            PLAN.extract(Encoding.BSON, BsonCodec.write(document), TS, List.of())
                                    .toList());
        }
    }

    @Provide
    Arbitrary<Value.Obj> plain() {
        return BsonSamples.plainDocuments();
    }

    @Provide
    Arbitrary<Value.Obj> reserved() {
        return BsonSamples.reservedDocuments();
    }

    @Provide
    Arbitrary<Value.Obj> documents() {
        return BsonSamples.documents();
    }
}
