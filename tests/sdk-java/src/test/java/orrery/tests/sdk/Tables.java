package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.TableServiceException;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** The Table API of the server that conformance classes share, and what their tests need. */
final class Tables {
    /** The account of Azurite, which the SDKs know by heart. Name and key are public. */
    private static final String AZURITE =
            "DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey="
                    + "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==;"
                    + "TableEndpoint=http://127.0.0.1:%d/devstoreaccount1;";

    private static final AtomicInteger NAMES = new AtomicInteger();

    private Tables() {}

    /** The form of the emulator: the account is called localhost. */
    static String connectionString(RunningServer server) {
        return "DefaultEndpointsProtocol=http;AccountName=localhost;AccountKey=%s;TableEndpoint=http://localhost:%d/;"
                .formatted(server.key(), server.tablePort());
    }

    static String azuriteConnectionString(RunningServer server) {
        return AZURITE.formatted(server.tablePort());
    }

    static TableServiceClient service(RunningServer server) {
        return new TableServiceClientBuilder()
                .connectionString(connectionString(server))
                .buildClient();
    }

    /** A name of a table that no other test uses. */
    static String uniqueName() {
        return "T" + NAMES.incrementAndGet() + "x" + Long.toString(System.nanoTime(), 36);
    }

    /** A client of a new table. The throughput decides how many partitions it has. */
    static TableClient create(RunningServer server, int throughput) {
        String name = uniqueName();
        new TableServiceClientBuilder()
                .connectionString(connectionString(server))
                .addPolicy(
                        (context, next) -> {
                            context.getHttpRequest()
                                    .setHeader(
                                            com.azure.core.http.HttpHeaderName.fromString(
                                                    "x-ms-offer-throughput"),
                                            Integer.toString(throughput));
                            return next.process();
                        })
                .buildClient()
                .createTable(name);
        return service(server).getTableClient(name);
    }

    /** The exception of a call that the service refuses with this status and code. */
    static TableServiceException assertRefused(int status, String code, ThrowingCallable call) {
        Throwable thrown = catchThrowable(call);
        assertThat(thrown)
                .as("expected %s %s", status, code)
                .isInstanceOf(TableServiceException.class);
        TableServiceException refusal = (TableServiceException) thrown;
        assertThat(refusal.getResponse().getStatusCode() + " " + refusal.getValue().getErrorCode())
                .as(refusal.getMessage())
                .isEqualTo(status + " " + code);
        return refusal;
    }
}
