package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static orrery.tests.sdk.Cosmos.assertFails;
import static orrery.tests.sdk.Cosmos.database;
import static orrery.tests.sdk.Cosmos.item;
import static orrery.tests.sdk.Cosmos.properties;
import static orrery.tests.sdk.Cosmos.uniqueName;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.ChangeFeedPolicy;
import com.azure.cosmos.models.CompositePath;
import com.azure.cosmos.models.CompositePathSortOrder;
import com.azure.cosmos.models.ConflictResolutionMode;
import com.azure.cosmos.models.ConflictResolutionPolicy;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosContainerRequestOptions;
import com.azure.cosmos.models.CosmosContainerResponse;
import com.azure.cosmos.models.ExcludedPath;
import com.azure.cosmos.models.IncludedPath;
import com.azure.cosmos.models.IndexingMode;
import com.azure.cosmos.models.IndexingPolicy;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.PartitionKeyDefinitionVersion;
import com.azure.cosmos.models.PartitionKind;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** Containers: create, read, replace, list, query, delete, and what is not there yet. */
@Tag("client")
final class ContainerTest {
    private final ThroughputProperties throughput;
    private final int partitions;

    ContainerTest(int throughput) {
        this.throughput = ThroughputProperties.createManualThroughput(throughput);
        this.partitions = throughput == Cosmos.FIVE ? 5 : 1;
    }

    @OnOneAndFivePartitions
    void createReadDelete() {
        String id = uniqueName("c");

        CosmosContainerResponse created = create(properties(id, "/pk"));
        assertThat(created.getStatusCode()).isEqualTo(201);
        assertThat(created.getProperties().getResourceId()).isNotEmpty();
        assertThat(created.getRequestCharge()).isPositive();

        CosmosContainerProperties read = container(id).read().getProperties();
        assertThat(read.getId()).isEqualTo(id);
        assertThat(read.getETag()).isEqualTo(created.getProperties().getETag());
        assertThat(read.getPartitionKeyDefinition().getPaths()).containsExactly("/pk");
        assertThat(read.getPartitionKeyDefinition().getVersion())
                .isEqualTo(PartitionKeyDefinitionVersion.V2);
        assertThat(read.getIndexingPolicy().getIndexingMode()).isEqualTo(IndexingMode.CONSISTENT);
        assertThat(read.getIndexingPolicy().isAutomatic()).isTrue();
        assertThat(read.getIndexingPolicy().getIncludedPaths())
                .extracting(IncludedPath::getPath)
                .containsExactly("/*");
        assertThat(read.getDefaultTimeToLiveInSeconds()).isNull();
        assertThat(container(id).getFeedRanges()).hasSize(partitions);

        assertThat(container(id).delete().getStatusCode()).isEqualTo(204);
        assertFails(404, 0, () -> container(id).read());
        assertFails(404, 0, () -> container(id).delete());
    }

    @OnOneAndFivePartitions
    void containerOfTheShortConstructorHasTheFirstHashVersion() {
        String id = uniqueName("c");
        create(new CosmosContainerProperties(id, "/pk"));

        CosmosContainerProperties read = container(id).read().getProperties();
        assertThat(read.getPartitionKeyDefinition().getKind()).isEqualTo(PartitionKind.HASH);
        assertThat(read.getPartitionKeyDefinition().getVersion())
                .isIn(null, PartitionKeyDefinitionVersion.V1);
        assertThat(container(id).getFeedRanges()).hasSize(partitions);
    }

    @OnOneAndFivePartitions
    void hierarchicalKeyIsKept() {
        String id = uniqueName("c");
        create(properties(id, "/a", "/b/c", "/d"));

        CosmosContainerProperties read = container(id).read().getProperties();
        assertThat(read.getPartitionKeyDefinition().getKind()).isEqualTo(PartitionKind.MULTI_HASH);
        assertThat(read.getPartitionKeyDefinition().getPaths()).containsExactly("/a", "/b/c", "/d");
    }

    @OnOneAndFivePartitions
    void moreThanThreeLevelsAreRefused() {
        assertFails(400, 0, () -> create(properties(uniqueName("c"), "/a", "/b", "/c", "/d")));
    }

    @OnOneAndFivePartitions
    void takenNameConflicts() {
        String id = uniqueName("c");
        create(properties(id, "/pk"));

        assertFails(409, 0, () -> create(properties(id, "/other")));
    }

    @OnOneAndFivePartitions
    void createIfNotExists() {
        String id = uniqueName("c");

        assertThat(
                        database()
                                .createContainerIfNotExists(properties(id, "/pk"), throughput)
                                .getStatusCode())
                .isEqualTo(201);
        assertThat(
                        database()
                                .createContainerIfNotExists(properties(id, "/pk"), throughput)
                                .getStatusCode())
                .isEqualTo(200);
    }

    @OnOneAndFivePartitions
    void replaceChangesTheIndexingPolicyOnly() {
        String id = uniqueName("c");
        create(properties(id, "/pk"));
        CosmosContainer container = container(id);
        container.createItem(item("1", "k"));
        CosmosContainerProperties before = container.read().getProperties();

        IndexingPolicy policy = new IndexingPolicy();
        policy.setIndexingMode(IndexingMode.CONSISTENT);
        policy.setIncludedPaths(List.of(new IncludedPath("/name/?"), new IncludedPath("/o/*")));
        policy.setExcludedPaths(List.of(new ExcludedPath("/*")));
        policy.setCompositeIndexes(
                List.of(
                        List.of(
                                new CompositePath()
                                        .setPath("/a")
                                        .setOrder(CompositePathSortOrder.ASCENDING),
                                new CompositePath()
                                        .setPath("/b")
                                        .setOrder(CompositePathSortOrder.DESCENDING))));
        CosmosContainerResponse replaced =
                container.replace(container.read().getProperties().setIndexingPolicy(policy));
        assertThat(replaced.getStatusCode()).isEqualTo(200);

        CosmosContainerProperties after = container.read().getProperties();
        assertThat(after.getResourceId()).isEqualTo(before.getResourceId());
        assertThat(after.getETag()).isNotEqualTo(before.getETag());
        assertThat(after.getIndexingPolicy().getIncludedPaths())
                .extracting(IncludedPath::getPath)
                .containsExactlyInAnyOrder("/name/?", "/o/*");
        assertThat(after.getIndexingPolicy().getExcludedPaths())
                .extracting(ExcludedPath::getPath)
                .contains("/*");
        assertThat(after.getIndexingPolicy().getCompositeIndexes()).hasSize(1);
        assertThat(container.readItem("1", new PartitionKey("k"), ObjectNode.class).getItem())
                .isNotNull();
    }

    @OnOneAndFivePartitions
    void replaceHonoursTheEtag() {
        String id = uniqueName("c");
        create(properties(id, "/pk"));
        CosmosContainerProperties read = container(id).read().getProperties();
        IndexingPolicy policy = new IndexingPolicy();
        policy.setIndexingMode(IndexingMode.NONE);
        policy.setAutomatic(false);
        CosmosContainerRequestOptions ifMatch =
                new CosmosContainerRequestOptions().setIfMatchETag(read.getETag());

        container(id).replace(read.setIndexingPolicy(policy), ifMatch);

        assertThat(container(id).read().getProperties().getIndexingPolicy().getIndexingMode())
                .isEqualTo(IndexingMode.NONE);
        assertFails(
                412, 0, () -> container(id).replace(container(id).read().getProperties(), ifMatch));
    }

    @OnOneAndFivePartitions
    void replaceCannotChangeThePartitionKey() {
        String id = uniqueName("c");
        create(properties(id, "/pk"));

        CosmosContainerProperties changed = container(id).read().getProperties();
        changed.setPartitionKeyDefinition(properties(id, "/other").getPartitionKeyDefinition());

        assertFails(400, 0, () -> container(id).replace(changed));
        assertThat(container(id).read().getProperties().getPartitionKeyDefinition().getPaths())
                .containsExactly("/pk");
    }

    @OnOneAndFivePartitions
    void listAndQuery() {
        String databaseId = uniqueName("db");
        Cosmos.client().createDatabase(databaseId);
        CosmosDatabase database = Cosmos.client().getDatabase(databaseId);
        for (String id : List.of("a", "b", "c")) {
            database.createContainer(properties(id, "/pk"), throughput);
        }

        assertThat(ids(database.readAllContainers())).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(
                        ids(
                                database.queryContainers(
                                        new SqlQuerySpec(
                                                "SELECT * FROM root r WHERE r.id = @id",
                                                new SqlParameter("@id", "b")))))
                .containsExactly("b");
        assertThat(ids(database.queryContainers("SELECT * FROM c"))).hasSize(3);
        List<String> paged = new ArrayList<>();
        database.readAllContainers()
                .iterableByPage(2)
                .forEach(page -> paged.addAll(ids(page.getResults())));
        assertThat(paged).containsExactlyInAnyOrder("a", "b", "c");
    }

    @OnOneAndFivePartitions
    void quotaInformationIsGivenWhenAskedFor() {
        String id = uniqueName("c");
        create(properties(id, "/pk"));

        CosmosContainerResponse read =
                container(id).read(new CosmosContainerRequestOptions().setQuotaInfoEnabled(true));

        assertThat(read.getResponseHeaders())
                .containsKeys("x-ms-resource-quota", "x-ms-resource-usage");
    }

    @OnOneAndFivePartitions
    void missingDatabase() {
        CosmosDatabase missing = Cosmos.client().getDatabase(uniqueName("missing"));

        assertThat(
                        catchThrowableOfType(
                                        CosmosException.class,
                                        () -> missing.createContainer(properties("c", "/pk")))
                                .getStatusCode())
                .isEqualTo(404);
    }

    @OnOneAndFivePartitions
    void settingsThatAreNotThereYetAreNamed() {
        refused(
                "analyticalStorageTtl",
                properties(uniqueName("c"), "/pk").setAnalyticalStoreTimeToLiveInSeconds(-1));
    }

    @OnOneAndFivePartitions
    void changeRetentionIsKeptAndCanBeChanged() {
        String id = uniqueName("c");
        create(
                properties(id, "/pk")
                        .setChangeFeedPolicy(
                                ChangeFeedPolicy.createAllVersionsAndDeletesPolicy(
                                        Duration.ofMinutes(5))));
        CosmosContainerProperties properties = container(id).read().getProperties();
        assertThat(
                        properties
                                .getChangeFeedPolicy()
                                .getRetentionDurationForAllVersionsAndDeletesPolicy())
                .isEqualTo(Duration.ofMinutes(5));

        container(id)
                .replace(
                        properties.setChangeFeedPolicy(
                                ChangeFeedPolicy.createAllVersionsAndDeletesPolicy(
                                        Duration.ofDays(30))));

        assertThat(
                        container(id)
                                .read()
                                .getProperties()
                                .getChangeFeedPolicy()
                                .getRetentionDurationForAllVersionsAndDeletesPolicy())
                .isEqualTo(Duration.ofDays(30));
        refused(
                "changeFeedPolicy",
                properties(uniqueName("c"), "/pk")
                        .setChangeFeedPolicy(
                                ChangeFeedPolicy.createAllVersionsAndDeletesPolicy(
                                        Duration.ofDays(31))));
    }

    /** With one region there are no conflicts, so keeping the policy is all there is to do. */
    @OnOneAndFivePartitions
    void conflictResolutionPolicyIsKept() {
        String id = uniqueName("c");
        create(
                properties(id, "/pk")
                        .setConflictResolutionPolicy(
                                ConflictResolutionPolicy.createLastWriterWinsPolicy("/version")));

        ConflictResolutionPolicy policy =
                container(id).read().getProperties().getConflictResolutionPolicy();
        assertThat(policy.getMode()).isEqualTo(ConflictResolutionMode.LAST_WRITER_WINS);
        assertThat(policy.getConflictResolutionPath()).isEqualTo("/version");
    }

    @OnOneAndFivePartitions
    void customConflictResolutionIsKept() {
        String id = uniqueName("c");
        String database = Cosmos.database().getId();
        create(
                properties(id, "/pk")
                        .setConflictResolutionPolicy(
                                ConflictResolutionPolicy.createCustomPolicy(
                                        database, id, "resolver")));
        ConflictResolutionPolicy policy =
                container(id).read().getProperties().getConflictResolutionPolicy();
        assertThat(policy.getMode()).isEqualTo(ConflictResolutionMode.CUSTOM);
        assertThat(policy.getConflictResolutionProcedure())
                .isEqualTo("dbs/" + database + "/colls/" + id + "/sprocs/resolver");

        // Without a procedure conflicts would be left to whoever reads them.
        String manual = uniqueName("c");
        create(
                properties(manual, "/pk")
                        .setConflictResolutionPolicy(
                                ConflictResolutionPolicy.createCustomPolicy()));
        assertThat(container(manual).read().getProperties().getConflictResolutionPolicy().getMode())
                .isEqualTo(ConflictResolutionMode.CUSTOM);
    }

    @OnOneAndFivePartitions
    void settingsThatAreNotThereYetAreRefusedOnReplaceToo() {
        String id = uniqueName("c");
        create(properties(id, "/pk"));

        assertThat(
                        assertFails(
                                        400,
                                        0,
                                        () ->
                                                container(id)
                                                        .replace(
                                                                container(id)
                                                                        .read()
                                                                        .getProperties()
                                                                        .setAnalyticalStoreTimeToLiveInSeconds(
                                                                                -1)))
                                .getShortMessage())
                .contains("analyticalStorageTtl");
    }

    @OnOneAndFivePartitions
    void deletedContainerIsMissedByAClientThatKnewIt() {
        String id = uniqueName("c");
        create(properties(id, "/pk"));
        CosmosContainer container = container(id);
        container.createItem(item("1", "k"));
        try (CosmosClient other = Cosmos.newClient(Cosmos.server())) {
            other.getDatabase(database().getId()).getContainer(id).delete();
        }

        assertFails(
                404, 1003, () -> container.readItem("1", new PartitionKey("k"), ObjectNode.class));
        assertFails(404, 1003, () -> container.createItem(item("2", "k")));
    }

    @OnOneAndFivePartitions
    void itemOfAContainerThatNeverWas() {
        CosmosContainer missing = container(uniqueName("missing"));

        assertFails(
                404, 1003, () -> missing.readItem("1", new PartitionKey("k"), ObjectNode.class));
    }

    @OnOneAndFivePartitions
    void recreatedContainerIsFoundByAClientThatKnewTheOldOne() {
        String id = uniqueName("c");
        create(properties(id, "/pk"));
        CosmosContainer container = container(id);
        container.createItem(item("old", "k"));
        try (CosmosClient other = Cosmos.newClient(Cosmos.server())) {
            CosmosDatabase database = other.getDatabase(database().getId());
            database.getContainer(id).delete();
            database.createContainer(properties(id, "/pk"), throughput);
        }

        assertThat(container.createItem(item("new", "k")).getStatusCode()).isEqualTo(201);
        assertThat(
                        container
                                .readItem("new", new PartitionKey("k"), ObjectNode.class)
                                .getStatusCode())
                .isEqualTo(200);
        assertFails(
                404, 0, () -> container.readItem("old", new PartitionKey("k"), ObjectNode.class));
    }

    @OnOneAndFivePartitions
    void recreatedContainerMayHaveAnotherKey() {
        String id = uniqueName("c");
        create(properties(id, "/pk"));
        CosmosContainer container = container(id);
        container.createItem(item("old", "k"));
        try (CosmosClient other = Cosmos.newClient(Cosmos.server())) {
            CosmosDatabase database = other.getDatabase(database().getId());
            database.getContainer(id).delete();
            database.createContainer(properties(id, "/other"), throughput);
        }

        assertThat(container.createItem(item("new", "k").put("other", "o")).getStatusCode())
                .isEqualTo(201);
        assertThat(
                        container
                                .readItem("new", new PartitionKey("o"), ObjectNode.class)
                                .getStatusCode())
                .isEqualTo(200);
    }

    private CosmosContainerResponse create(CosmosContainerProperties properties) {
        return database().createContainer(properties, throughput);
    }

    private static CosmosContainer container(String id) {
        return database().getContainer(id);
    }

    private void refused(String name, CosmosContainerProperties properties) {
        assertThat(assertFails(400, 0, () -> create(properties)).getShortMessage())
                .containsIgnoringCase(name);
        assertFails(404, 0, () -> container(properties.getId()).read());
    }

    private static List<String> ids(Iterable<CosmosContainerProperties> containers) {
        List<String> ids = new ArrayList<>();
        containers.forEach(container -> ids.add(container.getId()));
        return ids;
    }
}
