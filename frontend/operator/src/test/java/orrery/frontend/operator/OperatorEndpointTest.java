package orrery.frontend.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.frontend.http.Headers;
import orrery.frontend.http.HttpReply;
import orrery.frontend.http.HttpRequest;
import orrery.frontend.rest.KeyAuthenticator;
import orrery.frontend.rest.KeyPolicy;
import orrery.gateway.api.ResourceRef;
import orrery.gateway.fake.FakeOperations;
import orrery.gateway.fake.FakeResources;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.IndexingPolicy;
import orrery.model.PartitionKeyDefinition;
import orrery.model.PropertyPath;
import orrery.model.RequestContext;
import orrery.model.RequestContext.Principal;
import orrery.model.Throughput;
import orrery.model.security.AccountKeys;
import orrery.model.security.RequestSigner;

/** The calls at the door that requests become, and the replies to them. */
class OperatorEndpointTest {
    private static final Instant NOW = Instant.parse("2026-11-15T06:34:56Z");
    private static final AccountKeys KEYS =
            new AccountKeys(
                    AccountKeys.WELL_KNOWN_KEY,
                    "b3duLXNlY29uZG93bi1zZWNvbmRvd24tc2Vjb25kb3c=",
                    "b3duLXJlYWRvbmx5MW93bi1yZWFkb25seTFvd24tcmU=",
                    "b3duLXJlYWRvbmx5Mm93bi1yZWFkb25seTJvd24tcmU=");
    private static final String CONTAINER = "dbs/d/colls/c";

    private final FakeResources resources = new FakeResources();
    private final FakeOperations operations = new FakeOperations();
    private final OperatorEndpoint endpoint =
            new OperatorEndpoint(
                    resources,
                    operations,
                    new KeyAuthenticator(() -> KEYS, KeyPolicy.loopbackOnly(), () -> NOW),
                    Duration.ofMinutes(1));

    @BeforeEach
    void makeContainer() {
        RequestContext context =
                new RequestContext(
                        UUID.randomUUID(),
                        new Principal.Account(false),
                        Optional.empty(),
                        Optional.empty(),
                        0);
        resources.createDatabase(context, "d", Optional.empty());
        resources.createContainer(
                context,
                new ResourceRef.Named("d"),
                "c",
                new ContainerDefinition(
                        new PartitionKeyDefinition(
                                List.of(PropertyPath.parse("/pk")),
                                PartitionKeyDefinition.Kind.HASH,
                                2,
                                false),
                        IndexingPolicy.DEFAULT,
                        ContainerDefinition.ConflictResolution.DEFAULT,
                        ContainerDefinition.Geospatial.GEOGRAPHY),
                Optional.of(new Throughput.Manual(20_000)));
    }

    private HttpReply call(String method, String link, String what, String body)
            throws InterruptedException {
        String date = RequestSigner.date(NOW);
        InetSocketAddress here = new InetSocketAddress(InetAddress.getLoopbackAddress(), 8081);
        return endpoint.handle(
                new HttpRequest(
                        method,
                        "/_orrery/" + link + "/" + what,
                        "",
                        Headers.of(
                                "authorization",
                                new RequestSigner(KEYS.secondary())
                                        .authorization(method, what, link, date),
                                "x-ms-date",
                                date),
                        Bytes.ofUtf8(body),
                        "https",
                        "localhost",
                        here,
                        here));
    }

    private static String body(HttpReply reply) {
        return reply.body().getFirst().toUtf8();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "split|{\"range\":1}|split c 1",
                "merge|{\"range\":0}|merge c 0",
                "repair|{\"range\":0}|repair c 0",
                "fault|{\"status\":429,\"count\":3}|fault c TOO_MANY_REQUESTS"
            })
    void aPostBecomesOneCall(String what, String body, String call) throws InterruptedException {
        HttpReply reply = call("POST", CONTAINER, what, body);
        assertThat(reply.status()).isEqualTo(200);
        assertThat(operations.calls).containsExactly(call);
    }

    @Test
    void aFaultIsShownUntilItIsTakenAway() throws InterruptedException {
        call("POST", CONTAINER, "fault", "{\"status\":503,\"count\":2}");
        assertThat(body(call("GET", CONTAINER, "fault", ""))).contains("503");
        call("DELETE", CONTAINER, "fault", "");
        assertThat(body(call("GET", CONTAINER, "fault", ""))).isEqualTo("{}");
    }

    @Test
    void throughputIsThatOfTheContainer() throws InterruptedException {
        assertThat(body(call("GET", CONTAINER, "throughput", ""))).contains("20000");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "dbs/d/colls/no|split|There is no container 'no' in the database 'd'.",
                "dbs/no/colls/c|split|There is no database 'no'.",
                "dbs/no|throughput|There is no database 'no'."
            })
    void peopleHearWhatIsMissing(String link, String what, String text)
            throws InterruptedException {
        HttpReply reply = call("POST", link, what, "{\"range\":0}");
        assertThat(reply.status()).isEqualTo(404);
        assertThat(body(reply)).contains("\"code\":\"NOT_FOUND\"", text);
        assertThat(operations.calls).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"PUT,split,405", "POST,partitions,405", "POST,other,404"})
    void otherRequestsAreRefused(String method, String what, int status)
            throws InterruptedException {
        assertThat(call(method, CONTAINER, what, "{}").status()).isEqualTo(status);
    }

    @Test
    void strangersAreRefusedBeforeTheirBodyIsRead() throws InterruptedException {
        HttpReply reply =
                endpoint.handle(
                        HttpRequest.of(
                                "POST",
                                "/_orrery/" + CONTAINER + "/split",
                                Headers.EMPTY,
                                Bytes.EMPTY));
        assertThat(reply.status()).isEqualTo(401);
        assertThat(operations.calls).isEmpty();
    }
}
