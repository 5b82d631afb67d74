package orrery.frontend.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.JsonText;
import orrery.document.SqlId;
import orrery.document.Value;
import orrery.frontend.sql.TestClient.Reply;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.ResourceRef;
import orrery.gateway.fake.FakeItems;
import orrery.gateway.fake.FakeResources;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.ContainerKind;
import orrery.model.OrreryException;
import orrery.model.RequestContext;
import orrery.model.RowKey;

/** Ids in links and batches, and the keys that the engine is asked for. */
final class ItemIdsTest {
    private static final String OID = "507f1f77bcf86cd799439011";
    private static final RowKey OBJECT_ID = RowKey.of(Bytes.ofHex("2C" + OID));

    private static final RequestContext CONTEXT =
            new RequestContext(
                    new UUID(0, 1),
                    new RequestContext.Principal.Account(false),
                    Optional.empty(),
                    Optional.empty(),
                    Long.MAX_VALUE);

    private final FakeItems items = new FakeItems();
    private final FakeResources resources = new FakeResources();
    private final TestClient client = TestClient.withContainer(items, resources);

    private Reply item(String method, String id) {
        return client.call(
                method,
                "/dbs/d/colls/c/docs/" + id,
                method.equals("PATCH")
                        ? "[{\"op\":\"set\",\"path\":\"/x\",\"value\":1}]"
                        : "{\"id\":\"1\",\"pk\":\"a\"}",
                "x-ms-documentdb-partitionkey",
                "[\"a\"]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "PUT", "PATCH", "DELETE"})
    void anIdThatNoItemHasIsABadRequest(String method) {
        assertThat(item(method, "a%5Cb").status()).isEqualTo(400);
        assertThat(item(method, "a%5Cb").text()).contains("Id contains illegal chars");
        assertThat(item(method, "x".repeat(1023)).status()).isEqualTo(404);
        assertThat(item(method, "x".repeat(1024)).status()).isEqualTo(400);
        assertThat(item(method, "x".repeat(4096)).text())
                .contains("may have 1023 bytes and this one has 4096");
    }

    private Reply batch(String container, boolean isAtomic, String operations) {
        return client.post(
                "/dbs/d/colls/" + container + "/docs",
                operations.replace('\'', '"'),
                "x-ms-documentdb-partitionkey",
                "[\"a\"]",
                "x-ms-cosmos-is-batch-request",
                "True",
                "x-ms-cosmos-batch-atomic",
                isAtomic ? "True" : "False",
                "x-ms-cosmos-batch-continue-on-error",
                isAtomic ? "False" : "True");
    }

    private static List<Integer> statuses(Reply reply) {
        return ((Value.Array) JsonText.parse(reply.text()))
                .elements().stream()
                        .map(line -> ((Value.Obj) line).properties().get("statusCode"))
                        .map(status -> (int) ((Value.Int) status).value())
                        .toList();
    }

    private static final String LINES =
            """
            [{'operationType':'Upsert','resourceBody':{'id':'1','pk':'a'}},
             {'operationType':'%s','id':'a\\\\b','resourceBody':{'id':'1','pk':'a'}}]
            """;

    @ParameterizedTest
    @ValueSource(strings = {"Read", "Replace", "Patch", "Delete"})
    void inABatchItFailsItsOperation(String type) {
        assertThat(statuses(batch("c", false, LINES.formatted(type)))).containsExactly(201, 400);
        assertThat(statuses(batch("c", true, LINES.formatted(type)))).containsExactly(424, 400);
    }

    @Test
    void inAContainerOfMongoDbAnIdNamesAValue() {
        ResourceRef database = new ResourceRef.Named("d");
        ContainerRef documents = ContainerRef.Addressed.byName("d", "c");
        ContainerDefinition definition =
                resources
                        .readContainer(CONTEXT, documents)
                        .definition()
                        .withKind(ContainerKind.MONGODB);
        resources.createContainer(CONTEXT, database, "m", definition, Optional.empty());
        batch(
                "m",
                false,
                "[{'operationType':'Read','id':'"
                        + OID
                        + "'},{'operationType':'Delete','id':'s:x'}]");

        List<BatchOperation> asked = items.batches.getLast().operations();
        assertThat(((BatchOperation.Read) asked.getFirst()).item()).isEqualTo(OBJECT_ID);
        assertThat(((ItemWrite.Delete) ((BatchOperation.Write) asked.getLast()).write()).item())
                .isEqualTo(new ItemRef.Named(RowKey.ofText("x")));
    }

    @ParameterizedTest
    @EnumSource
    void everyKindOfContainerReadsIdsInItsWay(ContainerKind kind) {
        boolean isMongo = kind == ContainerKind.MONGODB;
        assertThat(SqlId.rowKey(kind, OID)).isEqualTo(isMongo ? OBJECT_ID : RowKey.ofText(OID));
        assertThat(ItemIds.text(kind, SqlId.rowKey(kind, OID))).isEqualTo(OID);
        assertThat(ItemIds.text(kind, SqlId.rowKey(kind, "k"))).isEqualTo("k");
        if (kind == ContainerKind.DOCUMENT) {
            assertThatThrownBy(() -> SqlId.rowKey(kind, "")).isInstanceOf(OrreryException.class);
        } else {
            assertThat(SqlId.rowKey(kind, "")).isEqualTo(RowKey.ofText(""));
        }
    }
}
