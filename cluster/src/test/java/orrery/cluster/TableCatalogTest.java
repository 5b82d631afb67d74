package orrery.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static orrery.cluster.CatalogFixture.context;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.ContainerDefinition;
import orrery.model.ContainerKind;
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

    private static final ContainerDefinition TABLE =
            CatalogFixture.definition(IndexingPolicy.DEFAULT).withKind(ContainerKind.TABLE);

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
        return create("t", CatalogFixture.definition(IndexingPolicy.DEFAULT));
    }

    private Container create(String name, ContainerDefinition definition) {
        return catalog.createContainer(
                context(), database, name, definition, Optional.of(new Throughput.Manual(400)));
    }

    @Test
    void namesOfTablesDifferInMoreThanCase() {
        create("People", TABLE);
        create("PEOPLE", CatalogFixture.definition(IndexingPolicy.DEFAULT));
        assertThatExceptionOfType(OrreryException.class)
                .isThrownBy(() -> create("pEOple", TABLE))
                .withMessageContaining("The table People exists.")
                .extracting(OrreryException::code)
                .isEqualTo(ErrorCode.CONFLICT);
        assertThat(catalog.tables().find(database.number(), "people").orElseThrow().name())
                .isEqualTo("People");
    }

    @Test
    void ofTablesWhoseNamesAreAlikeOneIsCreated() throws InterruptedException {
        List<String> names = List.of("same", "Same", "sAme", "SAME", "samE", "SamE");
        List<Boolean> created = Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads =
                names.stream()
                        .map(
                                name ->
                                        Thread.startVirtualThread(
                                                () -> {
                                                    try {
                                                        create(name, TABLE);
                                                        created.add(true);
                                                    } catch (OrreryException refused) {
                                                        created.add(false);
                                                    }
                                                }))
                        .toList();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(created).hasSize(names.size()).containsOnlyOnce(true);
    }

    @Test
    void tablesAreListedByName() {
        for (String name : List.of("cde", "Bcd", "abc", "Abd")) {
            create(name, TABLE);
        }
        assertThat(names("", 9)).containsExactly("Abd", "Bcd", "abc", "cde");
        assertThat(names("Bcd", 2)).containsExactly("Bcd", "abc");
        assertThat(names("Bcd\0", 2)).containsExactly("abc", "cde");
        Container gone = catalog.tables().find(database.number(), "bcd").orElseThrow();
        catalog.deleteContainer(context(), gone, Precondition.NONE);
        assertThat(names("", 9)).containsExactly("Abd", "abc", "cde");
        create("bCD", TABLE);
        catalog.close();
        catalog = fixture.catalog(fixture.host());
        assertThat(names("", 9)).containsExactly("Abd", "abc", "bCD", "cde");
        assertThat(catalog.tables().find(database.number(), "BCD").orElseThrow().name())
                .isEqualTo("bCD");
        assertThat(catalog.tables().from(77, "", 9)).isEmpty();
    }

    private List<String> names(String first, int limit) {
        return catalog.tables().from(database.number(), first, limit).stream()
                .map(Container::name)
                .toList();
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
