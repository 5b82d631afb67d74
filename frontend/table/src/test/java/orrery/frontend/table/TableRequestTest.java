package orrery.frontend.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.frontend.http.Headers;
import orrery.frontend.http.HttpRequest;
import orrery.model.Bytes;
import orrery.model.RequestContext.Principal;

class TableRequestTest {
    /** The server of the tests gives a request 30 seconds. */
    @ParameterizedTest
    @CsvSource({
        "'', 30",
        "timeout=, 30",
        "timeout=0, 30",
        "timeout=1, 1",
        "timeout=7, 7",
        "timeout=30, 30",
        "timeout=31, 30",
        "timeout=999999999999999999, 30"
    })
    void aClientMayShortenTheTimeOfItsRequest(String query, int seconds) {
        HttpRequest http = HttpRequest.of("GET", "/T()?" + query, Headers.of(), Bytes.EMPTY);
        long before = System.nanoTime();
        long deadline =
                TableRequest.parse(new UUID(1, 2), http)
                        .context(new Principal.Account(false), TableConfig.standard())
                        .deadlineNanos();
        long after = System.nanoTime();
        long nanos = Duration.ofSeconds(seconds).toNanos();
        assertThat(deadline - before).isGreaterThanOrEqualTo(nanos);
        assertThat(deadline - after).isLessThanOrEqualTo(nanos);
    }
}
