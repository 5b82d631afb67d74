package orrery.query.syntax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import orrery.model.OrreryException;

final class QueryCacheTest {
    private final QueryCache cache = new QueryCache();

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
        for (int i = 0; i < 511; i++) {
            cache.get("SELECT " + (1000 + i));
            assertThat(cache.get("SELECT 1")).isSameAs(kept);
        }
        assertThat(cache.get("SELECT 2")).isEqualTo(forgotten).isNotSameAs(forgotten);
    }

    @Test
    void doesNotKeepLongTexts() {
        String text = "SELECT '" + "x".repeat(5000) + "'";
        Query first = cache.get(text);
        assertThat(cache.get(text)).isEqualTo(first).isNotSameAs(first);
    }

    @Test
    void failsEachTime() {
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> cache.get("SELECT FROM")).isInstanceOf(OrreryException.class);
        }
    }
}
