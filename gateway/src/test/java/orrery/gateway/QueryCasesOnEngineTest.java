package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.gateway.EngineFixture.context;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.QueryPage;
import orrery.gateway.api.ResourceRef;
import orrery.model.ContainerDefinition;
import orrery.model.OrreryException;
import orrery.model.Throughput;
import orrery.query.QueryCall;
import orrery.query.cases.QueryCase;
import orrery.query.cases.QueryCases;
import orrery.query.execute.CaseAnswers;
import orrery.query.sql.SqlStatement;

/** Every case of the query language through the whole engine, on one partition and on seven. */
final class QueryCasesOnEngineTest {
    private static final int PER_PARTITION = 10_000;

    @TempDir static Path directory;
    private static EngineFixture fixture;
    private static final Map<String, ContainerRef> CONTAINERS = new HashMap<>();

    @BeforeAll
    static void open() {
        fixture = new EngineFixture(directory);
        fixture.engine.resources().createDatabase(context(), "d", Optional.empty());
    }

    @AfterAll
    static void close() {
        CONTAINERS.clear();
        fixture.close();
    }

    static List<String> files() {
        return QueryCases.files();
    }

    @ParameterizedTest
    @MethodSource("files")
    void answersOnOnePartitionAndOnSeven(String file) {
        List<String> wrong = new ArrayList<>();
        for (QueryCase each : QueryCases.read(file)) {
            if (each.query().toUpperCase(Locale.ROOT).contains("GETCURRENT")) {
                continue; // its answer depends on the clock of another run
            }
            String wanted = CaseAnswers.describe(each.expected());
            for (int partitions : new int[] {1, 7}) {
                for (int pageSize : new int[] {1000, 3}) {
                    String found = run(each, partitions, pageSize);
                    if (!found.equals(wanted)) {
                        wrong.add(
                                each
                                        + "\n  on "
                                        + partitions
                                        + " by "
                                        + pageSize
                                        + "\n  "
                                        + wanted
                                        + "\n  "
                                        + found);
                    }
                }
            }
        }
        assertThat(wrong).withFailMessage(() -> String.join("\n", wrong)).isEmpty();
    }

    private static String run(QueryCase each, int partitions, int pageSize) {
        ContainerRef container =
                CONTAINERS.computeIfAbsent(
                        partitions + each.dataset() + each.policy() + each.computed(),
                        _ -> filled(each, partitions));
        List<Value> rows = new ArrayList<>();
        Optional<String> token = Optional.empty();
        try {
            QueryCall request = QueryCall.of(SqlStatement.parse(each.query(), each.parameters()));
            do {
                QueryPage page =
                        fixture.engine
                                .items()
                                .query(
                                        context(),
                                        container,
                                        new FeedScope.Everything(),
                                        request,
                                        new PageRequest(OptionalInt.of(pageSize), token));
                assertThat(page.rows().size()).isLessThanOrEqualTo(pageSize);
                page.rows().forEach(row -> rows.add(JsonText.parse(row)));
                token = page.continuation();
            } while (token.isPresent());
        } catch (OrreryException failure) {
            return CaseAnswers.describe(new QueryCase.Failure(QueryCases.describe(failure)));
        }
        boolean isOrdered = each.expected() instanceof QueryCase.Rows(_, boolean is) && is;
        return CaseAnswers.describe(new QueryCase.Rows(rows, isOrdered));
    }

    private static ContainerRef filled(QueryCase each, int partitions) {
        String name = "c" + CONTAINERS.size();
        ContainerDefinition plain = EngineFixture.definition("/pk");
        fixture.engine
                .resources()
                .createContainer(
                        context(),
                        new ResourceRef.Named("d"),
                        name,
                        new ContainerDefinition(
                                        plain.partitionKey(),
                                        CaseAnswers.policy(each.policy()),
                                        plain.conflictResolution(),
                                        plain.geospatial())
                                .withComputedProperties(each.computed()),
                        Optional.of(new Throughput.Manual(partitions * PER_PARTITION)));
        ContainerRef container = EngineFixture.ref(name);
        for (Value item : QueryCases.items(each.dataset())) {
            fixture.create(container, JsonText.write(item));
        }
        return container;
    }
}
