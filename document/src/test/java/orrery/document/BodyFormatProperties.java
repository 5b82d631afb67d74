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
        assertThat(BSON.parse(bson, Samples.keyed("/id")).id())
                .isEqualTo(JSON.parse(json, Samples.keyed("/id")).id());
        assertThat(BSON.parse(bson, Samples.keyed("/id")).partitionKey(Samples.keyed("/id")))
                .isEqualTo(JSON.partitionKey(json, Samples.keyed("/id")));
    }

    @Property(tries = 1000)
    void whatJsonHasComesBackFromBson(@ForAll("plain") Value.Obj document) {
        Bytes json = JsonText.writeBytes(document);
        assertThat(JsonText.parse(BSON.toJson(BSON.accept(Body.json(json))))).isEqualTo(document);
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
    Arbitrary<Value.Obj> documents() {
        return BsonSamples.documents();
    }
}
