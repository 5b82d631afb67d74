package orrery.query.execute;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import orrery.document.BodyFormat;
import orrery.document.IndexPath;
import orrery.document.IndexPlan;
import orrery.document.IndexTerms;
import orrery.document.JsonText;
import orrery.document.SystemProperties;
import orrery.document.Value;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition.Geospatial;
import orrery.model.ContainerKind;
import orrery.model.Encoding;
import orrery.model.Etag;
import orrery.model.FileTime;
import orrery.model.IndexingPolicy;
import orrery.model.Item;
import orrery.model.ResourceId;
import orrery.model.TermRules;
import orrery.model.codec.BinaryWriter;
import orrery.query.BoundQuery;
import orrery.query.QuerySurroundings;
import orrery.query.Statement;
import orrery.query.evaluate.ComputedProperties;
import orrery.query.evaluate.Evaluator;
import orrery.query.evaluate.UserFunctions;
import orrery.query.index.IndexAvailability;
import orrery.query.index.PathValues;
import orrery.query.sql.SqlPreparation;
import orrery.query.sql.SqlStatement;

/** Items and their index entries in sorted maps. */
final class MemoryItems implements ItemSource {
    static final SystemProperties SYSTEM = new SystemProperties(ResourceId.ofContainer(1, 2));
    private static final Bytes EVERY_ITEM = Bytes.wrap(new byte[] {0x06});
    private static final int MAX_PAGES = 10_000;
    private static final long SECONDS = 1_700_000_000L;

    private record Entry(Bytes term, long docid) implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            int byTerm = term.compareTo(other.term);
            return byTerm != 0 ? byTerm : Long.compareUnsigned(docid, other.docid);
        }
    }

    private final IndexPlan plan;
    private final ContainerKind kind;
    private final Encoding encoding;
    private final Geospatial space;
    private final ComputedProperties computed;
    private final NavigableMap<Entry, Bytes> entries = new TreeMap<>();
    private final NavigableMap<Bytes, Item> items = new TreeMap<>();
    private long nextDocid = 1;

    MemoryItems(IndexingPolicy policy) {
        this(policy, Geospatial.GEOGRAPHY);
    }

    MemoryItems(IndexingPolicy policy, Geospatial space) {
        this(policy, space, ComputedProperties.NONE);
    }

    MemoryItems(IndexingPolicy policy, Geospatial space, ComputedProperties computed) {
        this(policy, space, computed, ContainerKind.DOCUMENT);
    }

    MemoryItems(
            IndexingPolicy policy,
            Geospatial space,
            ComputedProperties computed,
            ContainerKind kind) {
        this(policy, space, computed, kind, TermRules.FIRST);
    }

    /** Items whose index was made by these rules. */
    MemoryItems(IndexingPolicy policy, TermRules rules) {
        this(policy, Geospatial.GEOGRAPHY, ComputedProperties.NONE, ContainerKind.DOCUMENT, rules);
    }

    private MemoryItems(
            IndexingPolicy policy,
            Geospatial space,
            ComputedProperties computed,
            ContainerKind kind,
            TermRules rules) {
        this.plan = IndexPlan.compile(policy, computed.definitions(), kind, rules);
        this.kind = kind;
        this.encoding = kind.encoding();
        this.space = space;
        this.computed = computed;
    }

    void add(String json) {
        add(BodyFormat.of(encoding).accept(Body.json(Bytes.ofUtf8(json))));
    }

    /**
     * Keys do not follow docids, as in a container.
     *
     * @param body in the encoding of the items here
     */
    void add(Bytes body) {
        long docid = nextDocid++;
        Bytes key = new BinaryWriter().u64(Long.reverse(docid * 0x9E3779B97F4A7C15L)).toBytes();
        Item item = new Item(docid, etag(docid), SECONDS * 1000, docid, encoding, body);
        items.put(key, item);
        IndexTerms terms =
                plan.extract(
                        encoding,
                        item.body(),
                        SECONDS,
                        computed.derive(plan, 1, encoding, item.body(), SECONDS).rows());
        for (int i = 0; i < terms.size(); i++) {
            entries.put(new Entry(terms.term(i), docid), key);
        }
        entries.put(new Entry(EVERY_ITEM, docid), key);
    }

    /** All were written in one millisecond. */
    private Etag etag(long docid) {
        return switch (kind.etags()) {
            case WRITE -> new Etag(docid, docid);
            case FILE_TIME ->
                    new FileTime(FileTime.ofMillis(SECONDS * 1000).ticks() + docid).toEtag();
        };
    }

    /** Returns the etag of the item that was added last. */
    Etag lastEtag() {
        return etag(nextDocid - 1);
    }

    /** The bodies in the order of their docids. */
    List<Body> bodies() {
        return items.values().stream()
                .sorted((a, b) -> Long.compare(a.docid(), b.docid()))
                .map(Item::content)
                .toList();
    }

    void remove(long docid) {
        entries.keySet().removeIf(entry -> entry.docid() == docid);
        items.values().removeIf(item -> item.docid() == docid);
    }

    IndexAvailability availability() {
        return new IndexAvailability(List.of(plan.forSql(encoding)), computed, plan.rules());
    }

    /** Returns the items in the form that queries see, in the order of their docids. */
    List<Value> values() {
        return items.values().stream()
                .sorted((a, b) -> Long.compare(a.docid(), b.docid()))
                .map(item -> (Value) SYSTEM.read(item, _ -> true))
                .toList();
    }

    QueryResult page(String text, PageLimits limits, Optional<Bytes> token) {
        return page(text, limits, token, Optional.empty());
    }

    /** A page of a query that is not run yet. */
    QueryExecution execution(String text, PageLimits limits) {
        return execution(text, limits, this);
    }

    /**
     * @param source a part of these items
     */
    QueryExecution execution(String text, PageLimits limits, ItemSource source) {
        return new QueryExecution(
                prepared(text, false), source, availability(), SYSTEM, limits, () -> 0L);
    }

    private QueryResult page(
            String text, PageLimits limits, Optional<Bytes> token, Optional<ResumePoint> resume) {
        return page(
                isPart -> prepared(text, isPart),
                limits,
                token,
                (query, after) -> run(query, limits, after, resume));
    }

    /** A page of a whole answer, which may have to be gathered. */
    private static QueryResult page(
            Function<Boolean, PreparedQuery> prepared,
            PageLimits limits,
            Optional<Bytes> token,
            BiFunction<PreparedQuery, Optional<Bytes>, QueryResult> run) {
        PreparedQuery query = prepared.apply(false);
        if (!WholeAnswer.isNeeded(query.answer())) {
            return run.apply(query, token);
        }
        PreparedQuery part = prepared.apply(true);
        return WholeAnswer.read(
                part, query.limit(), limits, token, after -> run.apply(part, after));
    }

    private PreparedQuery prepared(String text, boolean isPart) {
        return SqlPreparation.prepare(
                SqlStatement.parse(text, Map.of()),
                new Evaluator(Map.of(), space, UserFunctions.NONE, computed),
                isPart,
                plan.rules());
    }

    private QueryResult run(
            PreparedQuery query,
            PageLimits limits,
            Optional<Bytes> token,
            Optional<ResumePoint> resume) {
        return new QueryExecution(query, this, availability(), SYSTEM, limits, () -> 0L)
                .run(token, resume, QueryPart.WHOLE);
    }

    /** Like {@link #page}, for one of several partitions, with a clock of the test. */
    QueryResult part(String text, PageLimits limits, Optional<Bytes> token, LongSupplier nanoTime) {
        PreparedQuery query =
                SqlPreparation.prepare(
                        SqlStatement.parse(text, Map.of()),
                        new Evaluator(Map.of(), Geospatial.GEOGRAPHY, UserFunctions.NONE, computed),
                        true,
                        plan.rules());
        return new QueryExecution(query, this, availability(), SYSTEM, limits, nanoTime)
                .run(token, Optional.empty(), QueryPart.WHOLE);
    }

    /** A page of a query in a language that sees items as they are stored. */
    QueryResult find(Statement find, PageLimits limits, Optional<Bytes> token) {
        return find(find, limits, token, () -> 0L);
    }

    QueryResult find(
            Statement find, PageLimits limits, Optional<Bytes> token, LongSupplier nanoTime) {
        BoundQuery bound =
                find.bind(
                        new QuerySurroundings(
                                InstantSource.system(), space, UserFunctions.NONE, computed));
        IndexAvailability stored = new IndexAvailability(List.of(plan), computed, plan.rules());
        return page(
                isPart -> bound.prepare(isPart, plan.rules()),
                limits,
                token,
                (query, after) ->
                        new QueryExecution(query, this, stored, SYSTEM, limits, nanoTime)
                                .run(after, Optional.empty(), QueryPart.WHOLE));
    }

    /** All of its results. */
    List<String> find(Statement find, PageLimits limits) {
        return pages(token -> find(find, limits, token), find, Optional.empty());
    }

    private static List<String> pages(
            Function<Optional<Bytes>, QueryResult> read, Object query, Optional<Bytes> after) {
        List<String> rows = new ArrayList<>();
        Optional<Bytes> token = after;
        int pages = 0;
        do {
            if (++pages > MAX_PAGES) {
                throw new AssertionError("the pages of this query never end: " + query);
            }
            QueryResult page = read.apply(token);
            page.rows().forEach(row -> rows.add(text(page.encoding(), row)));
            token = page.next();
        } while (token.isPresent());
        return rows;
    }

    private static String text(RowEncoding encoding, Bytes row) {
        return encoding == RowEncoding.JSON ? row.toUtf8() : JsonText.write(encoding.read(row));
    }

    List<String> all(String text, PageLimits limits) {
        return all(text, limits, Optional.empty(), Optional.empty());
    }

    /** All that is behind the place where a client wants to begin, or where a page ended. */
    List<String> all(
            String text, PageLimits limits, Optional<ResumePoint> resume, Optional<Bytes> after) {
        return pages(token -> page(text, limits, token, resume), text, after);
    }

    @Override
    public EntryCursor entries(Bytes from, Bytes to, boolean isBackward) {
        NavigableMap<Entry, Bytes> part =
                entries.subMap(new Entry(from, 0), true, new Entry(to, 0), false);
        return new Entries(isBackward ? part.descendingMap() : part, isBackward);
    }

    @Override
    public ItemCursor items(Bytes from, boolean isInclusive) {
        return cursor(items.tailMap(from, isInclusive).entrySet().iterator());
    }

    @Override
    public ItemCursor created(long docid, long wanted) {
        return cursor(
                items.entrySet().stream()
                        .filter(each -> each.getValue().docid() >= docid)
                        .sorted(Comparator.comparing(each -> each.getValue().docid()))
                        .iterator());
    }

    @Override
    public ItemCursor at(List<Place> places, long wanted) {
        return cursor(
                places.stream().map(place -> Map.entry(place.key(), load(place.key()))).iterator());
    }

    private ItemCursor cursor(Iterator<Map.Entry<Bytes, Item>> rest) {
        return new ItemCursor() {
            private Map.Entry<Bytes, Item> present =
                    Map.entry(Bytes.EMPTY, items.firstEntry().getValue());

            @Override
            public boolean next() {
                boolean hasNext = rest.hasNext();
                present = hasNext ? rest.next() : present;
                return hasNext;
            }

            @Override
            public Bytes key() {
                return present.getKey();
            }

            @Override
            public Item item() {
                return present.getValue();
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public Item load(Bytes key) {
        Item item = items.get(key);
        if (item == null) {
            throw new IllegalStateException("no such item");
        }
        return item;
    }

    @Override
    public OptionalLong size() {
        return OptionalLong.empty();
    }

    @Override
    public long total() {
        return items.size();
    }

    /** Known for some paths, and then with docids that do not belong there. */
    @Override
    public Optional<long[]> without(IndexPath path, BooleanSupplier mayGoOn) {
        if (!path.startsWith("a")) {
            return Optional.empty();
        }
        return Optional.of(
                items.values().stream()
                        .filter(
                                item ->
                                        item.docid() % 5 == 0
                                                || !new PathValues(
                                                                SYSTEM.read(item, _ -> true),
                                                                computed)
                                                        .has(path))
                        .mapToLong(Item::docid)
                        .sorted()
                        .toArray());
    }

    @Override
    public Bytes everyItem() {
        return EVERY_ITEM;
    }

    private static final class Entries implements EntryCursor {
        private final NavigableMap<Entry, Bytes> part;
        private Iterator<Map.Entry<Entry, Bytes>> rest;
        private final boolean isBackward;
        private Entry present = new Entry(Bytes.EMPTY, 0);
        private Bytes key = Bytes.EMPTY;

        Entries(NavigableMap<Entry, Bytes> part, boolean isBackward) {
            this.part = part;
            this.isBackward = isBackward;
            this.rest = part.entrySet().iterator();
        }

        @Override
        public boolean next() {
            if (!rest.hasNext()) {
                return false;
            }
            Map.Entry<Entry, Bytes> next = rest.next();
            present = next.getKey();
            key = next.getValue();
            return true;
        }

        @Override
        public boolean seek(Bytes term, long docid) {
            Entry wanted = new Entry(term, docid);
            // A part of a sorted map refuses bounds outside its own: it is walked instead.
            rest = part.entrySet().iterator();
            boolean isFound = next();
            while (isFound
                    && (isBackward
                            ? present.compareTo(wanted) > 0
                            : present.compareTo(wanted) < 0)) {
                isFound = next();
            }
            return isFound;
        }

        @Override
        public byte[] row() {
            return present.term().unsafeArray();
        }

        @Override
        public int termStart() {
            return 0;
        }

        @Override
        public int termEnd() {
            return present.term().length();
        }

        @Override
        public long docid() {
            return present.docid();
        }

        @Override
        public Bytes key() {
            return key;
        }

        @Override
        public void close() {}
    }
}
