package orrery.frontend.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import orrery.query.execute.QueryMetrics;
import orrery.query.execute.QueryTimes;

class QueryMetricsTextTest {
    /** A text that was parsed before is found in a microsecond. */
    @Test
    void everyPageSaysThatItsQueryWasCompiled() {
        for (long nanos : new long[] {0, 1, 900}) {
            QueryMetrics metrics =
                    QueryMetrics.NONE.timed(new QueryTimes(nanos, 0, 0, 0, 0, 0, 1_000_000));
            assertThat(QueryMetricsText.of(metrics)).contains(";queryCompileTimeInMs=0.01;");
        }
    }
}
