package orrery.query.execute;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import orrery.document.BodyFormat;
import orrery.document.ByteSink;
import orrery.document.IndexPath;
import orrery.document.IndexPathCodec;
import orrery.document.IndexValue;
import orrery.model.Bytes;
import orrery.model.Cancellation;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.OrreryException;
import orrery.model.TermRules;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.query.evaluate.ComputedProperties;
import orrery.query.index.PathValues;
import orrery.query.index.ValueRanges;

/**
 * Finds the items that have one of several values at an indexed path, a page at a time. The entries
 * are walked in the order of the index, so one pass serves all values. Entries hold the beginning
 * of a long value: its items are compared with the whole value.
 */
public final class EqualityLookup {
    /** Entries that a page looks at before it ends, whether or not they led to a match. */
    static final int MAX_EXAMINED = 10_000;

    /** Items that are loaded at once; few while it is not known how large they are. */
    private static final int FIRST_BATCH = 4;

    private static final int MAX_BATCH = 64;

    /** If the items of a batch had more bytes than this, the next are loaded one by one. */
    private static final int BATCH_BYTES = 256 << 10;

    private final ItemSource source;
    private final IndexPath path;
    private final List<Bytes> values;
    private final ComputedProperties computed;

    /** The numbers of the values by the form in which the index has them. */
    private final NavigableMap<Bytes, List<Integer>> byEntry = new TreeMap<>();

    /**
     * An item that was found.
     *
     * @param values the numbers of the values that it has, among those asked for; of values that
     *     are equal, the first. There are several only where long values begin alike and the path
     *     leads to elements of an array.
     */
    public record Match(List<Integer> values, Item item) {
        public Match {
            values = List.copyOf(values);
        }
    }

    /**
     * @param next where the following page begins; absent when nothing follows
     * @param documents the items that were loaded
     */
    public record Page(
            List<Match> matches, Optional<Bytes> next, int documents, long documentBytes) {
        public Page {
            matches = List.copyOf(matches);
        }
    }

    /** An entry of the index. */
    private record Entry(Bytes value, long docid, Bytes key) {
        Bytes position() {
            return new BinaryWriter(value.length() + 16).bytes(value).u64(docid).toBytes();
        }
    }

    /**
     * @param values as {@link IndexValue#encodeWhole} writes them; arrays and objects must be empty
     * @param rules by which the index was made
     */
    public EqualityLookup(
            ItemSource source,
            IndexPath path,
            List<Bytes> values,
            ComputedProperties computed,
            TermRules rules) {
        this.source = source;
        this.path = path;
        this.values = List.copyOf(values);
        this.computed = computed;
        for (int i = 0; i < values.size(); i++) {
            Bytes value = values.get(i);
            List<Integer> same =
                    byEntry.computeIfAbsent(entry(value, rules), _ -> new ArrayList<>());
            if (same.stream().noneMatch(other -> values.get(other).equals(value))) {
                same.add(i);
            }
        }
    }

    private static Bytes entry(Bytes whole, TermRules rules) {
        ByteSink out = new ByteSink(whole.length());
        IndexValue.putShortened(whole.unsafeArray(), 0, false, rules, out);
        return out.toBytes();
    }

    /**
     * @param after the end of the page before
     * @param maxBytes the page ends before the item that would exceed it, but holds at least one
     */
    public Page read(Optional<Bytes> after, int maxItems, int maxBytes) {
        Fill page = new Fill(maxItems, maxBytes);
        try (RangeWalk walk = new RangeWalk(source, IndexPathCodec.encode(path), ranges(), false)) {
            Cancellation cancellation = Cancellation.current();
            boolean hasMore = after.isPresent() ? seekBehind(walk, after.get()) : walk.next();
            for (int examined = 0; hasMore; ) {
                cancellation.check();
                if (examined == MAX_EXAMINED) {
                    return page.end(true);
                }
                List<Entry> batch = new ArrayList<>();
                int size = Math.min(page.batchSize(), MAX_EXAMINED - examined);
                while (hasMore && batch.size() < size) {
                    ItemSource.EntryCursor entry = walk.entry();
                    batch.add(new Entry(walk.value(), entry.docid(), entry.key()));
                    hasMore = walk.next();
                }
                examined += batch.size();
                if (!page.addAll(batch)) {
                    return page.end(true);
                }
            }
        }
        return page.end(false);
    }

    private ValueRanges ranges() {
        return ValueRanges.union(
                byEntry.keySet().stream()
                        .map(entry -> ValueRanges.between(entry, ValueRanges.after(entry)))
                        .toList());
    }

    private boolean seekBehind(RangeWalk walk, Bytes position) {
        Bytes term;
        long docid;
        try {
            BinaryReader in = new BinaryReader(position);
            term = Branch.join(IndexPathCodec.encode(path), in.bytes());
            docid = in.u64();
            in.expectEnd();
        } catch (MalformedRecordException e) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST, "The look-up cannot go on from a place it never had.");
        }
        boolean isFound = walk.seek(term, docid);
        boolean isPassed = isFound && walk.isAt(term, docid);
        return isPassed ? walk.next() : isFound;
    }

    /** The numbers of the values that an item has, as far as this entry tells. */
    private List<Integer> matching(Entry entry, Item item) {
        List<Integer> numbers = byEntry.getOrDefault(entry.value(), List.of());
        if (!IndexValue.isCut(entry.value())) {
            return numbers;
        }
        Set<Bytes> present = new HashSet<>();
        new PathValues(BodyFormat.of(item.encoding()).value(item.body()), computed)
                .forEach(path, value -> present.add(IndexValue.encodeWhole(value)));
        return numbers.stream().filter(number -> present.contains(values.get(number))).toList();
    }

    /** A page being filled. */
    private final class Fill {
        private final int maxItems;
        private final int maxBytes;
        private final List<Match> matches = new ArrayList<>();
        private Optional<Entry> last = Optional.empty();
        private long matchedBytes;
        private int documents;
        private long documentBytes;
        private int batchSize = FIRST_BATCH;

        Fill(int maxItems, int maxBytes) {
            this.maxItems = maxItems;
            this.maxBytes = maxBytes;
        }

        int batchSize() {
            return Math.max(1, Math.min(batchSize, maxItems - matches.size()));
        }

        /** Adds what the entries lead to. False if the page is full before one of them. */
        boolean addAll(List<Entry> batch) {
            List<Item> items = source.load(batch.stream().map(Entry::key).toList());
            long loadedBytes = 0;
            for (Item item : items) {
                loadedBytes += item.body().length();
            }
            documents += items.size();
            documentBytes += loadedBytes;
            batchSize = loadedBytes > BATCH_BYTES ? 1 : Math.min(MAX_BATCH, 2 * batchSize);
            for (int i = 0; i < items.size(); i++) {
                if (!add(batch.get(i), items.get(i))) {
                    return false;
                }
            }
            return true;
        }

        private boolean add(Entry entry, Item item) {
            List<Integer> numbers = matching(entry, item);
            int size = item.body().length();
            boolean isFull = matches.size() >= maxItems || matchedBytes + size > maxBytes;
            if (!numbers.isEmpty() && !matches.isEmpty() && isFull) {
                return false;
            }
            if (!numbers.isEmpty()) {
                matches.add(new Match(numbers, item));
                matchedBytes += size;
            }
            last = Optional.of(entry);
            return true;
        }

        Page end(boolean hasMore) {
            return new Page(
                    matches,
                    hasMore ? last.map(Entry::position) : Optional.empty(),
                    documents,
                    documentBytes);
        }
    }
}
