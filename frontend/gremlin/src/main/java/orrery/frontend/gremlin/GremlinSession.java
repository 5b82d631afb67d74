package orrery.frontend.gremlin;

import java.lang.System.Logger;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Iterator;
import java.util.Optional;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.structure.util.reference.ReferenceFactory;
import org.jspecify.annotations.Nullable;
import orrery.frontend.gremlin.auth.Login;
import orrery.frontend.gremlin.socket.Received;
import orrery.frontend.gremlin.traversal.GraphException;
import orrery.frontend.gremlin.traversal.GraphRequest;
import orrery.frontend.gremlin.traversal.GraphRun;
import orrery.frontend.gremlin.wire.Chunk;
import orrery.frontend.gremlin.wire.Form;
import orrery.frontend.gremlin.wire.MalformedRequest;
import orrery.frontend.gremlin.wire.RequestMessage;
import orrery.frontend.gremlin.wire.RequestReader;
import orrery.frontend.gremlin.wire.ResultForm;
import orrery.frontend.gremlin.wire.Status;
import orrery.frontend.rest.HeardFailure;
import orrery.gateway.api.ContainerRef;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.RequestContext;
import orrery.model.RequestContext.Principal;

/**
 * The conversation with one driver: who it is, and its requests one after the other. Used by one
 * thread at a time, that of the present request.
 */
final class GremlinSession {
    private static final Logger LOG = System.getLogger(GremlinSession.class.getName());

    /** An answer to a message whose request has no id that could be read. */
    private static final UUID NOBODY = new UUID(0, 0);

    private final GremlinEndpoint endpoint;
    private final InetSocketAddress remote;
    private @Nullable Login login;

    /** The request that is answered when its sender has logged in. */
    private @Nullable RequestMessage asked;

    GremlinSession(GremlinEndpoint endpoint, InetSocketAddress remote) {
        this.endpoint = endpoint;
        this.remote = remote;
    }

    /** Answers one message, whatever is in it. */
    Step answer(Received.Message message, Outlet outlet) {
        Meter meter = new Meter(RequestContext.newActivityId());
        try {
            RequestMessage request;
            try {
                request = RequestReader.read(message.payload().unsafeArray(), message.isText());
            } catch (MalformedRequest malformed) {
                return refuse(malformed, message, meter, outlet);
            } catch (OrreryException noRoom) {
                return refuse(noRoom, message, meter, outlet);
            }
            Login known = login;
            return known == null
                    ? meet(request, meter, outlet)
                    : new Answering(known, request, meter, outlet).answer();
        } catch (InterruptedException nobodyWaits) {
            return Step.CLOSE;
        } catch (OrreryException cancelled) {
            return Step.CLOSE; // the client left while an answer waited for it
        }
    }

    // ---- messages that cannot be read

    private Step refuse(
            MalformedRequest malformed, Received.Message message, Meter meter, Outlet outlet)
            throws InterruptedException {
        Form form = RequestReader.formOf(message.payload().unsafeArray(), message.isText());
        UUID id =
                malformed
                        .requestId()
                        .or(
                                () ->
                                        RequestReader.peek(
                                                        message.payload().unsafeArray(),
                                                        message.isText())
                                                .map(RequestReader.Refusable::id))
                        .orElse(NOBODY);
        return refuse(GremlinFailure.of(malformed), form, id, meter, outlet);
    }

    private Step refuse(
            OrreryException noRoom, Received.Message message, Meter meter, Outlet outlet)
            throws InterruptedException {
        Optional<RequestReader.Refusable> request =
                RequestReader.peek(message.payload().unsafeArray(), message.isText());
        return refuse(
                GremlinFailure.of(noRoom),
                request.map(RequestReader.Refusable::form).orElse(Form.JSON),
                request.map(RequestReader.Refusable::id).orElse(NOBODY),
                meter,
                outlet);
    }

    /** A client that is known may go on; one that is not has nothing to say. */
    private Step refuse(GremlinFailure failure, Form form, UUID id, Meter meter, Outlet outlet)
            throws InterruptedException {
        outlet.send(failed(ResultForm.of(form, false), failure, id, meter, 0));
        tell("unknown", "none", failure.serviceCode(), 0, meter);
        return login == null ? Step.CLOSE : Step.DONE;
    }

    /** Answers a message for which the connection has no room, on the event loop. */
    static Optional<byte[]> busy(Received.Message message) {
        return RequestReader.peek(message.payload().unsafeArray(), message.isText())
                .map(
                        request ->
                                failed(
                                        ResultForm.of(request.form(), false),
                                        GremlinFailure.busy(),
                                        request.id(),
                                        new Meter(RequestContext.newActivityId()),
                                        0));
    }

    private static byte[] failed(
            ResultForm form, GremlinFailure failure, UUID id, Meter meter, double charge) {
        return form.message(
                id,
                new Status(
                        failure.code(),
                        failure.message(meter.activityId(), id),
                        meter.failure(failure, charge)));
    }

    // ---- logging in

    private Step meet(RequestMessage request, Meter meter, Outlet outlet)
            throws InterruptedException {
        if (!request.op().equals("authentication")) {
            if (asked == null) {
                asked = request;
                outlet.send(
                        ResultForm.of(request.form(), false)
                                .message(request.id(), Status.of(Status.AUTHENTICATE)));
            }
            return Step.KEPT;
        }
        // Some drivers send the password under an id of its own, but wait under the first one.
        RequestMessage answered = asked == null ? request : asked;
        try {
            String sasl = request.text("sasl").orElse("");
            Login known = endpoint.logins().login(sasl, remote.getAddress());
            login = known;
            tell("authentication", kind(known), 200, 0, meter);
            if (asked == null) {
                outlet.send(
                        ResultForm.of(request.form(), false)
                                .message(request.id(), Status.of(Status.SUCCESS)));
            }
            asked = null;
            return Step.LOGGED_IN;
        } catch (OrreryException refused) {
            GremlinFailure failure = GremlinFailure.of(refused);
            outlet.send(
                    failed(
                            ResultForm.of(answered.form(), false),
                            failure,
                            answered.id(),
                            meter,
                            0));
            tell("authentication", "none", failure.serviceCode(), 0, meter);
        } catch (MalformedRequest malformed) {
            GremlinFailure failure = GremlinFailure.of(malformed);
            outlet.send(
                    failed(
                            ResultForm.of(answered.form(), false),
                            failure,
                            answered.id(),
                            meter,
                            0));
            tell("authentication", "none", failure.serviceCode(), 0, meter);
        }
        return Step.CLOSE;
    }

    private static String kind(Login login) {
        return switch (login) {
            case Login.ByKey holder -> new Principal.Account(holder.kind()).kind();
            case Login.ByToken _ -> "resource token";
        };
    }

    private void tell(String operation, String principal, int code, double charge, Meter meter) {
        Login known = login;
        endpoint.listener()
                .answered(
                        new RequestListener.Answered(
                                meter.activityId(),
                                remote,
                                principal,
                                operation,
                                known == null ? "" : known.graph().toString(),
                                code,
                                charge,
                                meter.nanos()));
    }

    // ---- requests

    /** One request of a client that is known. */
    private final class Answering {
        private final Login known;
        private final RequestMessage request;
        private final Meter meter;
        private final Outlet outlet;
        private final ResultForm form;
        private Duration timeout;
        private double charge;

        Answering(Login known, RequestMessage request, Meter meter, Outlet outlet) {
            this.known = known;
            this.request = request;
            this.meter = meter;
            this.outlet = outlet;
            this.form = ResultForm.of(request.form(), request.op().equals("bytecode"));
            this.timeout = endpoint.config().timeout();
        }

        Step answer() throws InterruptedException {
            GremlinFailure failure;
            try {
                carryOut();
                tell(operation(), kind(known), 200, charge, meter);
                return Step.DONE;
            } catch (MalformedRequest malformed) {
                failure = GremlinFailure.of(malformed);
            } catch (InterruptedException
                    | RuntimeException
                    | StackOverflowError
                    | LinkageError cause) {
                var _ = Thread.interrupted(); // or else the answer could not be sent
                if (outlet.isAbandoned()) {
                    return Step.CLOSE;
                }
                failure = outlet.isOverdue() ? overdue() : failure(cause);
            }
            outlet.send(failed(form, failure, request.id(), meter, charge));
            tell(operation(), kind(known), failure.serviceCode(), charge, meter);
            return failure.code() == Status.UNAUTHORIZED ? Step.CLOSE : Step.DONE;
        }

        private String operation() {
            return switch (request.op()) {
                case "eval", "bytecode", "close" -> request.op();
                default -> "unknown";
            };
        }

        private GremlinFailure overdue() {
            return GremlinFailure.timeout(
                    "A timeout occurred. The traversal took longer than it may: "
                            + timeout.toMillis()
                            + " ms.");
        }

        private GremlinFailure failure(Throwable cause) {
            return switch (cause) {
                case StackOverflowError _ ->
                        GremlinFailure.of(
                                new GraphException(
                                        GraphException.Fault.EXECUTION,
                                        "The traversal is nested too deeply."));
                case LinkageError missing ->
                        failure(new IllegalStateException("a class cannot be loaded", missing));
                case GraphException failure -> GremlinFailure.of(failure);
                case RuntimeException failure -> {
                    OrreryException told =
                            HeardFailure.of(LOG, "request " + meter.activityId(), failure);
                    charge = Math.max(charge, told.charge().ru());
                    yield GremlinFailure.of(told);
                }
                default ->
                        GremlinFailure.of(
                                new OrreryException(
                                        ErrorCode.UNAVAILABLE, "The server is stopping."));
            };
        }

        private void carryOut() throws InterruptedException, MalformedRequest {
            switch (request.op()) {
                case "eval", "bytecode" -> traverse(graphRequest());
                case "close" ->
                        outlet.send(form.message(request.id(), Status.of(Status.NO_CONTENT)));
                case "authentication" -> throw invalid("The connection has logged in already.");
                default -> throw invalid("There is no op '" + request.op() + "'.");
            }
        }

        private MalformedRequest invalid(String reason) {
            return MalformedRequest.arguments(request.id(), reason);
        }

        private GraphRequest graphRequest() throws MalformedRequest {
            if (request.processor().equals("session") || request.text("session").isPresent()) {
                throw invalid(
                        "Sessions are not supported. Send each traversal as a request of its own.");
            }
            return switch (request.op()) {
                case "bytecode" -> compiled();
                default -> script();
            };
        }

        private GraphRequest script() throws MalformedRequest {
            if (!request.processor().isEmpty()) {
                throw invalid("There is no processor '" + request.processor() + "' for eval.");
            }
            String language = request.text("language").orElse("gremlin-groovy");
            if (!language.equals("gremlin-groovy") && !language.equals("gremlin-lang")) {
                throw invalid("Scripts in " + language + " are not supported.");
            }
            String text =
                    request.text("gremlin")
                            .orElseThrow(() -> invalid("The request has no script."));
            if (Scripts.isTooLong(text)) {
                throw invalid(
                        "The script is longer than "
                                + Scripts.MAX_BYTES
                                + " bytes. Give values as bindings, or send several requests.");
            }
            return new GraphRequest.Script(text, request.bindings());
        }

        private GraphRequest compiled() throws MalformedRequest {
            if (!request.processor().equals("traversal")) {
                throw invalid("There is no processor '" + request.processor() + "' for bytecode.");
            }
            if (!ResultForm.readsTraversers(request.form())) {
                throw invalid(
                        "Bytecode needs a serializer with types: GraphSON 2 or 3, or GraphBinary.");
            }
            if (!(request.arguments().get("gremlin") instanceof RequestMessage.Traversal sent)) {
                throw invalid("The request has no bytecode.");
            }
            return new GraphRequest.Compiled(sent.read());
        }

        /** Returns the time that the client allows, if that is less than the one of the account. */
        private Duration timeout() throws MalformedRequest {
            Optional<Integer> wanted = request.number("evaluationTimeout");
            if (wanted.isEmpty()) {
                wanted = request.number("scriptEvaluationTimeout");
            }
            Duration most = endpoint.config().timeout();
            return wanted.filter(millis -> millis > 0 && millis < most.toMillis())
                    .map(millis -> Duration.ofMillis(millis))
                    .orElse(most);
        }

        private int batchSize() throws MalformedRequest {
            int wanted = request.number("batchSize").orElse(Scripts.BATCH_SIZE);
            if (wanted < 1) {
                throw invalid("The batchSize must be at least 1.");
            }
            return wanted;
        }

        private void traverse(GraphRequest wanted) throws InterruptedException, MalformedRequest {
            int batchSize = batchSize();
            boolean isReferences =
                    request.text("materializeProperties").filter("tokens"::equals).isPresent();
            timeout = timeout();
            outlet.endIn(timeout);
            RequestContext context = context();
            try (GraphRun run = outlet.inTurn(() -> begin(context, wanted));
                    Chunk chunk = new Chunk(form, batchSize)) {
                try {
                    Iterator<Object> results = isReferences ? references(run) : run;
                    while (outlet.inTurn(() -> chunk.fill(results))) {
                        send(chunk, Status.PARTIAL_CONTENT, run);
                    }
                    send(chunk, Status.SUCCESS, run);
                } finally {
                    charge = run.charge();
                }
            }
        }

        private GraphRun begin(RequestContext context, GraphRequest wanted) {
            ContainerRef.Resolved graph =
                    endpoint.resources()
                            .resolve(
                                    context,
                                    known.graph().container(),
                                    ContainerRef.Role.AWAITED_OWNER);
            return endpoint.graphs().run(context, graph, wanted);
        }

        private void send(Chunk chunk, int code, GraphRun run) throws InterruptedException {
            charge = run.charge();
            outlet.send(chunk.message(request.id(), new Status(code, "", meter.success(charge))));
        }

        /** Returns the results with elements that have no properties. */
        private static Iterator<Object> references(Iterator<Object> results) {
            return new Iterator<>() {
                @Override
                public boolean hasNext() {
                    return results.hasNext();
                }

                @Override
                public Object next() {
                    return ReferenceFactory.detach(results.next());
                }
            };
        }

        private RequestContext context() {
            return new RequestContext(
                    meter.activityId(),
                    endpoint.logins().principal(known),
                    Optional.empty(),
                    Optional.of(endpoint.config().consistency().get().level()),
                    System.nanoTime() + timeout.toNanos());
        }
    }
}
