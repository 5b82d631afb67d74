package orrery.query.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import orrery.model.OrreryException;
import orrery.query.syntax.QueryParser;

final class QueryCacheTest {
    private static final int MAX_BYTES = 1 << 20;

    private final QueryCache cache = new QueryCache(MAX_BYTES);

    @Test
    void parsesATextOnce() {
        SqlTree first = cache.parse("SELECT c.a FROM c");
        assertThat(first.query()).isEqualTo(QueryParser.query("SELECT c.a FROM c"));
        assertThat(cache.parse("SELECT c.a FROM c")).isSameAs(first);
        assertThat(cache.parse("SELECT c.b FROM c")).isNotEqualTo(first);
    }

    @Test
    void forgetsWhatWasNotAskedForLongest() {
        SqlTree kept = cache.parse("SELECT 1");
        SqlTree forgotten = cache.parse("SELECT 2");
        // Even the smallest takes half a KB.
        for (int i = 0; i < MAX_BYTES / 512; i++) {
            cache.parse("SELECT " + (1000 + i));
            assertThat(cache.parse("SELECT 1")).isSameAs(kept);
        }
        assertThat(cache.parse("SELECT 2")).isEqualTo(forgotten).isNotSameAs(forgotten);
    }

    @Test
    void longTextsDoNotDriveOutShortOnes() {
        SqlTree kept = cache.parse("SELECT 1");
        for (int i = 0; i < 200; i++) {
            String text = "SELECT '" + "x".repeat(5000) + i + "'";
            assertThat(cache.parse(text)).isSameAs(cache.parse(text));
        }
        assertThat(cache.parse("SELECT 1")).isSameAs(kept);
    }

    @Test
    void doesNotKeepWhatTakesMoreThanThereIs() {
        String text = "SELECT * FROM c WHERE c.a IN (1" + ",1".repeat(MAX_BYTES / 50) + ")";
        SqlTree first = cache.parse(text);
        assertThat(cache.parse(text)).isEqualTo(first).isNotSameAs(first);
    }

    @Test
    void countsWhatTreesTake() {
        String text = "SELECT * FROM c WHERE c.a IN (1" + ",1".repeat(MAX_BYTES / 100) + ")";
        SqlTree first = cache.parse(text);
        assertThat(cache.parse(text)).isSameAs(first);
        cache.parse(text + " ");
        assertThat(cache.parse(text)).isEqualTo(first).isNotSameAs(first);
    }

    @Test
    void failsEachTime() {
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> cache.parse("SELECT FROM"))
                    .isInstanceOf(OrreryException.class);
        }
    }
}
