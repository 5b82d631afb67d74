package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.QueryPage;
import orrery.model.Bytes;
import orrery.model.EffectiveKey;
import orrery.model.KeyRange;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;

/** Tokens of queries over many keys, with which a query over one of them goes on. */
class NarrowedTokenTest {
    private static final FeedScope EVERYWHERE = new FeedScope.Everything();
    private static final FeedScope KEY = new FeedScope.Key(PartitionKey.ofText("k1"));
    private static final int ITEMS = 300;

    @TempDir private Path directory;
    private EngineFixture fixture;
    private ContainerRef container;

    @BeforeEach
    void open() {
        fixture = new EngineFixture(directory);
        container = filled("c", 400);
    }

    private ContainerRef filled(String id, int requestUnits) {
        ContainerRef filled = fixture.container(id, requestUnits, "/pk");
        for (int i = 0; i < ITEMS; i++) {
            fixture.create(
                    filled,
                    "{\"id\":\"%d\",\"pk\":\"k%d\",\"n\":%d,\"tie\":%d}"
                            .formatted(i, i % 3, i, i % 7));
        }
        return filled;
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    /** The Python SDK goes on with a key where a feed range of that key has ended. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT VALUE c.id FROM c ORDER BY c.n",
                "SELECT VALUE c.id FROM c ORDER BY c.n DESC",
                "SELECT VALUE c.id FROM c",
                "SELECT VALUE c.id FROM c WHERE c.n > 20"
            })
    void aKeyGoesOnWhereItsRangeWas(String query) {
        FeedScope range =
                new FeedScope.Range(
                        0, Optional.of(new KeyRange(EffectiveKey.MIN, EffectiveKey.MAX)));
        List<String> given = new ArrayList<>();
        Optional<String> continuation = Optional.empty();
        do {
            QueryPage page = fixture.page(container, range, query, 37, continuation);
            page.rows().stream()
                    .map(Bytes::toUtf8)
                    .filter(id -> number(id) % 3 == 1)
                    .forEach(given::add);
            continuation = page.continuation();
            if (continuation.isPresent()) {
                List<String> all = new ArrayList<>(given);
                all.addAll(rest(container, KEY, query, continuation));
                assertThat(all)
                        .containsExactlyInAnyOrderElementsOf(
                                fixture.all(container, KEY, query, 100));
            }
        } while (continuation.isPresent());
    }

    private List<String> rest(
            ContainerRef of, FeedScope scope, String query, Optional<String> token) {
        List<String> rows = new ArrayList<>();
        Optional<String> continuation = token;
        do {
            QueryPage page = fixture.page(of, scope, query, 41, continuation);
            page.rows().stream().map(Bytes::toUtf8).forEach(rows::add);
            continuation = page.continuation();
        } while (continuation.isPresent());
        return rows;
    }

    private static int number(String id) {
        return Integer.parseInt(id.substring(1, id.length() - 1));
    }

    /** Clients may send a new filter with an old token, and the filter may fix the keys. */
    @ParameterizedTest
    @ValueSource(strings = {"", " ORDER BY c.n", " ORDER BY c.tie DESC"})
    void aFilterOnKeysGoesOnWhereAllKeysWere(String order) {
        ContainerRef spread = filled("spread", 50_000);
        String wide = "SELECT VALUE c.id FROM c" + order;
        String narrow = "SELECT VALUE c.id FROM c WHERE c.pk IN ('k0', 'k1')" + order;
        List<String> given = new ArrayList<>();
        Optional<String> continuation = Optional.empty();
        do {
            QueryPage page = fixture.page(spread, EVERYWHERE, wide, 83, continuation);
            page.rows().stream()
                    .map(Bytes::toUtf8)
                    .filter(id -> number(id) % 3 < 2)
                    .forEach(given::add);
            continuation = page.continuation();
            if (continuation.isPresent()) {
                List<String> all = new ArrayList<>(given);
                all.addAll(rest(spread, EVERYWHERE, narrow, continuation));
                assertThat(all)
                        .containsExactlyInAnyOrderElementsOf(
                                fixture.all(spread, EVERYWHERE, narrow, 1000));
            }
        } while (continuation.isPresent());
    }

    /** It would leave out rows of other keys that lie before the position. */
    @Test
    void aRangeDoesNotGoOnWhereOneOfItsKeysWas() {
        String query = "SELECT * FROM c ORDER BY c.n";
        Optional<String> token =
                fixture.page(container, KEY, query, 5, Optional.empty()).continuation();
        assertRefused(EVERYWHERE, query, token);
        assertRefused(new FeedScope.Key(PartitionKey.ofText("k2")), query, token);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT TOP 20 * FROM c ORDER BY c.n",
                "SELECT * FROM c ORDER BY c.n OFFSET 2 LIMIT 20",
                "SELECT DISTINCT VALUE c.n FROM c",
                "SELECT c.n, COUNT(1) AS k FROM c GROUP BY c.n"
            })
    void resultsThatDependOnEachOtherStayWithTheirKeys(String query) {
        FeedScope range = new FeedScope.Range(0, Optional.empty());
        assertRefused(
                KEY,
                query,
                fixture.page(container, range, query, 5, Optional.empty()).continuation());
    }

    private void assertRefused(FeedScope scope, String query, Optional<String> token) {
        assertThat(token).isPresent();
        assertThatThrownBy(() -> fixture.page(container, scope, query, 5, token))
                .isInstanceOf(OrreryException.class)
                .hasMessageContaining("Invalid Continuation Token");
    }
}
