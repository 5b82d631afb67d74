package orrery.frontend.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.ContainerKind;
import orrery.model.ErrorCode;
import orrery.model.Etag;
import orrery.model.OrreryException;
import orrery.model.PartitionKeyDefinition;
import orrery.model.resource.Container;

class ContainerJsonTest {
    private static final TreeSet<String> ALWAYS =
            new TreeSet<>(
                    List.of(
                            "_rid",
                            "_ts",
                            "_self",
                            "_etag",
                            "_docs",
                            "_sprocs",
                            "_triggers",
                            "_udfs",
                            "_conflicts"));

    @Test
    void definitionsAreAcceptedOrRefusedAsTheFileSays() {
        TextCases.run("containers.test", ContainerJsonTest::describe);
    }

    /** Clients of SQL make documents, and neither see nor change the kind of what is there. */
    @Test
    void theKindIsKeptAndNotShown() {
        Bytes body = Bytes.ofUtf8("{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}");
        ContainerJson.Described created = ContainerJson.parse(body);
        assertThat(created.definition().kind()).isEqualTo(ContainerKind.DOCUMENT);
        for (ContainerKind kind : ContainerKind.values()) {
            ContainerJson.Described replaced =
                    ContainerJson.parse(body, created.definition().withKind(kind));
            assertThat(replaced.definition().kind()).isEqualTo(kind);
            assertThat(shown(replaced)).isEqualTo(shown(created));
        }
    }

    private static String describe(String body) {
        try {
            ContainerJson.Described described = ContainerJson.parse(Bytes.ofUtf8(body));
            Value.Obj shown = shown(described);
            Map<String, Value> members = new LinkedHashMap<>(shown.properties());
            assertThat(members).containsKeys(ALWAYS.toArray(new String[0]));
            members.keySet().removeAll(ALWAYS);
            return JsonText.write(new Value.Obj(members));
        } catch (OrreryException refused) {
            return refused.code() + ": " + refused.text();
        }
    }

    private static Value.Obj shown(ContainerJson.Described described) {
        return shown(described, true);
    }

    private static Value.Obj shown(ContainerJson.Described described, boolean showsSystemKey) {
        return ContainerJson.write(
                new Container(
                        1,
                        1,
                        described.id(),
                        described.definition(),
                        false,
                        1,
                        1,
                        Container.State.ONLINE,
                        new Etag(1, 2),
                        1_700_000_000_123L),
                showsSystemKey);
    }

    @Test
    void showsSystemPropertiesOfAContainer() {
        Value.Obj shown = shown(parse("{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}"));
        assertThat(JsonText.write(shown))
                .endsWith(
                        "\"_rid\":\"AQAAAIAAAAE=\",\"_ts\":1700000000,"
                                + "\"_self\":\"dbs/AQAAAA==/colls/AQAAAIAAAAE=/\","
                                + "\"_etag\":\"\\\"00000000-0000-0001-0000-000000000002\\\"\","
                                + "\"_docs\":\"docs/\",\"_sprocs\":\"sprocs/\","
                                + "\"_triggers\":\"triggers/\",\"_udfs\":\"udfs/\","
                                + "\"_conflicts\":\"conflicts/\"}");
    }

    @Test
    void whatIsShownReadsBackAsTheSameDefinition() {
        ContainerJson.Described described =
                parse(
                        "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/a\",\"/'b c'\"],"
                                + "\"kind\":\"MultiHash\",\"version\":2},"
                                + "\"geospatialConfig\":{\"type\":\"Geometry\"}}");
        assertThat(parse(JsonText.write(shown(described)))).isEqualTo(described);
    }

    @Test
    void aReplaceThatLeavesTheKeyVersionOutKeepsIt() {
        ContainerDefinition present =
                parse("{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/a\"],\"version\":2}}")
                        .definition();
        assertThat(
                        ContainerJson.parse(
                                        Bytes.ofUtf8(
                                                "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/a\"]}}"),
                                        present)
                                .definition())
                .isEqualTo(present);
    }

    @Test
    void aReplaceThatDoesNotMentionUniqueKeysKeepsThem() {
        ContainerDefinition present =
                parse(
                                "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/a\"]},"
                                        + "\"uniqueKeyPolicy\":{\"uniqueKeys\":[{\"paths\":[\"/b\"]}]}}")
                        .definition();
        assertThat(uniqueKeys("{}", present)).isEqualTo(present.uniqueKeys());
        assertThat(uniqueKeys("null", present)).isEqualTo(present.uniqueKeys());
        assertThat(uniqueKeys("{\"uniqueKeys\":[]}", present)).isEmpty();
    }

    private static List<ContainerDefinition.UniqueKey> uniqueKeys(
            String policy, ContainerDefinition present) {
        String body =
                "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/a\"]},\"uniqueKeyPolicy\":"
                        + policy
                        + "}";
        return ContainerJson.parse(Bytes.ofUtf8(body), present).definition().uniqueKeys();
    }

    @Test
    void aContainerWithoutAKeyIsForOldClients() {
        ContainerDefinition fixed = parse("{\"id\":\"c\"}").definition();
        ContainerJson.checkKey(fixed, true);
        assertThat(refusal(() -> ContainerJson.checkKey(fixed, false)).text())
                .contains("partition key definition is missing");
    }

    @Test
    void oldClientsDoNotSeeTheKeyOfTheSystem() {
        ContainerJson.Described system =
                parse(
                        "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/_partitionKey\"],"
                                + "\"systemKey\":true}}");
        assertThat(system.definition().partitionKey())
                .isEqualTo(PartitionKeyDefinition.OF_THE_SYSTEM);
        assertThat(JsonText.write(shown(system, true)))
                .contains("\"paths\":[\"/_partitionKey\"]", "\"systemKey\":true");
        assertThat(shown(system, false).properties()).doesNotContainKey("partitionKey");

        // A client does not mean to change a setting that it does not see.
        assertThat(
                        ContainerJson.parse(Bytes.ofUtf8("{\"id\":\"c\"}"), system.definition())
                                .definition()
                                .partitionKey())
                .isEqualTo(PartitionKeyDefinition.OF_THE_SYSTEM);
    }

    private static OrreryException refusal(
            org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        return catchThrowableOfType(OrreryException.class, call);
    }

    private static ContainerJson.Described parse(String body) {
        return ContainerJson.parse(Bytes.ofUtf8(body));
    }

    /** Whatever the members hold, the body is accepted or refused, never a bug. */
    @Property(tries = 2000)
    void anyJsonIsAcceptedOrRefused(@ForAll("bodies") Value body) {
        try {
            ContainerJson.parse(JsonText.writeBytes(body));
        } catch (OrreryException refused) {
            assertThat(refused.code()).isEqualTo(ErrorCode.BAD_REQUEST);
        }
    }

    @Provide
    Arbitrary<Value> bodies() {
        return values(4);
    }

    private static Arbitrary<Value> values(int depth) {
        Arbitrary<Value> scalars =
                Arbitraries.oneOf(
                        Arbitraries.of("c", "/a", "/*", "none", "Hash", "MultiHash", "", "/\"", "é")
                                .map(Value::of),
                        Arbitraries.integers().between(-2, 3).map(i -> Value.of((long) i)),
                        Arbitraries.doubles().between(-1e9, 1e9).map(Value.Real::new),
                        Arbitraries.of(true, false).map(Value::of),
                        Arbitraries.just((Value) Value.Null.NULL));
        if (depth == 0) {
            return scalars;
        }
        Arbitrary<String> names =
                Arbitraries.of(
                        "id",
                        "partitionKey",
                        "paths",
                        "kind",
                        "version",
                        "systemKey",
                        "indexingPolicy",
                        "indexingMode",
                        "automatic",
                        "includedPaths",
                        "excludedPaths",
                        "compositeIndexes",
                        "spatialIndexes",
                        "types",
                        "boundingBox",
                        "xmin",
                        "path",
                        "order",
                        "indexes",
                        "uniqueKeyPolicy",
                        "geospatialConfig",
                        "conflictResolutionPolicy",
                        "mode",
                        "changeFeedPolicy",
                        "retentionDuration",
                        "defaultTtl");
        Arbitrary<Value> inner = Arbitraries.lazy(() -> values(depth - 1));
        return Arbitraries.frequencyOf(
                net.jqwik.api.Tuple.of(1, scalars),
                net.jqwik.api.Tuple.of(1, inner.list().ofMaxSize(3).map(Value.Array::new)),
                net.jqwik.api.Tuple.of(
                        4,
                        Arbitraries.maps(names, inner)
                                .ofMaxSize(5)
                                .map(members -> new Value.Obj(members))));
    }
}
