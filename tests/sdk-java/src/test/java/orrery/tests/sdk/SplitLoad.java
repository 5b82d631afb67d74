package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.assertFails;
import static orrery.tests.sdk.Cosmos.item;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosItemResponse;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writers, readers and readers of feeds on one container, until they are told to stop. Whatever
 * else happens to the container meanwhile, no request of theirs may fail, no read may be older than
 * a write acknowledged before, and no feed may miss an item or bring one twice.
 *
 * <p>Each writer owns its items. Those it may delete are told apart by their ids, so that everyone
 * knows which items have to be there.
 */
final class SplitLoad implements AutoCloseable {
    private static final String ALL = "SELECT * FROM r";
    private static final int KEY_HOLDS = 3;
    private static final int DELETED = -1;

    /**
     * This number of items needs 16 partitions of a megabyte when they are large and fits into one
     * when they are small, however fast they are written.
     */
    private static final int ITEMS_OF_A_WRITER = 400;

    /** The size to which {@link #shrink} reduces items. */
    private static final int SMALL = 10;

    private final CosmosContainer container;
    private final CosmosContainer other;
    private final List<FeedRange> oldRanges;
    private final Map<String, Written> acknowledged = new ConcurrentHashMap<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final List<Worker> workers = new ArrayList<>();
    private final AtomicLong bytes = new AtomicLong();
    private final Object progress = new Object();
    private volatile String fill;
    private volatile boolean isRenewing;
    private volatile boolean stopping;

    /** The last acknowledged write of an item. */
    private record Written(int version, String sessionToken) {}

    /**
     * @param container as the session sees it that writes
     * @param other the same, as another session sees it
     * @param itemBytes how large items are, about
     */
    SplitLoad(CosmosContainer container, CosmosContainer other, int itemBytes) {
        this.container = container;
        this.other = other;
        this.fill = "f".repeat(itemBytes);
        this.oldRanges = container.getFeedRanges();
    }

    void start(long seed) {
        Random seeds = new Random(seed);
        for (int i = 0; i < 3; i++) {
            workers.add(new Writer(i, seeds.nextLong()));
        }
        workers.add(new SessionReader(seeds.nextLong()));
        workers.add(new TokenReader(seeds.nextLong()));
        workers.add(new FeedReader(seeds.nextLong()));
        workers.forEach(worker -> worker.thread.start());
    }

    /** Returns when each worker has done so much more; a whole feed counts as much as 20 others. */
    void awaitProgress(int count) {
        List<Long> goals = workers.stream().map(worker -> worker.done + count).toList();
        await(
                () -> {
                    for (int i = 0; i < workers.size(); i++) {
                        if (workers.get(i).done < goals.get(i)) {
                            return false;
                        }
                    }
                    return true;
                });
    }

    /**
     * Makes no more items, and returns when all that there are have been made small: what is left
     * fits into one partition, however long it takes to merge.
     */
    void shrink() {
        fill = "f".repeat(SMALL);
        await(
                () ->
                        workers.stream()
                                .filter(Writer.class::isInstance)
                                .allMatch(worker -> ((Writer) worker).large.isEmpty()));
    }

    /**
     * Returns when both sessions have seen the ranges of now. The SDK replaces a range it knows and
     * that is gone by all ranges that overlap it, whole: had it missed a split, then after a merge
     * across the old boundary it would read the items beyond that boundary a second time. Ranges
     * that were only merged since it knew them it reads by their part of the keys.
     */
    void renewRanges() {
        isRenewing = true;
        await(() -> !isRenewing);
    }

    /** Returns all bytes ever sent; those of replaced items count again. */
    long bytesWritten() {
        return bytes.get();
    }

    private interface Condition {
        boolean holds();
    }

    private void await(Condition condition) {
        synchronized (progress) {
            try {
                while (failures.isEmpty() && !condition.holds()) {
                    progress.wait();
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        throwFailures();
    }

    private void throwFailures() {
        if (!failures.isEmpty()) {
            AssertionError error = new AssertionError("the load failed", failures.peek());
            failures.stream().skip(1).forEach(error::addSuppressed);
            throw error;
        }
    }

    void stop() {
        close();
        throwFailures();
    }

    @Override
    public void close() {
        stopping = true;
        for (Worker worker : workers) {
            try {
                worker.thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Asserts that every item is there exactly once, whichever way one looks. */
    void verify(CosmosContainer fresh) {
        Map<String, Integer> expected = new TreeMap<>();
        acknowledged.forEach(
                (id, written) -> {
                    if (written.version() != DELETED) {
                        expected.put(id, written.version());
                    }
                });
        assertThat(expected).isNotEmpty();
        assertThat(versions(pages(fresh, new CosmosQueryRequestOptions(), 100)))
                .isEqualTo(expected);
        for (List<FeedRange> ranges : List.of(oldRanges, fresh.getFeedRanges())) {
            assertThat(versions(itemsOf(fresh, ranges))).isEqualTo(expected);
        }
        acknowledged.forEach(
                (id, written) -> {
                    if (written.version() == DELETED) {
                        assertFails(404, 0, () -> read(fresh, id, ""));
                    } else {
                        assertThat(version(read(fresh, id, "").getItem()))
                                .as(id)
                                .isEqualTo(written.version());
                    }
                });
    }

    private static List<ObjectNode> itemsOf(CosmosContainer source, List<FeedRange> ranges) {
        List<ObjectNode> items = new ArrayList<>();
        for (FeedRange range : ranges) {
            items.addAll(pages(source, new CosmosQueryRequestOptions().setFeedRange(range), 100));
        }
        return items;
    }

    private static List<ObjectNode> pages(
            CosmosContainer source, CosmosQueryRequestOptions options, int pageSize) {
        List<ObjectNode> items = new ArrayList<>();
        for (FeedResponse<ObjectNode> page :
                source.queryItems(ALL, options, ObjectNode.class).iterableByPage(pageSize)) {
            items.addAll(page.getResults());
        }
        return items;
    }

    /** Version by id; fails where an item comes twice. */
    private static Map<String, Integer> versions(List<ObjectNode> items) {
        Map<String, Integer> versions = new TreeMap<>();
        for (ObjectNode item : items) {
            String id = item.get("id").asText();
            assertThat(versions.put(id, version(item))).as("%s came twice", id).isNull();
        }
        return versions;
    }

    private static int version(ObjectNode item) {
        return item.get("version").asInt();
    }

    /**
     * Several items share a key, and keys are many: item {@code 2-17-d} has the key {@code 2-5}.
     */
    private static PartitionKey key(String id) {
        return new PartitionKey(keyText(id));
    }

    private static String keyText(String id) {
        String[] parts = id.split("-", -1);
        return parts[0] + "-" + Integer.parseInt(parts[1]) / KEY_HOLDS;
    }

    private static CosmosItemResponse<ObjectNode> read(
            CosmosContainer source, String id, String sessionToken) {
        CosmosItemRequestOptions options = new CosmosItemRequestOptions();
        if (!sessionToken.isEmpty()) {
            options.setSessionToken(sessionToken);
        }
        return source.readItem(id, key(id), options, ObjectNode.class);
    }

    private Written last(String id) {
        return Objects.requireNonNull(acknowledged.get(id));
    }

    private static boolean stays(String id) {
        return !id.endsWith("-d");
    }

    private abstract class Worker {
        final Thread thread =
                Thread.ofPlatform().name(getClass().getSimpleName()).unstarted(this::run);
        final Random random;
        volatile long done;

        Worker(long seed) {
            this.random = new Random(seed);
        }

        /** Returns how much it counts. */
        abstract int work();

        private void run() {
            try {
                while (!stopping && failures.isEmpty()) {
                    int more = work();
                    synchronized (progress) {
                        done += more;
                        progress.notifyAll();
                    }
                }
            } catch (RuntimeException | AssertionError e) {
                synchronized (progress) {
                    failures.add(e);
                    progress.notifyAll();
                }
            }
        }

        /** Items that have to be there. */
        List<String> present() {
            return acknowledged.keySet().stream().filter(SplitLoad::stays).toList();
        }
    }

    private final class Writer extends Worker {
        private final int number;
        private final List<String> mine = new ArrayList<>();

        /** Items of this writer that {@link #shrink} waits for. */
        final Set<String> large = ConcurrentHashMap.newKeySet();

        private int created;

        Writer(int number, long seed) {
            super(seed);
            this.number = number;
        }

        @Override
        int work() {
            Optional<String> shrinking =
                    fill.length() > SMALL ? Optional.empty() : large.stream().findFirst();
            if (shrinking.isPresent()) {
                String id = shrinking.get();
                int version = last(id).version() + 1;
                acknowledge(id, version, container.upsertItem(content(id, version)));
                large.remove(id);
            } else if (mine.isEmpty() || (mayCreate() && random.nextInt(10) < 5)) {
                String id = number + "-" + created + (random.nextInt(4) == 0 ? "-d" : "");
                created++;
                acknowledge(id, 1, container.createItem(content(id, 1)));
                mine.add(id);
            } else {
                String id = mine.get(random.nextInt(mine.size()));
                int version = last(id).version() + 1;
                switch (random.nextInt(stays(id) ? 3 : 4)) {
                    case 0 -> acknowledge(id, version, container.upsertItem(content(id, version)));
                    case 1 ->
                            acknowledge(
                                    id,
                                    version,
                                    container.replaceItem(content(id, version), id, key(id), null));
                    case 2 ->
                            acknowledge(
                                    id,
                                    version,
                                    container.patchItem(
                                            id,
                                            key(id),
                                            CosmosPatchOperations.create().set("/version", version),
                                            ObjectNode.class));
                    default -> {
                        acknowledge(id, DELETED, container.deleteItem(id, key(id), null));
                        mine.remove(id);
                        large.remove(id);
                    }
                }
            }
            bytes.addAndGet(fill.length());
            return 1;
        }

        private boolean mayCreate() {
            return fill.length() > SMALL && created < ITEMS_OF_A_WRITER;
        }

        private ObjectNode content(String id, int version) {
            String now = fill;
            if (now.length() > SMALL) {
                large.add(id);
            }
            return item(id, keyText(id)).put("version", version).put("fill", now);
        }

        private void acknowledge(String id, int version, CosmosItemResponse<?> response) {
            acknowledged.put(id, new Written(version, response.getSessionToken()));
        }
    }

    /** Reads in the session that writes, and relies on its client to send the token. */
    private final class SessionReader extends Worker {
        private final Map<String, Integer> seen = new HashMap<>();

        SessionReader(long seed) {
            super(seed);
        }

        @Override
        int work() {
            List<String> ids = present();
            if (!ids.isEmpty()) {
                String id = ids.get(random.nextInt(ids.size()));
                int least = Math.max(last(id).version(), seen.getOrDefault(id, 0));
                int version = version(read(container, id, "").getItem());
                assertThat(version).as("version of %s", id).isGreaterThanOrEqualTo(least);
                seen.put(id, version);
            }
            return 1;
        }
    }

    /** Another session, that is handed the tokens of writes, also old ones. */
    private final class TokenReader extends Worker {
        private final Map<String, Written> old = new HashMap<>();

        TokenReader(long seed) {
            super(seed);
        }

        @Override
        int work() {
            List<String> ids = present();
            if (!ids.isEmpty()) {
                String id = ids.get(random.nextInt(ids.size()));
                Written last = last(id);
                Written first = old.getOrDefault(id, last);
                old.putIfAbsent(id, last);
                String token = (random.nextBoolean() ? first : last).sessionToken();
                int version = version(read(other, id, token).getItem());
                assertThat(version).as("%s", id).isGreaterThanOrEqualTo(last.version());
            }
            return 1;
        }
    }

    private final class FeedReader extends Worker {
        private List<FeedRange> ranges = oldRanges;

        FeedReader(long seed) {
            super(seed);
        }

        @Override
        int work() {
            if (isRenewing) {
                pages(container, new CosmosQueryRequestOptions(), 100);
                pages(other, new CosmosQueryRequestOptions(), 100);
                ranges = container.getFeedRanges();
                isRenewing = false;
                return 20;
            }
            Map<String, Integer> least = new HashMap<>();
            present().forEach(id -> least.put(id, last(id).version()));
            Map<String, Integer> found;
            switch (random.nextInt(3)) {
                case 0 -> {
                    // Most of these ranges are gone by now.
                    found = versions(itemsOf(container, ranges));
                    ranges = container.getFeedRanges();
                }
                case 1 -> found = versions(itemsOf(other, oldRanges));
                default ->
                        found =
                                versions(
                                        pages(
                                                container,
                                                new CosmosQueryRequestOptions(),
                                                5 + random.nextInt(95)));
            }
            least.forEach(
                    (id, version) ->
                            assertThat(found.getOrDefault(id, 0))
                                    .as(id)
                                    .isGreaterThanOrEqualTo(version));
            return 20;
        }
    }
}
