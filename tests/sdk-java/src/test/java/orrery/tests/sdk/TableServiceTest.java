package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Tables.assertRefused;

import com.azure.core.exception.HttpResponseException;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.models.ListTablesOptions;
import com.azure.data.tables.models.TableAccessPolicy;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableServiceCorsRule;
import com.azure.data.tables.models.TableServiceProperties;
import com.azure.data.tables.models.TableSignedIdentifier;
import com.azure.data.tables.sas.TableSasPermission;
import com.azure.data.tables.sas.TableSasSignatureValues;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The Table service with the unmodified {@code com.azure:azure-data-tables}: all but entities. */
@Tag("client")
@Timeout(300)
final class TableServiceTest {
    @Test
    void tablesAreCreatedListedAndDeleted() {
        TableServiceClient service = Tables.service(Cosmos.server());
        String name = Tables.uniqueName();
        service.createTableIfNotExists(name);
        // The SDK says nothing where a table is there already.
        service.createTableIfNotExists(name);
        assertRefused(409, "TableAlreadyExists", () -> service.createTable(name));
        ListTablesOptions options =
                new ListTablesOptions().setFilter("TableName eq '" + name + "'");
        assertThat(service.listTables(options, null, null)).hasSize(1);
        service.deleteTable(name);
        service.deleteTable(name);
        assertThat(service.listTables(options, null, null)).isEmpty();
        assertRefused(
                404,
                "TableNotFound",
                () -> service.getTableClient(name).createEntity(new TableEntity("p", "r")));
    }

    @Test
    void signaturesAndPoliciesDecide() {
        TableClient table = Tables.create(Cosmos.server(), Cosmos.ONE);
        table.createEntity(new TableEntity("p", "r").addProperty("n", 1));
        OffsetDateTime soon = OffsetDateTime.now(ZoneOffset.UTC).plusMinutes(10);
        TableClient reader =
                withSas(
                        table,
                        table.generateSas(
                                new TableSasSignatureValues(soon, TableSasPermission.parse("r"))));
        assertThat(reader.getEntity("p", "r").getProperty("n")).isEqualTo(1);
        assertThat(Assertions.catchThrowable(() -> reader.createEntity(new TableEntity("p", "x"))))
                .hasMessageContaining("403");

        table.setAccessPolicies(
                List.of(
                        new TableSignedIdentifier("all")
                                .setAccessPolicy(
                                        new TableAccessPolicy()
                                                .setStartsOn(soon.minusHours(1))
                                                .setExpiresOn(soon)
                                                .setPermissions("raud"))));
        assertThat(table.getAccessPolicies().getIdentifiers())
                .singleElement()
                .satisfies(
                        each ->
                                assertThat(each.getAccessPolicy().getPermissions())
                                        .isEqualTo("raud"));
        TableClient writer = withSas(table, table.generateSas(new TableSasSignatureValues("all")));
        writer.createEntity(new TableEntity("p", "x"));
        table.setAccessPolicies(List.of());
        assertThat(Assertions.catchThrowable(() -> writer.createEntity(new TableEntity("p", "y"))))
                .hasMessageContaining("403");
    }

    private static TableClient withSas(TableClient table, String sas) {
        return new TableClientBuilder()
                .endpoint(table.getTableEndpoint().replaceAll("/[^/]*$", ""))
                .tableName(table.getTableName())
                .sasToken(sas)
                .buildClient();
    }

    @Test
    void theServiceKeepsItsProperties() {
        TableServiceClient service = Tables.service(Cosmos.server());
        TableServiceProperties properties = service.getProperties();
        properties.setCorsRules(
                List.of(
                        new TableServiceCorsRule()
                                .setAllowedOrigins("http://java.example")
                                .setAllowedMethods("GET,PUT")
                                .setAllowedHeaders("x-ms-*")
                                .setExposedHeaders("*")
                                .setMaxAgeInSeconds(9)));
        service.setProperties(properties);
        assertThat(service.getProperties().getCorsRules().getFirst().getMaxAgeInSeconds())
                .isEqualTo(9);
        properties.getLogging().setWriteLogged(true);
        // The SDK expects another root element of XML errors than the service sends, so it does
        // not make its own exception of one.
        Assertions.assertThatThrownBy(() -> service.setProperties(properties))
                .isInstanceOfSatisfying(
                        HttpResponseException.class,
                        e -> assertThat(e.getResponse().getStatusCode()).isEqualTo(501))
                .hasMessageContaining("--log-requests");
    }
}
