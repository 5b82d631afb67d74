package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.assertFails;
import static orrery.tests.sdk.Cosmos.item;
import static orrery.tests.sdk.Cosmos.uniqueName;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.CosmosScripts;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosPatchItemRequestOptions;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.CosmosStoredProcedureProperties;
import com.azure.cosmos.models.CosmosStoredProcedureRequestOptions;
import com.azure.cosmos.models.CosmosStoredProcedureResponse;
import com.azure.cosmos.models.CosmosTriggerProperties;
import com.azure.cosmos.models.CosmosUserDefinedFunctionProperties;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.ThroughputProperties;
import com.azure.cosmos.models.TriggerOperation;
import com.azure.cosmos.models.TriggerType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** Stored procedures, triggers and user-defined functions. */
@Tag("client")
final class ScriptTest {
    private final CosmosContainer container;
    private final CosmosScripts scripts;
    private final String key = uniqueName("key");
    private final PartitionKey partitionKey = new PartitionKey(key);

    ScriptTest(int throughput) {
        this.container = Cosmos.container(throughput, "/pk");
        this.scripts = container.getScripts();
    }

    @OnOneAndFivePartitions
    void proceduresAreResources() {
        String id = uniqueName("s");
        var created =
                scripts.createStoredProcedure(
                        new CosmosStoredProcedureProperties(id, "function () {}"));
        assertThat(created.getStatusCode()).isEqualTo(201);
        assertThat(created.getProperties().getETag()).isNotEmpty();
        assertFails(
                409,
                0,
                () ->
                        scripts.createStoredProcedure(
                                new CosmosStoredProcedureProperties(id, "function () {}")));

        var properties = scripts.getStoredProcedure(id).read().getProperties();
        assertThat(properties.getBody()).isEqualTo("function () {}");
        properties.setBody("function () { return 1; }");
        scripts.getStoredProcedure(id).replace(properties);
        assertThat(scripts.getStoredProcedure(id).read().getProperties().getBody())
                .contains("return 1");
        CosmosStoredProcedureRequestOptions stale = options();
        stale.setIfMatchETag(created.getProperties().getETag());
        assertFails(412, 0, () -> scripts.getStoredProcedure(id).replace(properties, stale));
        assertThat(
                        scripts.queryStoredProcedures(
                                "SELECT * FROM root r WHERE r.id = '" + id + "'",
                                new CosmosQueryRequestOptions()))
                .extracting(CosmosStoredProcedureProperties::getId)
                .containsExactly(id);
        assertThat(scripts.readAllStoredProcedures())
                .extracting(CosmosStoredProcedureProperties::getId)
                .contains(id);
        scripts.getStoredProcedure(id).delete();
        assertFails(404, 0, () -> scripts.getStoredProcedure(id).read());
    }

    @OnOneAndFivePartitions
    void triggersAreResources() {
        String id = uniqueName("t");
        CosmosTriggerProperties trigger = new CosmosTriggerProperties(id, "function () {}");
        trigger.setTriggerType(TriggerType.POST);
        trigger.setTriggerOperation(TriggerOperation.REPLACE);
        scripts.createTrigger(trigger);

        CosmosTriggerProperties read = scripts.getTrigger(id).read().getProperties();
        assertThat(read.getTriggerType()).isEqualTo(TriggerType.POST);
        assertThat(read.getTriggerOperation()).isEqualTo(TriggerOperation.REPLACE);
        read.setTriggerType(TriggerType.PRE);
        read.setTriggerOperation(TriggerOperation.ALL);
        scripts.getTrigger(id).replace(read);
        assertThat(scripts.getTrigger(id).read().getProperties().getTriggerType())
                .isEqualTo(TriggerType.PRE);
        assertThat(scripts.readAllTriggers())
                .extracting(CosmosTriggerProperties::getId)
                .contains(id);
        scripts.getTrigger(id).delete();
        assertFails(404, 0, () -> scripts.getTrigger(id).read());
    }

    @OnOneAndFivePartitions
    void functionsAreResources() {
        String id = uniqueName("f");
        scripts.createUserDefinedFunction(
                new CosmosUserDefinedFunctionProperties(id, "function (x) { return x; }"));
        assertThat(scripts.getUserDefinedFunction(id).read().getProperties().getBody())
                .contains("return x");
        assertThat(scripts.readAllUserDefinedFunctions())
                .extracting(CosmosUserDefinedFunctionProperties::getId)
                .contains(id);
        scripts.getUserDefinedFunction(id).delete();
        assertFails(404, 0, () -> scripts.getUserDefinedFunction(id).read());
    }

    @OnOneAndFivePartitions
    void whatIsNoJavaScriptFailsWhenItIsRun() {
        String id = uniqueName("s");
        scripts.createStoredProcedure(new CosmosStoredProcedureProperties(id, "function ( {"));
        CosmosStoredProcedureRequestOptions options = new CosmosStoredProcedureRequestOptions();
        options.setPartitionKey(new PartitionKey("a"));
        assertFails(400, 65535, () -> scripts.getStoredProcedure(id).execute(List.of(), options));
    }

    @OnOneAndFivePartitions
    void proceduresTakeArgumentsAndAnswer() {
        String id =
                procedure(
                        """
                        function (a, b) {
                            console.log('adding + 1 %');
                            getContext().getResponse().setBody({ sum: a + b.n });
                        }""");
        CosmosStoredProcedureRequestOptions options = options();
        options.setScriptLoggingEnabled(true);
        CosmosStoredProcedureResponse response =
                scripts.getStoredProcedure(id)
                        .execute(List.of(1, Cosmos.JSON.createObjectNode().put("n", 2)), options);

        assertThat(response.getStatusCode()).isEqualTo(200);
        assertThat(response.getResponseAsString()).isEqualTo("{\"sum\":3}");
        assertThat(response.getScriptLog()).contains("adding + 1 %");
        assertThat(response.getRequestCharge()).isGreaterThanOrEqualTo(0);
        assertThat(response.getSessionToken()).isNotEmpty();
    }

    @OnOneAndFivePartitions
    void proceduresWriteAllOrNothing() {
        String id =
                procedure(
                        """
                        function (pk, fails) {
                            var collection = getContext().getCollection();
                            var accepted = collection.createDocument(
                                collection.getSelfLink(), { id: 'made', pk: pk }, function (err) {
                                    if (err) throw err;
                                    if (fails) throw new Error('no, rather not');
                                });
                            getContext().getResponse().setBody(accepted);
                        }""");
        CosmosException failure =
                assertFails(
                        400,
                        400,
                        () ->
                                scripts.getStoredProcedure(id)
                                        .execute(List.of(key, true), options()));
        assertThat(failure.getMessage()).contains("no, rather not");
        assertThat(container.readAllItems(partitionKey, ObjectNode.class)).isEmpty();

        var done = scripts.getStoredProcedure(id).execute(List.of(key, false), options());
        assertThat(done.getResponseAsString()).isEqualTo("true");
        assertThat(container.readItem("made", partitionKey, ObjectNode.class).getStatusCode())
                .isEqualTo(200);
    }

    @OnOneAndFivePartitions
    void proceduresSeeTheItemsOfTheirKeyOnly() {
        container.createItem(item("mine", key));
        container.createItem(item("other", uniqueName("key")));
        String id =
                procedure(
                        """
                        function () {
                            var collection = getContext().getCollection();
                            collection.queryDocuments(
                                collection.getSelfLink(), 'SELECT VALUE c.id FROM c', {},
                                function (err, found) {
                                    if (err) throw err;
                                    getContext().getResponse().setBody(found);
                                });
                        }""");

        assertThat(
                        scripts.getStoredProcedure(id)
                                .execute(List.of(), options())
                                .getResponseAsString())
                .isEqualTo("[\"mine\"]");
    }

    @OnOneAndFivePartitions
    void queriesOfProceduresCallFunctions() {
        String function = uniqueName("half").replace('-', '_');
        scripts.createUserDefinedFunction(
                new CosmosUserDefinedFunctionProperties(
                        function, "function (n) { return n / 2; }"));
        for (int i = 0; i < 4; i++) {
            container.createItem(item(key + i, key).put("n", i * 10));
        }
        String id =
                procedure(
                        """
                        function (query) {
                            __.queryDocuments(__.getSelfLink(), query, {}, function (err, found) {
                                if (err) throw err;
                                getContext().getResponse().setBody(found);
                            });
                        }""");

        assertThat(
                        scripts.getStoredProcedure(id)
                                .execute(
                                        List.of(
                                                "SELECT VALUE udf.%s(c.n) FROM c WHERE udf.%s(c.n) > 5"
                                                        .formatted(function, function)),
                                        options())
                                .getResponseAsString())
                .isEqualTo("[10,15]");
        CosmosException failure =
                assertFails(
                        400,
                        400,
                        () ->
                                scripts.getStoredProcedure(id)
                                        .execute(
                                                List.of("SELECT VALUE udf.nobody(c.n) FROM c"),
                                                options()));
        assertThat(failure.getMessage()).contains("udf.nobody");
    }

    /**
     * The way of the service's sample: as much as is accepted, and the client asks until it is
     * done.
     */
    @OnOneAndFivePartitions
    void deletionOfManyGoesInRounds() {
        String id = uniqueName("c");
        Cosmos.database()
                .createContainer(
                        Cosmos.properties(id, "/pk"),
                        ThroughputProperties.createManualThroughput(10_000));
        CosmosContainer many = Cosmos.database().getContainer(id);
        many.getScripts()
                .createStoredProcedure(
                        new CosmosStoredProcedureProperties(
                                "fill",
                                """
                                function (pk, from, count) {
                                    var made = from;
                                    while (made < count && __.createDocument(__.getSelfLink(),
                                            { id: 'i' + made, pk: pk, number: made })) {
                                        made++;
                                    }
                                    getContext().getResponse().setBody(made);
                                }"""));
        many.getScripts()
                .createStoredProcedure(
                        new CosmosStoredProcedureProperties(
                                "bulkDelete",
                                """
                                function bulkDelete(query) {
                                    var answer = { deleted: 0, continuation: true };
                                    findMore();
                                    function findMore(continuation) {
                                        var accepted = __.queryDocuments(
                                            __.getSelfLink(), query, { continuation: continuation },
                                            function (err, found, options) {
                                                if (err) throw err;
                                                if (found.length > 0) {
                                                    tryDelete(found);
                                                } else if (options.continuation) {
                                                    findMore(options.continuation);
                                                } else {
                                                    answer.continuation = false;
                                                    getContext().getResponse().setBody(answer);
                                                }
                                            });
                                        if (!accepted) getContext().getResponse().setBody(answer);
                                    }
                                    function tryDelete(items) {
                                        if (items.length === 0) return findMore();
                                        var accepted = __.deleteDocument(
                                            items[0]._self, {}, function (err) {
                                                if (err) throw err;
                                                answer.deleted++;
                                                items.shift();
                                                tryDelete(items);
                                            });
                                        if (!accepted) getContext().getResponse().setBody(answer);
                                    }
                                }"""));
        int count = 500;
        int made = 0;
        while (made < count) {
            made =
                    Integer.parseInt(
                            many.getScripts()
                                    .getStoredProcedure("fill")
                                    .execute(List.<Object>of(key, made, count), options())
                                    .getResponseAsString());
        }
        many.createItem(item("other", uniqueName("key")));
        // At this rate a script may do some four hundred deletes.
        many.replaceThroughput(ThroughputProperties.createManualThroughput(400));

        List<Integer> rounds = new ArrayList<>();
        boolean isMore = true;
        while (isMore) {
            ObjectNode answer =
                    Cosmos.json(
                            many.getScripts()
                                    .getStoredProcedure("bulkDelete")
                                    .execute(List.of("SELECT c._self FROM c"), options())
                                    .getResponseAsString());
            rounds.add(answer.get("deleted").asInt());
            isMore = answer.get("continuation").asBoolean();
        }

        assertThat(rounds.stream().mapToInt(Integer::intValue).sum()).isEqualTo(count);
        assertThat(rounds).hasSizeGreaterThan(1);
        assertThat(many.readAllItems(partitionKey, ObjectNode.class)).isEmpty();
        assertThat(
                        many.queryItems(
                                "SELECT VALUE c.id FROM c",
                                new CosmosQueryRequestOptions(),
                                String.class))
                .containsExactly("other");
        many.delete();
    }

    @OnOneAndFivePartitions
    void patchesHaveNoTriggers() {
        String id = trigger(TriggerType.PRE, TriggerOperation.ALL, "function () {}");
        container.createItem(item("1", key));
        CosmosPatchItemRequestOptions options = new CosmosPatchItemRequestOptions();
        options.setPreTriggerInclude(List.of(id));

        CosmosException failure =
                assertFails(
                        400,
                        0,
                        () ->
                                container.patchItem(
                                        "1",
                                        partitionKey,
                                        CosmosPatchOperations.create().set("/v", 1),
                                        options,
                                        ObjectNode.class));
        assertThat(failure.getMessage()).contains("patch");
        assertThat(container.readItem("1", partitionKey, ObjectNode.class).getItem().has("v"))
                .isFalse();
    }

    @OnOneAndFivePartitions
    void preTriggersChangeWhatIsWritten() {
        String id =
                trigger(
                        TriggerType.PRE,
                        TriggerOperation.CREATE,
                        """
                        function () {
                            var request = getContext().getRequest();
                            var item = request.getBody();
                            item.stamp = 'set';
                            request.setBody(item);
                        }""");
        CosmosItemRequestOptions options = new CosmosItemRequestOptions();
        options.setPreTriggerInclude(List.of(id));

        var created = container.createItem(item("1", key), partitionKey, options);
        assertThat(created.getItem().get("stamp").asText()).isEqualTo("set");
        assertThat(
                        container
                                .readItem("1", partitionKey, ObjectNode.class)
                                .getItem()
                                .get("stamp")
                                .asText())
                .isEqualTo("set");
        assertFails(
                400, 0, () -> container.replaceItem(item("1", key), "1", partitionKey, options));
    }

    @OnOneAndFivePartitions
    void postTriggersUndoWhatTheyRefuse() {
        String id =
                trigger(
                        TriggerType.POST,
                        TriggerOperation.ALL,
                        """
                        function () {
                            if (getContext().getResponse().getBody().bad) throw new Error('bad');
                        }""");
        CosmosItemRequestOptions options = new CosmosItemRequestOptions();
        options.setPostTriggerInclude(List.of(id));

        container.createItem(item("good", key), partitionKey, options);
        assertFails(
                400,
                400,
                () ->
                        container.createItem(
                                item("worse", key).put("bad", true), partitionKey, options));
        assertThat(container.readAllItems(partitionKey, ObjectNode.class))
                .extracting(each -> each.get("id").asText())
                .containsExactly("good");
    }

    @OnOneAndFivePartitions
    void unknownTriggersAreRefused() {
        CosmosItemRequestOptions options = new CosmosItemRequestOptions();
        options.setPreTriggerInclude(List.of(uniqueName("none")));

        assertFails(400, 0, () -> container.createItem(item("1", key), partitionKey, options));
        assertThat(container.readAllItems(partitionKey, ObjectNode.class)).isEmpty();
    }

    @OnOneAndFivePartitions
    void queriesCallFunctions() {
        String name = uniqueName("twice").replace('-', '_');
        scripts.createUserDefinedFunction(
                new CosmosUserDefinedFunctionProperties(name, "function (n) { return n * 2; }"));
        for (int i = 0; i < 8; i++) {
            container.createItem(item(key + i, key + i).put("run", key).put("n", i));
        }
        String where = " FROM c WHERE c.run = '" + key + "'";

        assertThat(numbers("SELECT VALUE udf." + name + "(c.n)" + where + " ORDER BY c.n"))
                .containsExactly(0, 2, 4, 6, 8, 10, 12, 14);
        assertThat(numbers("SELECT VALUE c.n" + where + " AND udf." + name + "(c.n) > 10"))
                .containsExactlyInAnyOrder(6, 7);
        assertThat(numbers("SELECT VALUE SUM(udf." + name + "(c.n))" + where)).containsExactly(56);
        assertFails(400, 0, () -> numbers("SELECT VALUE udf.nobody(c.n)" + where));
    }

    /** The SDK adds up sums of several partitions as doubles. */
    private List<Integer> numbers(String query) {
        return container.queryItems(query, new CosmosQueryRequestOptions(), JsonNode.class).stream()
                .map(JsonNode::asInt)
                .toList();
    }

    private String procedure(String body) {
        String id = uniqueName("s");
        scripts.createStoredProcedure(new CosmosStoredProcedureProperties(id, body));
        return id;
    }

    private String trigger(TriggerType type, TriggerOperation operation, String body) {
        String id = uniqueName("t");
        CosmosTriggerProperties trigger = new CosmosTriggerProperties(id, body);
        trigger.setTriggerType(type);
        trigger.setTriggerOperation(operation);
        scripts.createTrigger(trigger);
        return id;
    }

    private CosmosStoredProcedureRequestOptions options() {
        CosmosStoredProcedureRequestOptions options = new CosmosStoredProcedureRequestOptions();
        options.setPartitionKey(partitionKey);
        return options;
    }
}
