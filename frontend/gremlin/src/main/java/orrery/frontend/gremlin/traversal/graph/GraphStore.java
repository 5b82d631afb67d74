package orrery.frontend.gremlin.traversal.graph;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import orrery.document.JsonText;
import orrery.document.SystemProperties;
import orrery.document.Value;
import orrery.gateway.api.BatchAnswer;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.ItemAddress;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemBatch;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.Items;
import orrery.gateway.api.LookupAnswer;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.QueryPage;
import orrery.model.Bytes;
import orrery.model.Cancellation;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.RowKey;
import orrery.query.QueryCall;
import orrery.query.sql.SqlStatement;
import orrery.query.syntax.Query;

/** The calls of one request at the door. Each element is an item. Used by one thread. */
public final class GraphStore {
    /** A change that is lost to others this often is given up; each time another one was made. */
    private static final int MAX_ATTEMPTS = 16;

    private final Items items;
    private final RequestContext context;
    private final ContainerRef.Resolved container;
    private final GraphSchema schema;
    private final GraphMeter meter;
    private final SystemProperties system;

    /** Set once the engine has answered a call of the traversal. */
    private boolean hasCalled;

    public GraphStore(
            Items items,
            RequestContext context,
            ContainerRef.Resolved container,
            GraphMeter meter) {
        this.items = items;
        this.context = context;
        this.container = container;
        this.schema = GraphSchema.of(container.container());
        this.meter = meter;
        this.system = new SystemProperties(container.container().rid());
    }

    GraphSchema schema() {
        return schema;
    }

    /** Throws TIMEOUT once nobody waits for the traversal any more. */
    public void check() {
        Cancellation.current().check();
        if (context.isExpired()) {
            throw new OrreryException(ErrorCode.TIMEOUT, "The traversal took longer than it may.");
        }
    }

    /**
     * Makes a call. Once one was made, the traversal waits where a budget is used up: if the client
     * had to begin anew, it would be refused at the same place again.
     */
    private <T> T call(String operator, Supplier<GraphMeter.Counted<T>> call) {
        while (true) {
            try {
                T answer = meter.count(operator, call);
                hasCalled = true;
                return answer;
            } catch (OrreryException refused) {
                Duration time = refused.retryAfter().orElse(Duration.ZERO);
                if (!hasCalled
                        || !refused.code().isOfRate()
                        || !time.isPositive()
                        || time.compareTo(context.remaining()) >= 0) {
                    throw refused;
                }
                await(time);
            }
        }
    }

    private static void await(Duration time) {
        try {
            Cancellation.current()
                    .waiting(() -> new CountDownLatch(1).await(time.toNanos(), NANOSECONDS));
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            throw new OrreryException(ErrorCode.UNAVAILABLE, "The server is stopping.", ended);
        }
    }

    Optional<StoredItem> read(String operator, ElementKey key) {
        try {
            return Optional.of(
                    call(
                            operator,
                            () ->
                                    counted(
                                            items.readItem(
                                                    context,
                                                    container,
                                                    key.partitionKey(),
                                                    reference(key)))));
        } catch (OrreryException failed) {
            if (failed.code() == ErrorCode.NOT_FOUND) {
                return Optional.empty();
            }
            throw failed;
        }
    }

    /** Reads what is there of these elements. */
    Map<ElementKey, StoredItem> readMany(String operator, Collection<ElementKey> keys) {
        Map<ElementKey, StoredItem> found = new HashMap<>();
        Set<ElementKey> wanted = new LinkedHashSet<>(keys);
        if (wanted.size() == 1) {
            ElementKey only = wanted.iterator().next();
            read(operator, only).ifPresent(item -> found.put(only, item));
            return found;
        }
        List<ElementKey> left = new ArrayList<>(wanted);
        while (!left.isEmpty()) {
            check();
            List<ElementKey> now =
                    left.subList(0, Math.min(left.size(), LookupAnswer.MAX_ADDRESSES));
            List<ElementKey> unread = new ArrayList<>();
            LookupAnswer answer = call(operator, () -> lookUp(now));
            for (int i = 0; i < now.size(); i++) {
                switch (answer.results().get(i)) {
                    case LookupAnswer.Result.Found(Item item) -> found.put(now.get(i), shown(item));
                    case LookupAnswer.Result.Missing _ -> {}
                    case LookupAnswer.Result.Unread _ -> unread.add(now.get(i));
                }
            }
            List<ElementKey> rest = new ArrayList<>(unread);
            rest.addAll(left.subList(now.size(), left.size()));
            left = rest;
        }
        return found;
    }

    private GraphMeter.Counted<LookupAnswer> lookUp(List<ElementKey> keys) {
        LookupAnswer answer =
                items.readMany(
                        context,
                        container,
                        keys.stream()
                                .map(key -> new ItemAddress(key.partitionKey(), rowKey(key.id())))
                                .toList());
        int found = 0;
        long bytes = 0;
        for (LookupAnswer.Result result : answer.results()) {
            if (result instanceof LookupAnswer.Result.Found(Item item)) {
                found++;
                bytes += item.body().length();
            }
        }
        return new GraphMeter.Counted<>(answer, answer.charge(), found, bytes);
    }

    /**
     * The results of a query, a page at a time as they are asked for.
     *
     * @param pageRows the most rows of a page, where fewer than usual are wanted
     */
    Iterator<List<Value>> pages(
            String operator, FeedScope scope, Query query, OptionalInt pageRows) {
        SqlStatement statement = SqlStatement.of(query);
        return new Iterator<>() {
            private Optional<String> continuation = Optional.empty();
            private boolean isDone;

            @Override
            public boolean hasNext() {
                return !isDone;
            }

            @Override
            public List<Value> next() {
                if (isDone) {
                    throw new NoSuchElementException();
                }
                check();
                QueryPage page =
                        call(
                                operator,
                                () -> {
                                    QueryPage answer =
                                            items.query(
                                                    context,
                                                    container,
                                                    scope,
                                                    QueryCall.of(statement),
                                                    new PageRequest(pageRows, continuation));
                                    return new GraphMeter.Counted<>(
                                            answer,
                                            answer.charge(),
                                            answer.rows().size(),
                                            answer.rows().stream().mapToLong(Bytes::length).sum());
                                });
                continuation = page.continuation();
                isDone = continuation.isEmpty();
                return page.rows().stream().map(JsonText::parse).toList();
            }
        };
    }

    StoredItem create(String operator, Value.Obj body) {
        check();
        return call(
                operator,
                () ->
                        counted(
                                items.writeItem(
                                        context,
                                        container,
                                        new ItemWrite.Create(
                                                JsonText.writeBytes(body), Optional.empty()))));
    }

    /**
     * Changes an item that was read. If somebody else has changed it since, it is read again and
     * the change made on what is there then, unless the traversal has named the version.
     *
     * @return the new version
     */
    StoredItem update(
            ElementKey key, StoredItem read, boolean isNamed, UnaryOperator<Value.Obj> change) {
        StoredItem present = read;
        for (int attempt = 1; ; attempt++) {
            check();
            StoredItem before = present;
            Value.Obj body = change.apply(before.body());
            if (body.equals(before.body())) {
                return before;
            }
            try {
                return call(
                        "UpdateElement",
                        () ->
                                counted(
                                        items.writeItem(
                                                context,
                                                container,
                                                new ItemWrite.Replace(
                                                        reference(key),
                                                        Optional.of(key.partitionKey()),
                                                        JsonText.writeBytes(body),
                                                        new Precondition.Matches(before.etag())))));
            } catch (OrreryException lost) {
                if (lost.code() != ErrorCode.PRECONDITION_FAILED
                        || isNamed
                        || attempt == MAX_ATTEMPTS) {
                    throw lost;
                }
            }
            present = read("GetElement", key).orElseThrow(() -> gone(key));
        }
    }

    /** Deletes an element, and does nothing if it is gone already. */
    void delete(ElementKey key, Precondition condition) {
        check();
        try {
            call(
                    "DropElement",
                    () -> {
                        ItemAnswer answer =
                                items.writeItem(
                                        context,
                                        container,
                                        new ItemWrite.Delete(
                                                reference(key), key.partitionKey(), condition));
                        return new GraphMeter.Counted<>(answer, answer.charge(), 1, 0);
                    });
        } catch (OrreryException failed) {
            if (failed.code() != ErrorCode.NOT_FOUND) {
                throw failed;
            }
        }
    }

    /** Deletes elements, some at a time; those that are gone already are passed over. */
    void deleteAll(List<ElementKey> keys) {
        for (int from = 0; from < keys.size(); from += ItemBatch.MAX_OPERATIONS) {
            check();
            List<BatchOperation> some =
                    keys
                            .subList(from, Math.min(keys.size(), from + ItemBatch.MAX_OPERATIONS))
                            .stream()
                            .map(this::deletion)
                            .toList();
            call("DropElement", () -> deleteSome(some));
        }
    }

    private BatchOperation deletion(ElementKey key) {
        return new BatchOperation.Write(
                new ItemWrite.Delete(reference(key), key.partitionKey(), Precondition.NONE));
    }

    private GraphMeter.Counted<BatchAnswer> deleteSome(List<BatchOperation> operations) {
        BatchAnswer answer =
                items.batch(context, container, new ItemBatch.Bulk(operations, false, true));
        for (BatchAnswer.Result result : answer.results()) {
            if (result instanceof BatchAnswer.Result.Refused(OrreryException failure)
                    && failure.code() != ErrorCode.NOT_FOUND) {
                throw failure.withCharge(answer.charge());
            }
        }
        return new GraphMeter.Counted<>(answer, answer.charge(), operations.size(), 0);
    }

    static OrreryException gone(ElementKey key) {
        return new OrreryException(
                ErrorCode.NOT_FOUND, "The element " + key + " was removed meanwhile.");
    }

    private GraphMeter.Counted<StoredItem> counted(ItemAnswer answer) {
        Item item = answer.item().orElseThrow();
        return new GraphMeter.Counted<>(shown(item), answer.charge(), 1, item.body().length());
    }

    private StoredItem shown(Item item) {
        return new StoredItem(system.read(item, _ -> true));
    }

    private RowKey rowKey(String id) {
        return container.container().definition().kind().ids().rowKey(id);
    }

    private ItemRef reference(ElementKey key) {
        return new ItemRef.Named(rowKey(key.id()));
    }
}
