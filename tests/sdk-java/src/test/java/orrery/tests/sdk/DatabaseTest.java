package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.assertFails;
import static orrery.tests.sdk.Cosmos.client;
import static orrery.tests.sdk.Cosmos.uniqueName;

import com.azure.cosmos.models.CosmosDatabaseProperties;
import com.azure.cosmos.models.CosmosDatabaseResponse;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Databases: create, read, list, query, delete. */
@Tag("client")
final class DatabaseTest {
    @Test
    void createReadDelete() {
        String id = uniqueName("db");

        CosmosDatabaseResponse created = client().createDatabase(id);
        assertThat(created.getStatusCode()).isEqualTo(201);
        assertThat(created.getProperties().getId()).isEqualTo(id);
        assertThat(created.getProperties().getETag()).isNotEmpty();
        assertThat(created.getProperties().getTimestamp()).isNotNull();
        assertThat(created.getRequestCharge()).isPositive();

        CosmosDatabaseResponse read = client().getDatabase(id).read();
        assertThat(read.getStatusCode()).isEqualTo(200);
        assertThat(read.getProperties().getETag()).isEqualTo(created.getProperties().getETag());

        assertThat(client().getDatabase(id).delete().getStatusCode()).isEqualTo(204);
        assertFails(404, 0, () -> client().getDatabase(id).read());
        assertFails(404, 0, () -> client().getDatabase(id).delete());
    }

    @Test
    void takenNameConflicts() {
        String id = uniqueName("db");
        client().createDatabase(id);

        assertFails(409, 3206, () -> client().createDatabase(id));
    }

    @Test
    void createIfNotExists() {
        String id = uniqueName("db");

        assertThat(client().createDatabaseIfNotExists(id).getStatusCode()).isEqualTo(201);
        assertThat(client().createDatabaseIfNotExists(id).getStatusCode()).isEqualTo(200);
    }

    @Test
    void listHoldsAll() {
        List<String> made = List.of(uniqueName("db"), uniqueName("db"), uniqueName("db"));
        made.forEach(id -> client().createDatabase(id));

        assertThat(ids(client().readAllDatabases())).containsAll(made).doesNotHaveDuplicates();
        List<String> paged = new ArrayList<>();
        client().readAllDatabases()
                .iterableByPage(2)
                .forEach(
                        page -> {
                            assertThat(page.getResults().size()).isLessThanOrEqualTo(2);
                            paged.addAll(ids(page.getResults()));
                        });
        assertThat(paged).containsAll(made).doesNotHaveDuplicates();
    }

    @Test
    void queryFindsByName() {
        String id = uniqueName("db");
        client().createDatabase(id);

        assertThat(
                        ids(
                                client().queryDatabases(
                                                new SqlQuerySpec(
                                                        "SELECT * FROM root r WHERE r.id = @id",
                                                        new SqlParameter("@id", id)),
                                                null)))
                .containsExactly(id);
        assertThat(ids(client().queryDatabases("SELECT * FROM c WHERE c.id = '" + id + "'", null)))
                .containsExactly(id);
        assertThat(ids(client().queryDatabases("SELECT * FROM c", null))).contains(id);
        assertThat(ids(client().queryDatabases("SELECT * FROM c WHERE c.id = 'nobody'", null)))
                .isEmpty();
    }

    @Test
    void namesMayHoldSpecialCharacters() {
        for (String suffix : List.of(" with space", "-äöü-漢字", "100%+&=;,@")) {
            String id = uniqueName("db") + suffix;
            client().createDatabase(id);
            assertThat(client().getDatabase(id).read().getProperties().getId()).isEqualTo(id);
            client().getDatabase(id).createContainer(Cosmos.properties("c" + suffix, "/pk"));
            assertThat(
                            client().getDatabase(id)
                                    .getContainer("c" + suffix)
                                    .createItem(Cosmos.item("i" + suffix, "k"))
                                    .getStatusCode())
                    .isEqualTo(201);
            client().getDatabase(id).delete();
        }
    }

    @Test
    void nameOf255Characters() {
        String base = uniqueName("db");
        String longest = base + "x".repeat(255 - base.length());

        assertThat(client().createDatabase(longest).getStatusCode()).isEqualTo(201);
        assertFails(400, 0, () -> client().createDatabase(longest + "x"));
    }

    @Test
    void containersGoWithTheirDatabase() {
        String id = uniqueName("db");
        client().createDatabase(id);
        client().getDatabase(id).createContainer(Cosmos.properties("c", "/pk"));
        client().getDatabase(id).getContainer("c").createItem(Cosmos.item("1", "k"));

        client().getDatabase(id).delete();
        client().createDatabase(id);

        assertThat(client().getDatabase(id).readAllContainers()).isEmpty();
    }

    private static List<String> ids(Iterable<CosmosDatabaseProperties> databases) {
        List<String> ids = new ArrayList<>();
        databases.forEach(database -> ids.add(database.getId()));
        return ids;
    }
}
