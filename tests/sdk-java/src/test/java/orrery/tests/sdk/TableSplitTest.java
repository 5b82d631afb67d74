package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.rest.PagedResponse;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.ThroughputProperties;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import com.microsoft.azure.storage.CloudStorageAccount;
import com.microsoft.azure.storage.ResultSegment;
import com.microsoft.azure.storage.StorageException;
import com.microsoft.azure.storage.table.CloudTable;
import com.microsoft.azure.storage.table.DynamicTableEntity;
import com.microsoft.azure.storage.table.TableBatchOperation;
import com.microsoft.azure.storage.table.TableOperation;
import com.microsoft.azure.storage.table.TableQuery;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Both generations of the Java SDK go on with their pages while the table is split. */
@Tag("client")
@Timeout(300)
final class TableSplitTest {
    private static final int KEYS = 24;
    private static final int PAGE = 5;

    @Test
    void pagesGoOnAndEntitiesStayWhereTheyAre()
            throws URISyntaxException, GeneralSecurityException, StorageException {
        try (SmallPartitions small = SmallPartitions.start()) {
            TableClient table = Tables.create(small.server(), SmallPartitions.THROUGHPUT);
            CloudTable old =
                    CloudStorageAccount.parse(Tables.azuriteConnectionString(small.server()))
                            .createCloudTableClient()
                            .getTableReference(table.getTableName());
            CosmosContainer container =
                    small.client().getDatabase("TablesDB").getContainer(table.getTableName());
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < KEYS; i++) {
                String key = "k%02d".formatted(i);
                table.createEntity(new TableEntity(key, "r"));
                expected.add(key);
            }

            Iterator<PagedResponse<TableEntity>> pages =
                    table.listEntities(new ListEntitiesOptions().setTop(PAGE), null, null)
                            .iterableByPage()
                            .iterator();
            TableQuery<DynamicTableEntity> query =
                    TableQuery.from(DynamicTableEntity.class).take(PAGE);
            ResultSegment<DynamicTableEntity> segment = old.executeSegmented(query, null);
            List<String> seen = new ArrayList<>();
            List<String> seenByOld = new ArrayList<>();
            see(segment, seenByOld);
            see(pages.next(), seen);
            for (int partitions : new int[] {2, 5}) {
                scale(container, partitions);
                segment = old.executeSegmented(query, segment.getContinuationToken());
                see(segment, seenByOld);
                see(pages.next(), seen);
            }
            while (segment.getHasMoreResults()) {
                segment = old.executeSegmented(query, segment.getContinuationToken());
                see(segment, seenByOld);
            }
            pages.forEachRemaining(page -> see(page, seen));
            assertThat(seen).isEqualTo(expected);
            assertThat(seenByOld).isEqualTo(expected);

            for (String key : expected) {
                writeEverything(table, old, key);
            }
        }
    }

    private static void writeEverything(TableClient table, CloudTable old, String key)
            throws StorageException {
        TableEntity entity = table.getEntity(key, "r");
        table.updateEntityWithResponse(
                entity.addProperty("n", 1), TableEntityUpdateMode.MERGE, true, null, null);
        table.submitTransaction(
                List.of(
                        new TableTransactionAction(
                                TableTransactionActionType.UPSERT_REPLACE,
                                new TableEntity(key, "s"))));
        DynamicTableEntity read =
                old.execute(TableOperation.retrieve(key, "r", DynamicTableEntity.class))
                        .getResultAsType();
        assertThat(read.getProperties())
                .hasEntrySatisfying(
                        "n", value -> assertThat(value.getValueAsInteger()).isEqualTo(1));
        TableBatchOperation batch = new TableBatchOperation();
        batch.delete(read);
        batch.insert(new DynamicTableEntity(key, "t"));
        assertThat(old.execute(batch)).hasSize(2);
    }

    private static void see(PagedResponse<TableEntity> page, List<String> seen) {
        assertThat(page.getValue()).hasSizeLessThanOrEqualTo(PAGE);
        page.getValue().forEach(entity -> seen.add(entity.getPartitionKey()));
    }

    private static void see(ResultSegment<DynamicTableEntity> page, List<String> seen) {
        assertThat(page.getResults()).hasSizeLessThanOrEqualTo(PAGE);
        page.getResults().forEach(entity -> seen.add(entity.getPartitionKey()));
    }

    private static void scale(CosmosContainer container, int partitions) {
        container.replaceThroughput(
                ThroughputProperties.createManualThroughput(
                        partitions * SmallPartitions.THROUGHPUT));
        while (container.readThroughput().isReplacePending()) {
            Thread.onSpinWait();
        }
        KeyRange.await(container, partitions);
    }
}
