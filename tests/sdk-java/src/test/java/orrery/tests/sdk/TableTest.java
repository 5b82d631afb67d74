package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Tables.assertRefused;

import com.azure.core.http.rest.PagedResponse;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import com.azure.data.tables.models.TableTransactionFailedException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** Tables with the unmodified {@code com.azure:azure-data-tables}. */
@Tag("client")
@Timeout(300)
final class TableTest {
    /** Every type that a property has, and its edges. */
    private static final Map<String, Object> TYPED =
            Map.ofEntries(
                    Map.entry("text", "it's \"ü\" 漢🚀\n"),
                    Map.entry("empty", ""),
                    Map.entry("yes", true),
                    Map.entry("small", Integer.MIN_VALUE),
                    Map.entry("large", 9007199254740993L),
                    Map.entry("lowest", Long.MIN_VALUE),
                    Map.entry("real", 1.5),
                    Map.entry("whole", 3.0),
                    Map.entry("guid", UUID.fromString("a455c695-df98-5678-aaaa-81d3367e5a34")),
                    Map.entry(
                            "moment",
                            OffsetDateTime.of(2026, 1, 2, 3, 4, 5, 123_456_700, ZoneOffset.UTC)),
                    Map.entry("early", OffsetDateTime.of(1601, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC)),
                    Map.entry("bytes", new byte[] {0, 1, 127, -128, -1}));

    private final TableClient table;

    TableTest(int throughput) {
        table = Tables.create(Cosmos.server(), throughput);
    }

    private static TableEntity entity(String rowKey, Object... properties) {
        TableEntity entity = new TableEntity("p", rowKey);
        for (int i = 0; i < properties.length; i += 2) {
            entity.addProperty((String) properties[i], properties[i + 1]);
        }
        return entity;
    }

    /** Without keys, ETag and whatever else the service adds. */
    private static Map<String, Object> own(TableEntity entity) {
        Map<String, Object> properties = new TreeMap<>(entity.getProperties());
        properties
                .keySet()
                .removeIf(
                        name ->
                                name.contains("odata.")
                                        || List.of("PartitionKey", "RowKey", "Timestamp")
                                                .contains(name));
        return properties;
    }

    private List<String> keys(String filter) {
        ListEntitiesOptions options = new ListEntitiesOptions();
        if (!filter.isEmpty()) {
            options.setFilter(filter);
        }
        return table.listEntities(options, null, null).stream()
                .map(found -> found.getPartitionKey() + "/" + found.getRowKey())
                .toList();
    }

    @OnOneAndFivePartitions
    void everyTypeComesBack() {
        TableEntity entity = entity("r");
        TYPED.forEach(entity::addProperty);
        table.createEntity(entity);

        TableEntity read = table.getEntity("p", "r");
        assertThat(own(read)).containsOnlyKeys(TYPED.keySet());
        TYPED.forEach(
                (name, value) -> assertThat(read.getProperty(name)).as(name).isEqualTo(value));
        assertThat(read.getETag()).startsWith("W/\"datetime'");
        TableEntity listed = table.listEntities().iterator().next();
        assertThat(listed.getETag()).isEqualTo(read.getETag());
        assertThat(listed.getTimestamp()).isEqualTo(read.getTimestamp());

        // The SDK sends back everything that it has read.
        read.addProperty("more", 1);
        table.updateEntityWithResponse(read, TableEntityUpdateMode.REPLACE, true, null, null);
        assertThat(own(table.getEntity("p", "r"))).hasSize(TYPED.size() + 1);
    }

    @OnOneAndFivePartitions
    void entitiesAreWrittenInEveryWay() {
        assertRefused(404, "ResourceNotFound", () -> table.getEntity("p", "r"));
        assertRefused(404, "ResourceNotFound", () -> table.updateEntity(entity("r", "a", 1)));
        table.createEntity(entity("r", "a", 1, "b", 1));
        assertRefused(409, "EntityAlreadyExists", () -> table.createEntity(entity("r")));
        table.updateEntity(entity("r", "b", 2), TableEntityUpdateMode.MERGE);
        assertThat(own(table.getEntity("p", "r"))).isEqualTo(Map.of("a", 1, "b", 2));
        table.updateEntity(entity("r", "b", 3), TableEntityUpdateMode.REPLACE);
        assertThat(own(table.getEntity("p", "r"))).isEqualTo(Map.of("b", 3));
        table.upsertEntity(entity("r", "c", "x"));
        assertThat(own(table.getEntity("p", "r"))).isEqualTo(Map.of("b", 3, "c", "x"));
        table.upsertEntityWithResponse(
                entity("r", "c", "y"), TableEntityUpdateMode.REPLACE, null, null);
        assertThat(own(table.getEntity("p", "r"))).isEqualTo(Map.of("c", "y"));

        TableEntity first = table.getEntity("p", "r");
        table.updateEntityWithResponse(
                entityWith(first, "n", 1), TableEntityUpdateMode.MERGE, true, null, null);
        assertRefused(
                412,
                "UpdateConditionNotSatisfied",
                () ->
                        table.updateEntityWithResponse(
                                entityWith(first, "n", 2),
                                TableEntityUpdateMode.REPLACE,
                                true,
                                null,
                                null));
        assertRefused(
                412,
                "UpdateConditionNotSatisfied",
                () -> table.deleteEntityWithResponse(first, true, null, null));
        table.deleteEntityWithResponse(table.getEntity("p", "r"), true, null, null);
        // The SDK says nothing where there is nothing to delete.
        table.deleteEntity("p", "r");
        assertThat(table.listEntities()).isEmpty();
    }

    private static TableEntity entityWith(TableEntity read, String name, Object value) {
        return read.addProperty(name, value);
    }

    @OnOneAndFivePartitions
    void transactionsAreWholeOrSayWhatFailed() {
        table.createEntity(entity("merged", "a", 1, "b", 1));
        table.createEntity(entity("replaced", "a", 1));
        table.createEntity(entity("deleted"));
        List<TableTransactionAction> actions =
                List.of(
                        action(TableTransactionActionType.CREATE, entity("it's new 漢", "a", 1L)),
                        action(TableTransactionActionType.UPDATE_MERGE, entity("merged", "b", 2)),
                        action(
                                TableTransactionActionType.UPDATE_REPLACE,
                                entity("replaced", "b", 2)),
                        action(TableTransactionActionType.UPSERT_MERGE, entity("um", "b", 2)),
                        action(TableTransactionActionType.UPSERT_REPLACE, entity("ur", "b", 2)),
                        action(TableTransactionActionType.DELETE, entity("deleted")));
        var result = table.submitTransaction(actions);
        assertThat(result.getTransactionActionResponses())
                .allSatisfy(each -> assertThat(each.getStatusCode()).isEqualTo(204));
        assertThat(keys(""))
                .containsExactly("p/it's new 漢", "p/merged", "p/replaced", "p/um", "p/ur");
        assertThat(own(table.getEntity("p", "merged"))).isEqualTo(Map.of("a", 1, "b", 2));
        assertThat(own(table.getEntity("p", "replaced"))).isEqualTo(Map.of("b", 2));

        List<TableTransactionAction> failing =
                List.of(
                        action(TableTransactionActionType.DELETE, entity("um")),
                        action(TableTransactionActionType.CREATE, entity("x")),
                        action(TableTransactionActionType.CREATE, entity("merged")));
        Assertions.assertThatThrownBy(() -> table.submitTransaction(failing))
                .isInstanceOfSatisfying(
                        TableTransactionFailedException.class,
                        refusal -> {
                            assertThat(refusal.getFailedTransactionActionIndex()).isEqualTo(2);
                            assertThat(refusal.getValue().getErrorCode().toString())
                                    .isEqualTo("EntityAlreadyExists");
                        });
        assertThat(keys("")).hasSize(5);
    }

    private static TableTransactionAction action(
            TableTransactionActionType type, TableEntity entity) {
        return new TableTransactionAction(type, entity);
    }

    @OnOneAndFivePartitions
    void queriesFilterSelectAndGoOnPageByPage() {
        for (String key : List.of("a", "b", "c")) {
            table.submitTransaction(
                    IntStream.range(0, 20)
                            .mapToObj(
                                    i ->
                                            action(
                                                    TableTransactionActionType.CREATE,
                                                    new TableEntity(key, "%02d".formatted(i))
                                                            .addProperty("n", i)
                                                            .addProperty("l", i * 10_000_000_000L)
                                                            .addProperty("d", i / 4.0)
                                                            .addProperty("b", i % 2 == 0)
                                                            .addProperty("s", "s" + i % 7)))
                            .toList());
        }
        assertThat(keys("")).hasSize(60).isSorted();
        assertThat(keys("PartitionKey eq 'b' and RowKey ge '03' and RowKey lt '06'"))
                .containsExactly("b/03", "b/04", "b/05");
        assertThat(keys("l eq 70000000000L")).containsExactly("a/07", "b/07", "c/07");
        assertThat(keys("d gt 4.5")).containsExactly("a/19", "b/19", "c/19");
        assertThat(keys("not (n lt 19) and b eq false")).hasSize(3);
        assertThat(keys("s eq 's6' and n gt 6 or PartitionKey eq 'c' and n eq 0"))
                .containsExactly("a/13", "b/13", "c/00", "c/13");

        ListEntitiesOptions paged =
                new ListEntitiesOptions().setFilter("n ge 5").setTop(7).setSelect(List.of("n"));
        List<Integer> found = new ArrayList<>();
        for (PagedResponse<TableEntity> page :
                table.listEntities(paged, null, null).iterableByPage()) {
            assertThat(page.getValue()).hasSizeLessThanOrEqualTo(7);
            page.getValue().forEach(each -> found.add((Integer) each.getProperty("n")));
        }
        assertThat(found).hasSize(45);
        // Not the exception of all other calls.
        Assertions.assertThatThrownBy(() -> keys("n eq"))
                .hasMessageContainingAll("400", "InvalidInput");
    }

    @OnOneAndFivePartitions
    void keysHaveAwkwardCharacters() {
        for (String key :
                List.of(
                        "it's",
                        "''",
                        "\"",
                        "a b",
                        "%",
                        "%25",
                        "+",
                        "&=",
                        "$@!*()",
                        ",;:",
                        "[]{}|^",
                        "<>",
                        "ü漢🚀",
                        "x' or '1' eq '1")) {
            TableEntity entity = new TableEntity("p" + key, key + ".").addProperty("key", key);
            table.createEntity(entity);
            assertThat(table.getEntity("p" + key, key + ".").getProperty("key")).isEqualTo(key);
            table.submitTransaction(
                    List.of(
                            action(
                                    TableTransactionActionType.UPDATE_MERGE,
                                    new TableEntity("p" + key, key + ".").addProperty("m", key))));
            assertThat(table.getEntity("p" + key, key + ".").getProperty("m")).isEqualTo(key);
            table.deleteEntity("p" + key, key + ".");
            assertThat(table.listEntities()).isEmpty();
        }
    }
}
