package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.assertFails;
import static orrery.tests.sdk.Cosmos.json;
import static orrery.tests.sdk.Cosmos.own;
import static orrery.tests.sdk.Cosmos.uniqueName;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosItemResponse;
import com.azure.cosmos.models.CosmosPatchItemRequestOptions;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** Every operation of a patch, and the condition on it. */
@Tag("client")
final class ItemPatchTest {
    private final CosmosContainer container;
    private final String key = uniqueName("key");
    private final PartitionKey partitionKey = new PartitionKey(key);

    ItemPatchTest(int throughput) {
        this.container = Cosmos.container(throughput, "/pk");
    }

    @OnOneAndFivePartitions
    void addCreatesOverwritesInsertsAndAppends() {
        create("{'o':{'a':1},'list':[1,3]}");

        assertPatched(
                CosmosPatchOperations.create()
                        .add("/new", "x")
                        .add("/o/a", 2)
                        .add("/o/b", Map.of("deep", true))
                        .add("/list/1", 2)
                        .add("/list/-", 4),
                "{'o':{'a':2,'b':{'deep':true}},'list':[1,2,3,4],'new':'x'}");
    }

    @OnOneAndFivePartitions
    void setCreatesAndOverwrites() {
        create("{'o':{},'list':[1,2,3]}");

        assertPatched(
                CosmosPatchOperations.create()
                        .set("/o/x", List.of(1, 2))
                        .set("/list/1", "two")
                        .set("/text", "äöü"),
                "{'o':{'x':[1,2]},'list':[1,'two',3],'text':'äöü'}");
    }

    @OnOneAndFivePartitions
    void replaceNeedsAnExistingTarget() {
        create("{'v':1,'list':['a']}");

        assertPatched(
                CosmosPatchOperations.create().replace("/v", 2).replace("/list/0", "b"),
                "{'v':2,'list':['b']}");
        assertFails(400, 0, () -> patch(CosmosPatchOperations.create().replace("/missing", 1)));
    }

    @OnOneAndFivePartitions
    void removeNeedsAnExistingTarget() {
        create("{'v':1,'keep':true,'list':[1,2,3]}");

        assertPatched(
                CosmosPatchOperations.create().remove("/v").remove("/list/1"),
                "{'keep':true,'list':[1,3]}");
        assertFails(400, 0, () -> patch(CosmosPatchOperations.create().remove("/v")));
    }

    @OnOneAndFivePartitions
    void incrementAddsOrCreates() {
        create("{'n':5,'d':1.5}");

        assertPatched(
                CosmosPatchOperations.create()
                        .increment("/n", 3)
                        .increment("/n", -1)
                        .increment("/d", 0.25)
                        .increment("/new", 7),
                "{'n':7,'d':1.75,'new':7}");
    }

    @OnOneAndFivePartitions
    void incrementOfTextIsRefused() {
        create("{'n':'text'}");

        assertFails(400, 0, () -> patch(CosmosPatchOperations.create().increment("/n", 1)));
    }

    @OnOneAndFivePartitions
    void moveTakesTheValueAway() {
        create("{'a':{'x':1},'b':{}}");

        assertPatched(CosmosPatchOperations.create().move("/a/x", "/b/y"), "{'a':{},'b':{'y':1}}");
        assertFails(400, 0, () -> patch(CosmosPatchOperations.create().move("/gone", "/c")));
    }

    @OnOneAndFivePartitions
    void escapedPathsNameTheirProperties() {
        create("{'a/b':1,'m~n':1}");

        assertPatched(
                CosmosPatchOperations.create().set("/a~1b", 2).set("/m~0n", 3),
                "{'a/b':2,'m~n':3}");
    }

    @OnOneAndFivePartitions
    void patchIsAllOrNothing() {
        create("{'v':1}");

        assertFails(
                400,
                0,
                () -> patch(CosmosPatchOperations.create().set("/v", 2).remove("/missing")));
        assertThat(own(read())).isEqualTo(expected("{'v':1}"));
    }

    @OnOneAndFivePartitions
    void tenOperationsAreTheMost() {
        create("{}");
        CosmosPatchOperations ten = CosmosPatchOperations.create();
        for (int i = 0; i < 10; i++) {
            ten.increment("/n", 1);
        }
        assertPatched(ten, "{'n':10}");

        assertFails(400, 0, () -> patch(ten.increment("/n", 1)));
    }

    @OnOneAndFivePartitions
    void idKeyAndSystemPropertiesCannotBePatched() {
        create("{}");

        for (String path : List.of("/id", "/pk", "/_rid", "/_etag", "/_ts", "/_self")) {
            CosmosException failure =
                    assertFails(400, 0, () -> patch(CosmosPatchOperations.create().set(path, "x")));
            assertThat(failure.getShortMessage()).as(path).isNotEmpty();
        }
        assertThat(own(read())).isEqualTo(expected("{}"));
    }

    @OnOneAndFivePartitions
    void conditionDecides() {
        create("{'v':1,'o':{'state':'open'},'tags':['a','b']}");

        assertThat(
                        patch(
                                        CosmosPatchOperations.create().set("/v", 2),
                                        "from c where c.v = 1 and c.o.state = 'open'")
                                .getStatusCode())
                .isEqualTo(200);
        assertFails(
                412,
                0,
                () -> patch(CosmosPatchOperations.create().set("/v", 3), "from c where c.v = 1"));
        assertFails(
                412,
                0,
                () ->
                        patch(
                                CosmosPatchOperations.create().set("/v", 3),
                                "from c where c.missing = 1"));
        assertThat(read().get("v").asInt()).isEqualTo(2);
    }

    @OnOneAndFivePartitions
    void brokenConditionIsABadRequest() {
        create("{'v':1}");

        assertFails(
                400,
                0,
                () -> patch(CosmosPatchOperations.create().set("/v", 3), "from c where ((("));
    }

    @OnOneAndFivePartitions
    void missingItemIsNotFound() {
        assertFails(404, 0, () -> patch(CosmosPatchOperations.create().set("/v", 1)));
    }

    @OnOneAndFivePartitions
    void patchGivesANewEtag() {
        create("{'v':1}");
        String before = read().get("_etag").asText();

        CosmosItemResponse<ObjectNode> patched = patch(CosmosPatchOperations.create().set("/v", 2));

        assertThat(patched.getETag()).isNotEqualTo(before).isEqualTo(read().get("_etag").asText());
    }

    private void create(String singleQuoted) {
        container.createItem(expected(singleQuoted));
    }

    private ObjectNode expected(String singleQuoted) {
        return json(singleQuoted.replace('\'', '"')).put("id", "1").put("pk", key);
    }

    private void assertPatched(CosmosPatchOperations operations, String singleQuoted) {
        CosmosItemResponse<ObjectNode> patched = patch(operations);
        assertThat(patched.getStatusCode()).isEqualTo(200);
        assertThat(own(patched.getItem())).isEqualTo(expected(singleQuoted));
        assertThat(read()).isEqualTo(patched.getItem());
    }

    private CosmosItemResponse<ObjectNode> patch(CosmosPatchOperations operations) {
        return container.patchItem("1", partitionKey, operations, ObjectNode.class);
    }

    private CosmosItemResponse<ObjectNode> patch(
            CosmosPatchOperations operations, String condition) {
        CosmosPatchItemRequestOptions options = new CosmosPatchItemRequestOptions();
        options.setFilterPredicate(condition);
        return container.patchItem("1", partitionKey, operations, options, ObjectNode.class);
    }

    private ObjectNode read() {
        return container.readItem("1", partitionKey, ObjectNode.class).getItem();
    }
}
