package orrery.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static orrery.cluster.CatalogFixture.context;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.ErrorCode;
import orrery.model.IndexingPolicy;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.Throughput;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.model.resource.StoredAccessPolicy;
import orrery.model.resource.TableServiceProperties;

final class TableCatalogTest {
    private static final List<StoredAccessPolicy> POLICIES =
            List.of(
                    new StoredAccessPolicy(
                            "b",
                            Optional.of("2026-01-01T00:00:00Z"),
                            Optional.of("2027-01-01"),
                            Optional.of("ra")),
                    new StoredAccessPolicy(
                            "a", Optional.empty(), Optional.empty(), Optional.empty()));

    @TempDir Path directory;
    private CatalogFixture fixture;
    private ControlPlane catalog;
    private Database database;
    private Container table;

    @BeforeEach
    void open() {
        fixture = new CatalogFixture(directory);
        catalog = fixture.catalog(fixture.host());
        database = catalog.createDatabase(context(), "TablesDB", Optional.empty());
        table = create();
    }

    @AfterEach
    void close() {
        catalog.close();
        fixture.close();
    }

    private Container create() {
        return catalog.createContainer(
                context(),
                database,
                "t",
                CatalogFixture.definition(IndexingPolicy.DEFAULT),
                Optional.of(new Throughput.Manual(400)));
    }

    @Test
    void policiesAndPropertiesSurviveARestart() {
        TableServiceProperties properties =
                new TableServiceProperties(
                        TableServiceProperties.DEFAULT.logging(),
                        TableServiceProperties.DEFAULT.hour(),
                        TableServiceProperties.DEFAULT.minute(),
                        List.of(
                                new TableServiceProperties.CorsRule(
                                        "http://app.example", "GET", "*", "*", 5)));
        catalog.tables().setPolicies(context(), table, POLICIES);
        catalog.tables().setService(context(), properties);
        catalog.close();
        catalog = fixture.catalog(fixture.host());

        assertThat(catalog.tables().policies(table)).isEqualTo(POLICIES);
        assertThat(catalog.tables().service()).isEqualTo(properties);
    }

    @Test
    void aTableWithoutPoliciesHasNone() {
        assertThat(catalog.tables().policies(table)).isEmpty();
        catalog.tables().setPolicies(context(), table, POLICIES);
        catalog.tables().setPolicies(context(), table, List.of());
        assertThat(catalog.tables().policies(table)).isEmpty();
    }

    @Test
    void policiesGoWithTheirTable() {
        catalog.tables().setPolicies(context(), table, POLICIES);
        catalog.deleteContainer(context(), table, Precondition.NONE);
        Container next = create();

        assertThat(catalog.tables().policies(next)).isEmpty();
        assertThatExceptionOfType(OrreryException.class)
                .isThrownBy(() -> catalog.tables().setPolicies(context(), table, POLICIES))
                .extracting(OrreryException::code)
                .isEqualTo(ErrorCode.NOT_FOUND);
    }
}
