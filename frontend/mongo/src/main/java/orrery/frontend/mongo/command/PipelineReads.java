package orrery.frontend.mongo.command;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import orrery.document.Value;
import orrery.frontend.mongo.cursor.Cursor;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.Items;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.QueryPage;
import orrery.model.Cancellation;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.RequestContext;
import orrery.query.QueryCall;
import orrery.query.mongo.aggregate.Documents;
import orrery.query.mongo.aggregate.Executor;
import orrery.query.mongo.aggregate.ListDocuments;
import orrery.query.mongo.aggregate.OtherCollections;
import orrery.query.mongo.aggregate.Pipeline;
import orrery.query.mongo.aggregate.PipelineReader;
import orrery.query.mongo.aggregate.PushDown;
import orrery.query.mongo.expression.ExpressionContext;
import orrery.query.mongo.find.FindOptions;
import orrery.query.mongo.find.FindStatement;

/**
 * What the stages of one pipeline read. The request in whose name they do so is that of the present
 * batch: it is charged, and its time and its rights count.
 */
final class PipelineReads implements OtherCollections {
    private static final ScopedValue<CommandRequest> REQUEST = ScopedValue.newInstance();

    private final Items items;
    private final Catalogue catalogue;
    private final String database;
    private final Value.Obj collation;
    private final RandomGenerator random;
    private final IndexUses uses;
    private final Map<Namespace, ContainerRef.Resolved> containers = new HashMap<>();
    private @Nullable CommandRequest request;
    private boolean hasRead;

    PipelineReads(
            Items items,
            Catalogue catalogue,
            String database,
            Value.Obj collation,
            RandomGenerator random,
            IndexUses uses) {
        this.items = items;
        this.catalogue = catalogue;
        this.database = database;
        this.collation = collation;
        this.random = random;
        this.uses = uses;
    }

    /** Does what asks for documents, within the time of the request. */
    static <T> T during(CommandRequest request, Supplier<T> batch) {
        return ScopedValue.where(REQUEST, request)
                .call(
                        () ->
                                Cancellation.current()
                                        .within(request.context().remaining())
                                        .during(batch));
    }

    /** Returns the request of the present batch. */
    private CommandRequest request() {
        CommandRequest present = REQUEST.get();
        if (present != request) {
            request = present;
            containers.clear();
            hasRead = false;
        }
        return present;
    }

    Executor executor(ExpressionContext context) {
        return new Executor(this, context, random);
    }

    /** Reads a page. */
    QueryPage page(Cursor cursor, PageRequest wanted) {
        QueryPage page =
                patiently(
                        () ->
                                items.query(
                                        request().context(),
                                        container(Namespace.parse(cursor.namespace())),
                                        cursor.scope(),
                                        QueryCall.of(cursor.statement()),
                                        wanted));
        request().charge(page.charge());
        if (wanted.continuation().isEmpty()) {
            uses.count(page.container(), page);
        }
        return page;
    }

    /**
     * Makes a call. Once one was made, the pipeline waits where a budget is used up: if the client
     * had to begin anew, it would be refused at the same place again.
     */
    <T> T patiently(Supplier<T> call) {
        CommandRequest present = request();
        while (true) {
            try {
                T result = call.get();
                hasRead = true;
                return result;
            } catch (OrreryException failure) {
                if (!hasRead || !failure.code().isOfRate() || failure.retryAfter().isEmpty()) {
                    throw failure;
                }
                present.charge(failure.charge());
                await(failure.retryAfter().get(), failure);
            }
        }
    }

    private static void await(Duration time, OrreryException failure) {
        if (Cancellation.current().bounded(time).compareTo(time) < 0) {
            throw failure;
        }
        try {
            Cancellation.current()
                    .waiting(() -> new CountDownLatch(1).await(time.toNanos(), NANOSECONDS));
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            throw new OrreryException(ErrorCode.UNAVAILABLE, "The server is stopping.", ended);
        }
    }

    /** A collection that was dropped meanwhile ends the pipeline. */
    private ContainerRef.Resolved container(Namespace namespace) {
        return found(namespace).orElseGet(() -> catalogue.require(request().context(), namespace));
    }

    private Optional<ContainerRef.Resolved> found(Namespace namespace) {
        RequestContext context = request().context();
        ContainerRef.Resolved known = containers.get(namespace);
        if (known != null) {
            return Optional.of(known);
        }
        Optional<ContainerRef.Resolved> found = catalogue.find(context, namespace);
        found.ifPresent(container -> containers.put(namespace, container));
        return found;
    }

    @Override
    public Documents open(
            Optional<String> collection, List<Value> stages, ExpressionContext context) {
        Pipeline pipeline = new PipelineReader(context).read(stages);
        Executor executor = executor(context);
        if (collection.isEmpty()) {
            return executor.run(pipeline.stages(), new ListDocuments(List.of()));
        }
        Namespace namespace = new Namespace(database, collection.get());
        PushDown parts = PushDown.of(pipeline);
        FindStatement find =
                new FindStatement(
                        parts.options()
                                .withLet(context.let())
                                .withCollation(collation)
                                .at(context.now()));
        Reading reading =
                Reading.of(
                        namespace,
                        find,
                        new Arguments("$lookup", FindOptions.NONE),
                        found(namespace));
        return executor.run(parts.rest(), documents(reading, parts, context));
    }

    /** Returns what partitions give for their part of a pipeline. */
    Documents documents(Reading reading, PushDown parts, ExpressionContext context) {
        return reading.container().isEmpty()
                ? new ListDocuments(List.of())
                : new QueryDocuments(
                        this,
                        reading.cursor(
                                parts.statement(reading.statement(), context.now()),
                                Optional.empty()));
    }
}
