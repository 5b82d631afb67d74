package orrery.gateway;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import orrery.gateway.ItemRouter.CheckedWrite;
import orrery.gateway.api.BatchAnswer;
import orrery.gateway.api.BatchAnswer.Result;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemBatch;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.model.ByteSizes;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.ItemKey;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.RequestScope;
import orrery.model.RowKey;
import orrery.model.SessionToken;
import orrery.model.Statement;
import orrery.model.memory.MemoryAccount;
import orrery.model.metering.Charge;
import orrery.model.metering.RequestCharge;
import orrery.model.resource.Container;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.api.WriteAction;
import orrery.query.write.Images;

/**
 * One bulk: each operation is a request of its own, admitted, charged and routed as if it had come
 * alone. Operations on different items run at the same time, so that they share log entries.
 */
final class BulkRun {
    /** Items loaded at the same time: each may be as large as items get, and one too many. */
    private static final int MAX_LOADING = 8;

    private final RequestContext context;
    private final Container container;
    private final Optional<PhysicalPartition> named;
    private final ItemRouter items;
    private final Faults faults;
    private final Semaphore loading = new Semaphore(MAX_LOADING);
    private final SortedMap<Integer, Long> lsns = new TreeMap<>();
    private long answerBytes;

    /**
     * @param named the range that the client believes to have all keys, as it was at the beginning.
     *     Keys that a split takes out of it meanwhile are followed, as for single requests.
     */
    BulkRun(
            RequestContext context,
            Container container,
            Optional<PhysicalPartition> named,
            ItemRouter items,
            Faults faults) {
        this.context = context;
        this.container = container;
        this.named = named;
        this.items = items;
        this.faults = faults;
    }

    BatchAnswer run(ItemBatch.Bulk bulk) {
        List<Operation> operations = new ArrayList<>();
        bulk.operations().forEach(operation -> operations.add(new Operation(operation)));
        if (bulk.inOrder() || !bulk.continueOnError()) {
            runInOrder(operations, bulk.continueOnError());
        } else {
            runAtOnce(operations);
        }
        List<Result> results = operations.stream().map(operation -> operation.result).toList();
        return new BatchAnswer(
                results,
                container,
                new SessionToken(lsns),
                RequestCharge.batch(lsns.size(), results.stream().map(Result::charge).toList()));
    }

    private static void runInOrder(List<Operation> operations, boolean continueOnError) {
        for (Operation operation : operations) {
            operation.run();
            if (!continueOnError && operation.result instanceof Result.Refused) {
                return;
            }
        }
    }

    private static void runAtOnce(List<Operation> operations) {
        List<Future<?>> running = new ArrayList<>();
        RequestScope scope = RequestScope.current();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Chain chain : chains(operations)) {
                running.add(
                        threads.submit(
                                () ->
                                        scope.during(
                                                () -> {
                                                    chain.operations.forEach(Operation::run);
                                                    return chain;
                                                })));
            }
        }
        for (Future<?> chain : running) {
            if (chain.state() == Future.State.FAILED) {
                throw new IllegalStateException("an operation of a bulk", chain.exceptionNow());
            }
        }
    }

    /**
     * Groups the operations by item; each group keeps their order. An operation that changes an id
     * is on two items, and joins the groups of both.
     */
    private static Collection<Chain> chains(List<Operation> operations) {
        Map<ItemKey, Chain> chains = new LinkedHashMap<>();
        for (Operation operation : operations) {
            if (operation.key.isEmpty()) {
                continue;
            }
            Chain chain = chains.computeIfAbsent(operation.key.get(), _ -> new Chain());
            Chain other = chains.getOrDefault(operation.target(), chain);
            if (other != chain) {
                chain.operations.addAll(other.operations);
                chains.replaceAll((_, each) -> each == other ? chain : each);
            }
            chains.put(operation.target(), chain);
            chain.operations.add(operation);
        }
        return new LinkedHashSet<>(chains.values());
    }

    /** Operations that run one after the other. */
    private static final class Chain {
        private final List<Operation> operations = new ArrayList<>();
    }

    private synchronized void saw(SessionToken token) {
        token.lsnByRange().forEach((range, lsn) -> lsns.merge(range, lsn, Math::max));
    }

    private synchronized boolean hasRoomFor(Item item) {
        long bytes = RequestCharge.itemBytes(item.body().length());
        // The largest answer is the same as a page of a feed.
        if (answerBytes + bytes > maxAnswerBytes()) {
            return false;
        }
        answerBytes += bytes;
        return true;
    }

    /** One operation and what becomes of it. */
    private final class Operation {
        private final BatchOperation wanted;
        private Optional<CheckedWrite> write = Optional.empty();
        private Optional<ItemKey> key = Optional.empty();
        private Result result = new Result.Refused(BatchRouter.notDone());

        Operation(BatchOperation wanted) {
            this.wanted = wanted;
            try {
                switch (wanted) {
                    case BatchOperation.Read(RowKey item, PartitionKey own, Precondition _) ->
                            key =
                                    Optional.of(
                                            ItemRouter.key(
                                                    container,
                                                    ItemRouter.wholeKey(container, own),
                                                    item));
                    case BatchOperation.Refused(OrreryException reason) -> throw reason;
                    case BatchOperation.Write(ItemWrite change, var _) -> {
                        write = Optional.of(items.checked(context, container, change));
                        key = write.map(CheckedWrite::key);
                    }
                }
            } catch (OrreryException refused) {
                result = new Result.Refused(refused);
            }
        }

        /** The item that the operation leaves, which may have another id. */
        ItemKey target() {
            return write.map(CheckedWrite::target).or(() -> key).orElseThrow();
        }

        void run() {
            if (key.isEmpty()) {
                return;
            }
            try {
                faults.check(container);
                checkRange(key.get());
                result = answer();
            } catch (OrreryException refused) {
                refused.sessionToken().ifPresent(BulkRun.this::saw);
                result = new Result.Refused(refused);
            }
        }

        private void checkRange(ItemKey item) {
            if (named.isPresent() && !named.get().keys().contains(item.epk())) {
                throw new OrreryException(
                        ErrorCode.RANGE_GONE,
                        "The key is not in the partition key range "
                                + named.get().range()
                                + ". Refresh the ranges of the container.");
            }
        }

        private Result answer() {
            return switch (wanted) {
                case BatchOperation.Read read -> loaded(() -> read(read));
                case BatchOperation.Refused(OrreryException reason) -> new Result.Refused(reason);
                case BatchOperation.Write(var _, Optional<Statement> statement) -> {
                    CheckedWrite checked = write.orElseThrow();
                    yield hasImage(checked)
                            ? loaded(() -> written(checked, statement))
                            : written(checked, statement);
                }
            };
        }

        private Result read(BatchOperation.Read read) {
            RequestContext reading =
                    new RequestContext(
                            context.activityId(),
                            context.principal(),
                            context.sessionToken(),
                            context.consistency(),
                            context.terms().ofRead(read.known()),
                            context.deadlineNanos());
            ItemAnswer answer =
                    items.read(reading, container, read.key(), new ItemRef.Named(read.item()));
            saw(answer.sessionToken());
            Item item = answer.item().orElseThrow();
            if (Precondition.holds(read.known(), item.etag())) {
                return new Result.NotModified(item.etag(), answer.charge());
            }
            if (hasRoomFor(item)) {
                return new Result.Done(answer.outcome(), answer.item(), answer.charge());
            }
            forget(item);
            return new Result.Refused(noRoom(answer.charge()));
        }

        private Result written(CheckedWrite checked, Optional<Statement> statement) {
            ItemAnswer answer = items.write(context, container, checked, statement);
            saw(answer.sessionToken());
            // An image that the partition sent was not sent by the client, so it counts. The write
            // itself has already happened.
            Optional<Item> item =
                    hasImage(checked) ? answer.item().map(this::ifRoom) : answer.item();
            return new Result.Done(
                    answer.outcome(),
                    item,
                    answer.before().map(this::ifRoom),
                    answer.charge(),
                    answer.remembered().isPresent());
        }

        private static boolean hasImage(CheckedWrite checked) {
            return checked.action() instanceof WriteAction.Computed action
                    && action.images() != Images.NONE;
        }

        private Item ifRoom(Item image) {
            return hasRoomFor(image) ? image : withoutBody(image);
        }

        private interface Loading {
            Result run();
        }

        private Result loaded(Loading work) {
            loading.acquireUninterruptibly();
            try {
                return work.run();
            } finally {
                loading.release();
            }
        }
    }

    private int maxAnswerBytes() {
        return container.definition().kind().limits().maxPageBytes();
    }

    private OrreryException noRoom(Charge charge) {
        return new OrreryException(
                        ErrorCode.BATCH_RESPONSE_TOO_LARGE,
                        "The answer to the batch would have more than "
                                + ByteSizes.text(maxAnswerBytes())
                                + ". Send this operation again with fewer others.")
                .withCharge(charge);
    }

    /** Gives back the memory of an item that is not sent after all. */
    private static void forget(Item item) {
        MemoryAccount.current().give(2L * item.body().length());
    }

    private static Item withoutBody(Item item) {
        forget(item);
        return new Item(
                item.docid(),
                item.etag(),
                item.timestampMillis(),
                item.lsn(),
                item.encoding(),
                Bytes.EMPTY);
    }
}
