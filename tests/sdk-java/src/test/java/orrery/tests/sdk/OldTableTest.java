package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.microsoft.azure.storage.CloudStorageAccount;
import com.microsoft.azure.storage.StorageException;
import com.microsoft.azure.storage.table.CloudTable;
import com.microsoft.azure.storage.table.CloudTableClient;
import com.microsoft.azure.storage.table.DynamicTableEntity;
import com.microsoft.azure.storage.table.EntityProperty;
import com.microsoft.azure.storage.table.TableBatchOperation;
import com.microsoft.azure.storage.table.TableOperation;
import com.microsoft.azure.storage.table.TableQuery;
import com.microsoft.azure.storage.table.TableServiceEntity;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** Tables with the generation before: {@code com.microsoft.azure:azure-storage} 8.6.6. */
@Tag("client")
@Timeout(300)
final class OldTableTest {
    private final CloudTableClient client;
    private final CloudTable table;

    OldTableTest(int throughput)
            throws URISyntaxException, GeneralSecurityException, StorageException {
        client =
                CloudStorageAccount.parse(Tables.azuriteConnectionString(Cosmos.server()))
                        .createCloudTableClient();
        table = client.getTableReference(Tables.create(Cosmos.server(), throughput).getTableName());
    }

    /** The entity of the guides. */
    public static final class Customer extends TableServiceEntity {
        private String email = "";

        public Customer() {}

        Customer(String lastName, String firstName) {
            super(lastName, firstName);
        }

        public String getEmail() {
            return email;
        }

        public void setEmail(String email) {
            this.email = email;
        }
    }

    @OnOneAndFivePartitions
    void createsTheTableOfTheGuideAndRetrievesBenSmith()
            throws URISyntaxException, StorageException {
        CloudTable people = client.getTableReference(Tables.uniqueName());
        assertThat(people.createIfNotExists()).isTrue();
        assertThat(people.createIfNotExists()).isFalse();
        assertThat(people.exists()).isTrue();
        Customer ben = new Customer("Smith", "Ben");
        ben.setEmail("Ben@contoso.com");
        people.execute(TableOperation.insertOrReplace(ben));

        Customer read =
                people.execute(TableOperation.retrieve("Smith", "Ben", Customer.class))
                        .getResultAsType();

        assertThat(read.getEmail()).isEqualTo("Ben@contoso.com");
        assertThat(read.getEtag()).isEqualTo(ben.getEtag());
        assertThat(client.listTables(people.getName())).containsExactly(people.getName());
        assertThat(people.deleteIfExists()).isTrue();
        assertThat(people.exists()).isFalse();
    }

    @OnOneAndFivePartitions
    void writesReadsAndQueriesEveryType() throws StorageException {
        DynamicTableEntity entity = new DynamicTableEntity("p", "it's 漢🚀");
        entity.getProperties().put("text", new EntityProperty("ü"));
        entity.getProperties().put("small", new EntityProperty(42));
        entity.getProperties().put("large", new EntityProperty(9007199254740993L));
        entity.getProperties().put("real", new EntityProperty(3.0));
        entity.getProperties().put("yes", new EntityProperty(true));
        entity.getProperties()
                .put(
                        "moment",
                        new EntityProperty(Date.from(Instant.parse("2026-01-02T03:04:05.678Z"))));
        entity.getProperties()
                .put(
                        "guid",
                        new EntityProperty(
                                UUID.fromString("a455c695-df98-5678-aaaa-81d3367e5a34")));
        entity.getProperties().put("bytes", new EntityProperty(new byte[] {0, 1, -1}));
        table.execute(TableOperation.insert(entity, true));

        DynamicTableEntity read =
                table.execute(TableOperation.retrieve("p", "it's 漢🚀", DynamicTableEntity.class))
                        .getResultAsType();

        assertThat(read.getProperties()).containsOnlyKeys(entity.getProperties().keySet());
        entity.getProperties()
                .forEach(
                        (name, value) -> {
                            EntityProperty found =
                                    Objects.requireNonNull(read.getProperties().get(name));
                            assertThat(found.getEdmType()).as(name).isEqualTo(value.getEdmType());
                            assertThat(found.getValueAsString())
                                    .as(name)
                                    .isEqualTo(value.getValueAsString());
                        });
        for (String filter :
                List.of(
                        TableQuery.generateFilterCondition("large", "eq", 9007199254740993L),
                        TableQuery.generateFilterCondition("real", "ge", 3.0),
                        TableQuery.generateFilterCondition("yes", "eq", true),
                        TableQuery.generateFilterCondition("bytes", "eq", new byte[] {0, 1, -1}),
                        TableQuery.generateFilterCondition(
                                "moment",
                                "le",
                                Date.from(Instant.parse("2026-01-02T03:04:05.678Z"))),
                        TableQuery.generateFilterCondition(
                                "guid",
                                "eq",
                                UUID.fromString("a455c695-df98-5678-aaaa-81d3367e5a34")))) {
            assertThat(table.execute(TableQuery.from(DynamicTableEntity.class).where(filter)))
                    .as(filter)
                    .hasSize(1);
        }
    }

    @OnOneAndFivePartitions
    void batchesAreWholeAndQueriesHavePages() throws StorageException {
        for (String key : List.of("a", "b")) {
            TableBatchOperation batch = new TableBatchOperation();
            for (int i = 0; i < 10; i++) {
                Customer customer = new Customer(key, Integer.toString(i));
                customer.setEmail(key + i);
                batch.insert(customer);
            }
            assertThat(table.execute(batch)).hasSize(10);
        }
        TableBatchOperation failing = new TableBatchOperation();
        failing.insert(new Customer("a", "new"));
        failing.insert(new Customer("a", "5"));
        assertThatThrownBy(() -> table.execute(failing))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        refusal -> {
                            assertThat(refusal.getHttpStatusCode()).isEqualTo(409);
                            assertThat(refusal.getErrorCode()).isEqualTo("EntityAlreadyExists");
                        });
        Customer merged = new Customer("a", "5");
        merged.setEmail("merged");
        table.execute(TableOperation.insertOrMerge(merged));

        List<String> found = new ArrayList<>();
        TableQuery<Customer> query =
                TableQuery.from(Customer.class)
                        .where("PartitionKey eq 'a' and RowKey ge '5' or Email eq 'b0'")
                        .take(3);
        var page = table.executeSegmented(query, null);
        page.getResults().forEach(each -> found.add(each.getEmail()));
        while (page.getHasMoreResults()) {
            page = table.executeSegmented(query, page.getContinuationToken());
            page.getResults().forEach(each -> found.add(each.getEmail()));
        }
        assertThat(found).containsExactly("merged", "a6", "a7", "a8", "a9", "b0");
    }
}
