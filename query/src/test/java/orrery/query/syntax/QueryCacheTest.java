package orrery.query.syntax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import orrery.model.OrreryException;

final class QueryCacheTest {
    private static final int MAX_BYTES = 1 << 20;

    private final QueryCache cache = new QueryCache(MAX_BYTES);

    @Test
    void parsesATextOnce() {
        Query first = cache.get("SELECT c.a FROM c");
        assertThat(first).isEqualTo(QueryParser.query("SELECT c.a FROM c"));
        assertThat(cache.get("SELECT c.a FROM c")).isSameAs(first);
        assertThat(cache.get("SELECT c.b FROM c")).isNotEqualTo(first);
    }

    @Test
    void forgetsWhatWasNotAskedForLongest() {
        Query kept = cache.get("SELECT 1");
        Query forgotten = cache.get("SELECT 2");
        // Even the smallest takes half a KB.
        for (int i = 0; i < MAX_BYTES / 512; i++) {
            cache.get("SELECT " + (1000 + i));
            assertThat(cache.get("SELECT 1")).isSameAs(kept);
        }
        assertThat(cache.get("SELECT 2")).isEqualTo(forgotten).isNotSameAs(forgotten);
    }

    @Test
    void longTextsDoNotDriveOutShortOnes() {
        Query kept = cache.get("SELECT 1");
        for (int i = 0; i < 200; i++) {
            String text = "SELECT '" + "x".repeat(5000) + i + "'";
            assertThat(cache.get(text)).isSameAs(cache.get(text));
        }
        assertThat(cache.get("SELECT 1")).isSameAs(kept);
    }

    @Test
    void doesNotKeepWhatTakesMoreThanThereIs() {
        String text = "SELECT * FROM c WHERE c.a IN (1" + ",1".repeat(MAX_BYTES / 50) + ")";
        Query first = cache.get(text);
        assertThat(cache.get(text)).isEqualTo(first).isNotSameAs(first);
    }

    @Test
    void countsWhatTreesTake() {
        String text = "SELECT * FROM c WHERE c.a IN (1" + ",1".repeat(MAX_BYTES / 100) + ")";
        Query first = cache.get(text);
        assertThat(cache.get(text)).isSameAs(first);
        cache.get(text + " ");
        assertThat(cache.get(text)).isEqualTo(first).isNotSameAs(first);
    }

    @Test
    void failsEachTime() {
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> cache.get("SELECT FROM")).isInstanceOf(OrreryException.class);
        }
    }
}
