package orrery.query.execute;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import orrery.document.ByteSink;
import orrery.document.HeapSize;
import orrery.document.JsonText;
import orrery.document.PropertyNames;
import orrery.document.SystemProperties;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.Item;
import orrery.model.metering.RequestCharge;
import orrery.query.dialect.ProgramRun;
import orrery.query.execute.Timings.Kind;
import orrery.query.index.IndexAvailability;
import orrery.query.index.PathValues;
import orrery.query.index.ValueRanges;

/** One page of a query on one partition. Used once. */
public final class QueryExecution {
    static final Value.Obj NOTHING_READ = new Value.Obj(Map.of());
    private static final int ROW_BYTES = 256;

    /** Items of more bytes are measured when they have been read; it takes time. */
    private static final int ESTIMATED_BYTES = 2 << 10;

    private final PreparedQuery query;
    private final ProgramRun program;
    private final ItemSource source;
    private final SystemProperties system;
    private final ItemView view;
    private final PageLimits limits;
    private final PageWork work;
    private final Timings timings;
    private final CandidateFinder finder;
    private final ByteSink text = new ByteSink(ROW_BYTES);

    /** Fails with BAD_REQUEST if no index serves the order of the query. */
    public QueryExecution(
            PreparedQuery query,
            ItemSource source,
            IndexAvailability index,
            SystemProperties system,
            PageLimits limits,
            LongSupplier nanoTime) {
        this.query = query;
        this.source = source;
        this.system = system;
        this.view = new ItemView(system, query.program().encoding());
        this.limits = limits;
        this.work = new PageWork(limits, nanoTime);
        this.program = query.program().start(work.effort());
        this.timings = new Timings(nanoTime);
        this.finder = new CandidateFinder(query, source, index, limits, work, timings);
    }

    /**
     * @param token what the page before handed out
     * @param resume where a client wants a sorted query to begin; the later of the two counts
     * @param from where a part of a sorted answer is to begin that has no token yet
     */
    public QueryResult run(
            Optional<Bytes> token, Optional<ResumePoint> resume, Optional<RowPlace> from) {
        try {
            return page(token, resume, from);
        } finally {
            work.end();
        }
    }

    /** The place of the item that a mark names, if it still has the key; and no rows. */
    public QueryResult seek(KeyMark mark) {
        try {
            List<RowPlace> places =
                    find(mark)
                            .map(key -> List.of(new RowPlace(key, mark.docid(), 0)))
                            .orElse(List.of());
            return new QueryResult(
                    List.of(),
                    places,
                    Optional.empty(),
                    metrics(new PageRows(limits, work.memory())),
                    work.effort().steps());
        } finally {
            work.end();
        }
    }

    private Optional<Bytes> find(KeyMark mark) {
        if (finder.sorting().isEmpty()) {
            throw Progress.invalid();
        }
        Bytes every = source.everyItem();
        try (ItemSource.EntryCursor entries =
                source.entries(every, ValueRanges.after(every), false)) {
            work.entry();
            return entries.seek(every, mark.docid()) && entries.docid() == mark.docid()
                    ? Optional.of(sortKey(entries.key()))
                            .filter(key -> KeyMark.of(key, mark.docid()).equals(mark))
                    : Optional.empty();
        }
    }

    private QueryResult page(
            Optional<Bytes> token, Optional<ResumePoint> resume, Optional<RowPlace> from) {
        Progress progress =
                token.map(bytes -> Progress.decode(bytes, query, this::find))
                        .orElseGet(() -> Progress.start(query));
        PageRows page = new PageRows(limits, work.memory());
        Optional<Progress> next;
        if (query.answer().isGrouped()) {
            next = new GroupedPage(this, query, program, page).fill(progress);
        } else {
            Progress begin = resume.isPresent() ? resumed(progress, resume.get()) : progress;
            if (token.isEmpty() && from.isPresent()) {
                begin = begin.at(from.get().position());
            }
            next = new StreamedPage(this, query, program, page).fill(begin);
        }
        return new QueryResult(
                page.rows(),
                page.places(),
                next.map(where -> where.encode(query)),
                metrics(page),
                work.effort().steps());
    }

    private QueryMetrics metrics(PageRows page) {
        return new QueryMetrics(
                work.documents(),
                work.documentBytes(),
                work.matches(),
                work.entries(),
                page.rows().size(),
                page.bytes(),
                finder.sorting().filter(Sorting::isBackward).isPresent(),
                timings.times(),
                finder.indexUse());
    }

    private Progress resumed(Progress progress, ResumePoint resume) {
        Sorting sorting = finder.sorting().orElseThrow(Progress::invalid);
        Position wanted = resume.position(sorting);
        boolean isAhead =
                progress.position().isPresent()
                        && sorting.compare(
                                        progress.position().get().key(),
                                        progress.position().get().docid(),
                                        wanted.key(),
                                        wanted.docid())
                                >= 0;
        return isAhead ? progress : progress.at(wanted);
    }

    PageWork work() {
        return work;
    }

    int maxRows() {
        return limits.maxRows();
    }

    Optional<Sorting> sorting() {
        return finder.sorting();
    }

    /** Like {@link CandidateFinder#open}, and measures the time. */
    Candidates open(Optional<Position> path, Optional<Position> start) {
        return timings.measure(
                Kind.INDEX, () -> finder.open(path, start, this::judge, this::sortKey));
    }

    /** Like {@link Candidates#next}, and measures the time. */
    Candidates.Step next(Candidates candidates) {
        if (candidates instanceof EntryCandidates) {
            // Most of its steps take less time than a look at the clock, so it looks itself.
            return candidates.next();
        }
        return timings.measure(
                candidates instanceof ScanCandidates ? Kind.LOAD : Kind.INDEX, candidates::next);
    }

    /** The item of a candidate; what has to be read for it is counted. */
    Item load(Candidates candidates) {
        Optional<Item> known = candidates.item();
        Item item =
                known.isPresent()
                        ? known.get()
                        : timings.measure(Kind.LOAD, () -> source.load(candidates.key()));
        if (!(candidates instanceof SortedCandidates)) {
            work.document(RequestCharge.itemBytes(item.body().length()));
        }
        return item;
    }

    /** The parts of an item that the query looks at. */
    Value read(Item item) {
        return read(item, query.names().ofCandidates());
    }

    /** Reads the properties that the SELECT clause names, of an item that is known to match. */
    Value readSelected(Item item) {
        return read(item, query.names().ofMatches());
    }

    private Value read(Item item, Optional<PropertyNames> names) {
        if (names.isPresent() && names.get().isEmpty()) {
            return NOTHING_READ;
        }
        int length = item.body().length();
        if (length <= ESTIMATED_BYTES) {
            work.memory().makeRoom((long) length * HeapSize.BYTES_PER_JSON_BYTE);
        }
        Value value = view.read(item, names);
        if (length > ESTIMATED_BYTES) {
            work.memory().makeRoom(length + HeapSize.of(value));
        }
        return value;
    }

    /** Returns the values at the indexed paths of an item that was read. */
    PathValues paths(Value item) {
        return new PathValues(item, query.computed(), work.effort());
    }

    private Optional<SortedCandidates.Judged> judge(Candidates candidates) {
        Item item = load(candidates);
        Value value = read(item);
        if (!candidates.accepts(paths(value))) {
            return Optional.empty();
        }
        program.open(value);
        while (program.hasNext()) {
            program.next();
            work.row();
            if (program.matches()) {
                work.match();
                return Optional.of(
                        new SortedCandidates.Judged(
                                item,
                                finder.sorting().orElseThrow().key().of(program.sortValues())));
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the sort key of an item that shares its index term with items that sort differently.
     */
    private Bytes sortKey(Bytes key) {
        Item item = timings.measure(Kind.LOAD, () -> source.load(key));
        work.document(RequestCharge.itemBytes(item.body().length()));
        PathValues values = paths(read(item));
        SortKey wanted = finder.sorting().orElseThrow().key();
        return wanted.of(wanted.parts().stream().map(part -> values.find(part.path())).toList());
    }

    /** The item as clients see it. */
    Bytes print(Item item) {
        return print(out -> system.splice(out, item, OptionalLong.empty()));
    }

    Bytes print(Value result) {
        return print(out -> JsonText.write(result, out));
    }

    private Bytes print(Consumer<ByteSink> writer) {
        return timings.measure(
                Kind.WRITE,
                () -> {
                    text.clear();
                    writer.accept(text);
                    return text.toBytes();
                });
    }

    /** Notes that a candidate matches; those that were sorted have been counted before. */
    void matched(Candidates candidates) {
        if (!(candidates instanceof SortedCandidates)) {
            work.match();
        }
    }
}
