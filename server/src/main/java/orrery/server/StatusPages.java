package orrery.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import orrery.cluster.ControlPlane;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.frontend.gremlin.GremlinServer;
import orrery.frontend.http.HttpHandler;
import orrery.frontend.http.HttpReply;
import orrery.frontend.http.HttpRequest;
import orrery.frontend.http.HttpServer;
import orrery.frontend.mongo.MongoServer;
import orrery.model.Bytes;
import orrery.model.OrreryException;
import orrery.partition.PartitionHost;
import orrery.partition.Replica;
import orrery.partition.TimeStatus;
import orrery.replication.DiskReserve;

/**
 * Pages for people and orchestrators: {@code /alive} says that the process runs, {@code /ready}
 * that every listener answers right now, {@code /status} what is going on, {@code /metrics} how
 * much.
 */
final class StatusPages implements HttpHandler {
    private static final int PROBE_TIMEOUT_MILLIS = 2000;

    private final Supplier<URI> endpoint;
    private final HttpServer sql;
    private final Optional<HttpServer> tables;
    private final Optional<MongoServer> mongo;
    private final Optional<GremlinServer> gremlin;
    private final Replica replica;
    private final PartitionHost partitions;
    private final ControlPlane catalog;
    private final DirectoryWatch watch;
    private final DiskReserve disk;
    private final Supplier<HttpReply> metrics;

    StatusPages(
            Supplier<URI> endpoint,
            HttpServer sql,
            Optional<HttpServer> tables,
            Optional<MongoServer> mongo,
            Optional<GremlinServer> gremlin,
            Replica replica,
            PartitionHost partitions,
            ControlPlane catalog,
            DirectoryWatch watch,
            DiskReserve disk,
            Supplier<HttpReply> metrics) {
        this.endpoint = endpoint;
        this.sql = sql;
        this.tables = tables;
        this.mongo = mongo;
        this.gremlin = gremlin;
        this.replica = replica;
        this.partitions = partitions;
        this.catalog = catalog;
        this.watch = watch;
        this.disk = disk;
        this.metrics = metrics;
    }

    @Override
    public HttpReply handle(HttpRequest request) {
        if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            return json(
                            405,
                            "{\"code\":\"MethodNotAllowed\",\"message\":\"The pages of this port can"
                                    + " only be read.\"}")
                    .with("Allow", "GET, HEAD");
        }
        return switch (request.path()) {
            case "/alive" -> json(200, "{\"status\":\"alive\"}");
            case "/ready" -> ready();
            case "/status" -> status();
            case "/metrics" -> metrics.get();
            default ->
                    json(
                            404,
                            "{\"code\":\"NotFound\",\"message\":\"This port serves /alive, /ready,"
                                    + " /status and /metrics.\"}");
        };
    }

    private HttpReply ready() {
        if (whyNotWriting().isPresent()) {
            return json(503, "{\"status\":\"not ready\",\"reason\":\"writing has stopped\"}");
        }
        if (!answers(sql.address())) {
            return json(503, "{\"status\":\"not ready\",\"reason\":\"no answer on the SQL port\"}");
        }
        if (tables.isPresent() && !answers(tables.get().address())) {
            return json(
                    503, "{\"status\":\"not ready\",\"reason\":\"no answer on the Table port\"}");
        }
        if (mongo.isPresent()
                && !mongo.get().answers(reachable(sql.address()), PROBE_TIMEOUT_MILLIS)) {
            return json(
                    503, "{\"status\":\"not ready\",\"reason\":\"no answer on the MongoDB port\"}");
        }
        if (gremlin.isPresent()
                && !gremlin.get().answers(reachable(sql.address()), PROBE_TIMEOUT_MILLIS)) {
            return json(
                    503, "{\"status\":\"not ready\",\"reason\":\"no answer on the Gremlin port\"}");
        }
        return json(200, "{\"status\":\"ready\"}");
    }

    /** Why writes are refused until a restart, if so. */
    private Optional<String> whyNotWriting() {
        return watch.loss()
                .or(() -> replica.failure().map(OrreryException::text))
                .or(() -> catalog.failure().map(OrreryException::text));
    }

    private HttpReply status() {
        List<HttpServer.Counters> counters = new ArrayList<>(List.of(sql.counters()));
        tables.map(HttpServer::counters).ifPresent(counters::add);
        mongo.map(MongoServer::counters).ifPresent(counters::add);
        gremlin.map(GremlinServer::counters).ifPresent(counters::add);
        return json(
                200,
                "{\"version\":\""
                        + Main.version()
                        + "\",\"endpoint\":\""
                        + endpoint.get()
                        + "\",\"transport\":\""
                        + sql.natives()
                        + "\",\"openConnections\":"
                        + counters.stream().mapToInt(HttpServer.Counters::openConnections).sum()
                        + ",\"requestsInFlight\":"
                        + counters.stream().mapToInt(HttpServer.Counters::requestsInFlight).sum()
                        + ",\"clock\":"
                        + clock(partitions.time())
                        + ",\"disk\":"
                        + disk(disk.status())
                        + whyNotWriting()
                                .map(
                                        reason ->
                                                ",\"writing\":false,\"reason\":"
                                                        + JsonText.write(new Value.Text(reason)))
                                .orElse(",\"writing\":true")
                        + "}");
    }

    private static String clock(TimeStatus time) {
        return "{\"jumps\":"
                + time.jumps()
                + time.lastJump()
                        .map(
                                jump ->
                                        ",\"lastJump\":{\"to\":\""
                                                + jump.to()
                                                + "\",\"bySeconds\":"
                                                + seconds(jump.by())
                                                + "}")
                        .orElse("")
                + ",\"partitionsAheadSeconds\":"
                + seconds(time.ahead())
                + "}";
    }

    private static String disk(DiskReserve.Status status) {
        return "{\"freeBytes\":"
                + status.freeBytes()
                + ",\"reserveBytes\":"
                + status.reserveBytes()
                + ",\"writes\":\""
                + switch (status.level()) {
                    case ENOUGH -> "accepted";
                    case DELETES_ONLY -> "deletes only";
                    case NO_WRITES -> "refused";
                }
                + "\"}";
    }

    private static double seconds(Duration time) {
        return time.toMillis() / 1000.0;
    }

    /** A request over the listener itself; that it is bound does not say that it answers. */
    private static boolean answers(InetSocketAddress listener) {
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(reachable(listener), listener.getPort()),
                    PROBE_TIMEOUT_MILLIS);
            socket.setSoTimeout(PROBE_TIMEOUT_MILLIS);
            socket.getOutputStream()
                    .write(
                            "GET /_orrery/ca.crt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
            byte[] start = socket.getInputStream().readNBytes("HTTP/1.1 200".length());
            return new String(start, StandardCharsets.US_ASCII).equals("HTTP/1.1 200");
        } catch (IOException e) {
            return false;
        }
    }

    /** The address at which this machine reaches a listener, which may be bound to all of them. */
    private static String reachable(InetSocketAddress listener) {
        return listener.getAddress().isAnyLocalAddress()
                ? "localhost"
                : listener.getAddress().getHostAddress();
    }

    private static HttpReply json(int status, String body) {
        return HttpReply.json(status, Bytes.ofUtf8(body));
    }
}
