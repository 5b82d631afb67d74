package orrery.frontend.mongo.command;

import java.lang.System.Logger;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import orrery.document.Value;
import orrery.frontend.mongo.CommandListener;
import orrery.frontend.mongo.MongoConfig;
import orrery.frontend.mongo.auth.Login;
import orrery.frontend.mongo.auth.ScramAuthenticator;
import orrery.frontend.mongo.cursor.Cursors;
import orrery.frontend.rest.HeardFailure;
import orrery.gateway.api.Items;
import orrery.gateway.api.Resources;
import orrery.gateway.api.Streams;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.RequestContext;
import orrery.query.mongo.MongoCode;

/**
 * Answers commands, and decides what holds for all of them: who may call, which fields they may
 * have, how long they may take, what a failure looks like. Safe for many threads.
 */
public final class Commands {
    private static final Logger LOG = System.getLogger(Commands.class.getName());

    /** No command takes longer, and no getMore waits longer. */
    static final Duration LONGEST = Duration.ofHours(1);

    private final MongoConfig config;
    private final CommandListener listener;
    private final ScramAuthenticator authenticator;
    private final CommandTable table = new CommandTable();
    private final Diagnostics diagnostics;
    private final Sessions sessions;
    private final Transactions transactions;
    private final ClusterClock time;
    private final RunningOperations operations;
    private final FailPoints failPoints;
    private final LocalSessions localSessions;
    private final CollectionUse use = new CollectionUse();
    private final Cursors cursors;

    /**
     * @param traffic what the port counts
     */
    public Commands(
            Items items,
            Resources resources,
            Streams streams,
            ScramAuthenticator authenticator,
            MongoConfig config,
            CommandListener listener,
            Traffic traffic,
            SecureRandom random) {
        this.config = config;
        this.listener = listener;
        this.authenticator = authenticator;
        this.time = new ClusterClock(config.clock());
        this.operations = new RunningOperations(System::nanoTime, config.clock());
        this.diagnostics =
                new Diagnostics(config, authenticator.user(), table, traffic, operations);
        this.cursors = new Cursors(1, random, System::nanoTime);
        this.failPoints = new FailPoints(config.failPoints(), cursors);
        IndexUses uses = new IndexUses(config.clock());
        Batches batches = new Batches(items, cursors, uses);
        Catalogue catalogue = new Catalogue(resources);
        this.transactions = new Transactions(items, catalogue, cursors, System::nanoTime);
        this.localSessions =
                new LocalSessions(config.clock(), authenticator.user(), Sessions.TIMEOUT);
        this.sessions =
                new Sessions(
                        cursors, operations, transactions, localSessions, authenticator.user());
        CatalogueCommands databases =
                new CatalogueCommands(resources, streams, catalogue, batches, config.clock());
        new Handshake(config, authenticator).addTo(table);
        diagnostics.addTo();
        sessions.addTo(table);
        transactions.addTo(table);
        operations.addTo(table);
        failPoints.addTo(table);
        databases.addTo(table);
        new IndexCommands(resources, streams, catalogue, batches).addTo(table);
        ChangeStreams changes =
                new ChangeStreams(streams, items, catalogue, cursors, time, uses, random);
        new ShardingCommands(resources, catalogue, changes).addTo(table);
        new MaintenanceCommands(items, resources, catalogue, use).addTo(table);
        new RenameCommand(catalogue).addTo(table);
        ReadCommands reads = new ReadCommands(items, catalogue, batches, uses, config.clock());
        reads.addTo(table);
        new CursorCommands(catalogue, cursors, batches, changes).addTo(table);
        Explanations explanations = new Explanations(items, reads, config);
        AggregateCommand pipelines =
                new AggregateCommand(
                        items,
                        catalogue,
                        databases,
                        reads,
                        explanations,
                        operations,
                        localSessions,
                        uses,
                        batches,
                        changes,
                        random,
                        config.clock());
        pipelines.addTo(table);
        ObjectIds ids = new ObjectIds(random, config.clock());
        FilteredWrites writes = new FilteredWrites(items, catalogue, batches, ids, config.clock());
        new InsertCommand(items, catalogue, ids).addTo(table);
        UpdateCommands updates = new UpdateCommands(writes);
        updates.addTo(table);
        FindAndModifyCommand modify = new FindAndModifyCommand(writes, catalogue, config.clock());
        modify.addTo(table);
        new BulkWriteCommand(items, catalogue, batches, writes, ids, use).addTo(table);
        new ExplainCommand(table, explanations, reads, pipelines, updates, modify).addTo();
    }

    /**
     * Answers one command.
     *
     * @param body the command with its arguments
     * @param sequences arrays of documents that came beside it
     */
    public Reply run(Client client, Value.Obj body, Map<String, List<Bytes>> sequences) {
        long start = System.nanoTime();
        long begun = time.now();
        dropEndedLogin(client);
        boolean wasKnown = isLetIn(client);
        Bytes answer;
        int code = 0;
        boolean closes = false;
        boolean isOfStream = isOfStream(firstName(body), body);
        Optional<CommandRequest> asked = Optional.empty();
        try {
            CommandRequest request = request(client, body, sequences);
            asked = Optional.of(request);
            Command command = command(request.name());
            diagnostics.count(request);
            if (wasKnown) {
                request.session().ifPresent(localSessions::use);
            }
            Optional<FailPoints.Failing> failing = failPoints.next(request);
            if (failing.isPresent()) {
                closes = failing.get().closesConnection();
                failing.get().fail(request);
            }
            answer = run(command, request);
            if (failing.isPresent()) {
                answer = failing.get().decorated(request, answer);
            }
            Optional<FailPoints.Failing> lost = failPoints.afterWrite(request, answer);
            if (lost.isPresent()) {
                lost.get().hold();
                closes = true;
            }
            remember(request, start);
            use.count(request, System.nanoTime() - start);
        } catch (FailPoints.Failed failed) {
            answer = failed.reply();
            code = failed.code();
        } catch (WriteErrors.Refused refused) {
            answer = refused.failure().reply(body.properties());
            code = refused.failure().code();
        } catch (RuntimeException cause) {
            MongoFailure failure = failure(cause);
            answer = isOfStream ? failure.replyOfStream() : failure.reply(body.properties());
            code = failure.code();
        }
        listener.answered(answered(client, body, asked, code, System.nanoTime() - start));
        return new Reply(
                wasKnown
                        ? RawDocuments.extended(answer, time.fields(operationTime(asked, begun)))
                        : answer,
                isLetIn(client),
                closes);
    }

    private OptionalLong operationTime(Optional<CommandRequest> asked, long begun) {
        return asked.flatMap(request -> table.find(request.name()))
                        .filter(command -> command.access().mayWrite())
                        .isPresent()
                ? OptionalLong.of(begun)
                : OptionalLong.empty();
    }

    /**
     * An answer.
     *
     * @param isKnown the client has shown who it is
     */
    public record Reply(Bytes document, boolean isKnown, boolean closes) {}

    private CommandListener.Answered answered(
            Client client, Value.Obj body, Optional<CommandRequest> asked, int code, long nanos) {
        Optional<Command> command = table.find(firstName(body));
        String action = text(body, "customAction");
        boolean isManagement =
                command.filter(found -> found.access() == Command.Access.MANAGER).isPresent()
                        && !action.toLowerCase(Locale.ROOT).startsWith("get");
        return new CommandListener.Answered(
                asked.map(request -> request.context().activityId())
                        .orElseGet(RequestContext::newActivityId),
                client.remote(),
                client.login()
                        .map(login -> new RequestContext.Principal.Account(login.kind()).kind())
                        .orElse("none"),
                command.map(Command::name).orElse("unknown")
                        + (action.isEmpty() ? "" : " " + action),
                link(body, action),
                isManagement,
                code,
                asked.map(request -> request.charge().ru()).orElse(0.0),
                nanos);
    }

    /** The database and the collection that a command names. Some name both in one text. */
    private static String link(Value.Obj body, String action) {
        String first = firstName(body);
        String database = text(body, "$db");
        String named = action.isEmpty() ? text(body, first) : text(body, "collection");
        return switch (first) {
            case "shardCollection", "enableSharding", "renameCollection" -> named;
            default -> named.isEmpty() ? database : database + "." + named;
        };
    }

    /** Returns the name of the first field, by which a command is known; empty if there is none. */
    private static String firstName(Value.Obj body) {
        Iterator<String> names = body.properties().keySet().iterator();
        return names.hasNext() ? names.next() : "";
    }

    private static String text(Value.Obj body, String name) {
        return body.properties().get(name) instanceof Value.Text(String text) ? text : "";
    }

    /** Returns the answer to a request that there is no room for. */
    public Bytes busy() {
        return MongoFailure.of(
                        new OrreryException(
                                        ErrorCode.TOO_MANY_REQUESTS,
                                        "The server has too many requests to answer.")
                                .withRetryAfter(Duration.ofSeconds(1)))
                .reply();
    }

    private boolean isLetIn(Client client) {
        return client.login().isPresent() || !config.needsLogin();
    }

    /** A key that was replaced ends what was begun with it. */
    private void dropEndedLogin(Client client) {
        if (client.login().isPresent() && !authenticator.isValid(client.login().get())) {
            client.login(Optional.empty());
        }
    }

    private CommandRequest request(
            Client client, Value.Obj body, Map<String, List<Bytes>> sequences) {
        String spelling = firstName(body);
        Command command = command(spelling);
        if (command.access() != Command.Access.ANYBODY && !isLetIn(client)) {
            throw MongoCode.UNAUTHORIZED.failure(
                    "Command " + spelling + " requires authentication");
        }
        Arguments arguments = new Arguments(command.name(), body);
        String database =
                arguments
                        .text("$db")
                        .orElseThrow(
                                () ->
                                        MongoCode.failure(
                                                40571, "OP_MSG requests require a $db argument"));
        if (table.isOnlyOfAdmin(command.name())) {
            requireAdmin(command.name(), database);
        }
        Optional<TransactionFields> transaction =
                TransactionFields.of(arguments, command.name(), database);
        CommonFields.check(arguments, transaction.isPresent());
        time.hear(arguments);
        time.requireReached(arguments);
        StableApi.check(command.name(), arguments);
        return new CommandRequest(
                client,
                command.name(),
                database,
                arguments,
                sequences,
                context(client, arguments),
                transaction);
    }

    private static void requireAdmin(String command, String database) {
        if (!database.equals("admin")) {
            throw MongoCode.UNAUTHORIZED.failure(
                    command + " may only be run against the admin database.");
        }
    }

    private Command command(String name) {
        return table.find(name)
                .orElseThrow(
                        () ->
                                MongoCode.COMMAND_NOT_FOUND.failure(
                                        "no such command: '" + name + "'"));
    }

    private RequestContext context(Client client, Arguments arguments) {
        RequestContext checked = checkedContext(client, arguments);
        return arguments.flag("bypassDocumentValidation", false) ? checked.unchecked() : checked;
    }

    private RequestContext checkedContext(Client client, Arguments arguments) {
        return new RequestContext(
                RequestContext.newActivityId(),
                client.login()
                        .map(Login::kind)
                        .map(RequestContext.Principal.Account::new)
                        .orElseGet(() -> new RequestContext.Principal.Account(false)),
                Optional.empty(),
                Optional.of(config.consistency().get().level()),
                System.nanoTime() + timeout(arguments).toNanos());
    }

    /** A getMore has its time for waiting, which only cursors have that wait. */
    private Duration timeout(Arguments arguments) {
        OptionalLong millis = arguments.count("maxTimeMS");
        if (millis.isPresent() && isOfStream(arguments.owner(), arguments.fields())) {
            // It says how long to wait where there is nothing; then there is still work to do.
            return config.requestTimeout()
                    .plusMillis(Math.min(millis.getAsLong(), LONGEST.toMillis()));
        }
        if (millis.isEmpty() || millis.getAsLong() == 0) {
            return config.requestTimeout();
        }
        Duration wanted = Duration.ofMillis(Math.min(millis.getAsLong(), LONGEST.toMillis()));
        return wanted.compareTo(config.requestTimeout()) < 0 ? wanted : config.requestTimeout();
    }

    /** Returns true if the command waits for changes: it has time of its own, and labels. */
    private boolean isOfStream(String name, Value.Obj body) {
        return name.equals("getMore")
                && CursorCommands.findId(body.properties().values().iterator().next())
                        .filter(cursors::isStream)
                        .isPresent();
    }

    private Bytes run(Command command, CommandRequest request) {
        if (!command.takesAnyField()) {
            request.arguments().allow(firstName(request.arguments().fields()), command.fields());
        }
        try (RunningOperations.Operation operation = operations.begin(request)) {
            try {
                return transactions.run(request, command.body());
            } catch (OrreryException failure) {
                throw told(request, failure, operation.isKilled());
            }
        }
    }

    private static OrreryException told(
            CommandRequest request, OrreryException failure, boolean isKilled) {
        if (isKilled && failure.code() == ErrorCode.TIMEOUT) {
            return MongoCode.INTERRUPTED.failure("operation was interrupted");
        }
        if (failure.languageCode().isPresent()) {
            return failure;
        }
        int code = MongoFailure.of(failure).code();
        if (code == MongoCode.NAMESPACE_NOT_FOUND.number()) {
            return MongoCode.NAMESPACE_NOT_FOUND.failure("ns not found"); // dropped meanwhile
        }
        return code == MongoCode.UNAUTHORIZED.number()
                ? MongoCode.UNAUTHORIZED.failure(
                        "not authorized on "
                                + request.database()
                                + " to execute command "
                                + request.name()
                                + ": "
                                + failure.text())
                : failure;
    }

    private void remember(CommandRequest request, long start) {
        if (request.charge().ru() > 0) {
            sessions.remember(
                    request,
                    new RequestStatistics(
                            request.name(),
                            request.charge().ru(),
                            (System.nanoTime() - start) / 1e6));
        }
    }

    private static MongoFailure failure(RuntimeException cause) {
        return MongoFailure.of(
                HeardFailure.of(LOG, "command " + RequestContext.newActivityId(), cause));
    }
}
