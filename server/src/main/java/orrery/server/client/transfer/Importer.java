package orrery.server.client.transfer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import orrery.document.ByteSink;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.SizeLimits;
import orrery.server.client.Answer;
import orrery.server.client.ClientException;
import orrery.server.client.Pause;
import orrery.server.client.Place;
import orrery.server.client.RefusedException;
import orrery.server.client.Reply;
import orrery.server.client.SqlClient;

/**
 * Writes rows as items of a container, in bulks, several at a time.
 *
 * <p>Rows are dealt to lanes by their id, and a lane has one bulk under way at a time. So rows with
 * the same id are written in their order, and the last one is the one that stays. What is throttled
 * waits as long as the server says and is sent again before the lane goes on, and with it the later
 * rows of its id.
 */
public final class Importer {
    /** The service's limit on the operations of a bulk. */
    private static final int MAX_OPERATIONS = 100;

    /** Half of what a bulk may have: its envelope has to fit too. */
    private static final int MAX_BULK_BYTES = SizeLimits.DEFAULT.bulkBytes();

    private static final int MAX_ATTEMPTS = 10;
    private static final long RETRY_MILLIS = 100;

    private final SqlClient client;
    private final Place container;
    private final boolean isUpsert;
    private final int parallel;
    private final Progress progress;
    private final Rejects rejects;

    public Importer(
            SqlClient client,
            Place container,
            boolean isUpsert,
            int parallel,
            Progress progress,
            Rejects rejects) {
        this.client = client;
        this.container = container;
        this.isUpsert = isUpsert;
        this.parallel = parallel;
        this.progress = progress;
        this.rejects = rejects;
    }

    private record Operation(Row row, String id, Bytes item) {}

    /** The answer to an operation. */
    private record Result(int status, String reason, OptionalLong retryAfterMillis) {
        static Result of(Answer line) {
            return new Result(
                    (int) line.integer("statusCode"),
                    line.find("message").isPresent() ? line.text("message") : "",
                    line.find("retryAfterMilliseconds").isPresent()
                            ? OptionalLong.of(line.integer("retryAfterMilliseconds"))
                            : OptionalLong.empty());
        }

        boolean isThrottled() {
            return status == 429;
        }

        /** The server could not do it now: too slow, in the middle of a change, or out of reach. */
        boolean isPassing() {
            return status == 408 || status == 410 || status == 449 || status == 503;
        }
    }

    /** Returns when every row is written or rejected. */
    void run(Rows rows, ItemMaker maker) throws IOException {
        List<Lane> lanes = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < parallel; i++) {
                lanes.add(new Lane(threads));
            }
            try {
                dealAll(rows, maker, lanes);
            } catch (ClientException failure) {
                // The next run writes again what is under way.
                threads.shutdownNow();
                throw failure;
            }
        }
    }

    /** Rows before the place where the file breaks off are written. */
    private void dealAll(Rows rows, ItemMaker maker, List<Lane> lanes) throws IOException {
        try {
            for (var row = rows.next(); row.isPresent(); row = rows.next()) {
                deal(row.get(), maker, lanes);
            }
        } catch (BrokenFileException | IOException broken) {
            finish(lanes);
            throw broken;
        }
        finish(lanes);
    }

    private static void finish(List<Lane> lanes) {
        lanes.forEach(Lane::flush);
        lanes.forEach(Lane::await);
    }

    /** Imports rows that are items already, ids included. */
    public void run(Rows items) throws IOException {
        run(items, new ItemMaker(Optional.empty()));
    }

    private void deal(Row row, ItemMaker maker, List<Lane> lanes) {
        ItemMaker.Made made;
        try {
            made = maker.make(row);
        } catch (OrreryException refused) {
            if (!row.isTooLarge() && !ItemMaker.isJson(row)) {
                progress.notJson();
            }
            rejects.add(row, refused.text());
            return;
        }
        lanes.get(Math.floorMod(made.id().hashCode(), lanes.size()))
                .add(new Operation(row, made.id(), made.body()));
    }

    /** Bulks that are written one after the other: one is under way while the next is filled. */
    private final class Lane {
        private final ExecutorService threads;
        private List<Operation> waiting = new ArrayList<>();
        private int bytes;
        private Future<?> running = CompletableFuture.completedFuture(null);

        Lane(ExecutorService threads) {
            this.threads = threads;
        }

        void add(Operation operation) {
            int length = operation.item().length();
            if (waiting.size() == MAX_OPERATIONS || bytes + length > MAX_BULK_BYTES) {
                flush();
            }
            waiting.add(operation);
            bytes += length;
        }

        void flush() {
            await();
            if (!waiting.isEmpty()) {
                List<Operation> bulk = waiting;
                waiting = new ArrayList<>();
                bytes = 0;
                running = threads.submit(() -> write(bulk));
            }
        }

        void await() {
            try {
                running.get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ClientException("Interrupted.", e);
            } catch (ExecutionException e) {
                if (e.getCause() instanceof ClientException failure) {
                    throw failure;
                }
                throw new IllegalStateException(e.getCause());
            }
        }
    }

    private void write(List<Operation> bulk) {
        List<Operation> left = bulk;
        for (int attempt = 1; !left.isEmpty(); attempt++) {
            List<Result> results = send(left);
            List<Operation> again = new ArrayList<>();
            Set<String> idsAgain = new HashSet<>();
            long millis = 0;
            for (int i = 0; i < left.size(); i++) {
                Operation operation = left.get(i);
                Result result = results.get(i);
                boolean comesAgain =
                        result.isThrottled() || (result.isPassing() && attempt < MAX_ATTEMPTS);
                if (comesAgain) {
                    if (result.isThrottled()) {
                        progress.throttled();
                    }
                    again.add(operation);
                    idsAgain.add(operation.id());
                    millis = Math.max(millis, result.retryAfterMillis().orElse(RETRY_MILLIS));
                } else if (result.status() >= 300) {
                    rejects.add(operation.row(), result.status() + ", " + result.reason());
                } else if (isUpsert && idsAgain.contains(operation.id())) {
                    // The earlier row would write over it.
                    again.add(operation);
                } else {
                    progress.carried(operation.item().length());
                }
            }
            progress.tick();
            left = again;
            if (!left.isEmpty()) {
                Pause.millis(millis);
            }
        }
    }

    private List<Result> send(List<Operation> operations) {
        try {
            // A large item would not fit into the envelope of a bulk.
            if (operations.size() == 1) {
                Reply reply = client.write(container, operations.getFirst().item(), isUpsert);
                progress.charged(reply.charge());
                return List.of(new Result(200, "", OptionalLong.empty()));
            }
            Reply reply = client.bulk(container, body(operations));
            progress.charged(reply.charge());
            return reply.objects().stream().map(Result::of).toList();
        } catch (RefusedException refused) {
            Result same =
                    new Result(
                            refused.status(),
                            String.valueOf(refused.getMessage()),
                            refused.retryAfterMillis());
            if (same.isThrottled() || same.isPassing() || isAboutTheItem(operations, refused)) {
                return operations.stream().map(_ -> same).toList();
            }
            throw refused;
        }
    }

    /** A row that came alone is refused alone; a container that is not there is everybody's. */
    private static boolean isAboutTheItem(List<Operation> operations, RefusedException refused) {
        return operations.size() == 1
                && (refused.status() == 400
                        || refused.status() == 409
                        || refused.status() == 413
                        || refused.is(ErrorCode.LOGICAL_PARTITION_FULL));
    }

    private Bytes body(List<Operation> operations) {
        ByteSink out = new ByteSink().put('[');
        String separator = "";
        for (Operation operation : operations) {
            out.putAscii(separator)
                    .putAscii("{\"operationType\":")
                    .putAscii(isUpsert ? "\"Upsert\"" : "\"Create\"")
                    .putAscii(",\"resourceBody\":");
            byte[] item = operation.item().unsafeArray();
            out.put(item, 0, item.length).put('}');
            separator = ",";
        }
        return out.put(']').toBytes();
    }
}
