package orrery.query.execute;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import orrery.document.SystemProperties;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.OrreryException;
import orrery.query.dialect.ProgramRun;
import orrery.query.execute.Timings.Kind;
import orrery.query.index.IndexAvailability;
import orrery.query.index.IndexUse;
import orrery.query.index.ValueRanges;

/**
 * One page of a query on one partition: candidates become rows ({@link RowStream}), and rows become
 * results ({@link RowPage}) or groups ({@link GroupPage}). Used once.
 */
public final class QueryExecution {
    private final PreparedQuery query;
    private final ProgramRun program;
    private final ItemSource source;
    private final PageLimits limits;
    private final PageWork work;
    private final Timings timings;
    private final CandidateFinder finder;
    private final ItemReader reader;
    private final ItemJudge judge;

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
        this.limits = limits;
        this.work = new PageWork(limits, nanoTime);
        this.program = query.program().start(work.effort());
        this.timings = new Timings(nanoTime);
        this.finder = new CandidateFinder(query, source, index, limits, work, timings);
        this.reader = new ItemReader(query, source, system, work, timings);
        this.judge = new ItemJudge(program, reader, work, finder.sorting());
    }

    /**
     * @param token what the page before handed out
     * @param resume where a client wants a sorted query to begin; the later of the two counts
     * @param part bounds of the part that is wanted; all where it is whole
     */
    public QueryResult run(Optional<Bytes> token, Optional<ResumePoint> resume, QueryPart part) {
        try {
            return page(token, resume, part);
        } finally {
            work.end();
        }
    }

    /**
     * Looks for the first row and returns the item that it is made of. So it does not matter what
     * the query shows of an item, nor in which encoding.
     *
     * @param token what the page before handed out
     */
    public FirstItem first(Optional<Bytes> token) {
        try {
            requireItems();
            Progress begin = begin(token, Optional.empty(), QueryPart.WHOLE);
            FirstRow row = new FirstRow(program, begin.limit());
            try (RowStream rows = rows(begin, QueryPart.WHOLE)) {
                Optional<Progress> next = row.find(rows);
                return new FirstItem(row.key(), next.map(where -> where.encode(query)));
            }
        } finally {
            work.end();
        }
    }

    /** The way in which the query would run from its beginning. */
    public AccessPlan plan() {
        try {
            return query.answer().readsItems() ? finder.plan() : PlanBuilder.nothing();
        } finally {
            work.end();
        }
    }

    /** Takes the items that a walk finds, one after the other. */
    public interface Taker {
        /**
         * Returns false if the page is full without this item.
         *
         * @param key of the item, without its container
         */
        boolean take(Bytes key, Item item);
    }

    /**
     * Hands out the items that match, each once, in the order of their creation.
     *
     * @param after the docid behind which the walk begins
     * @param before the docid at which it ends
     * @return the docid behind which it goes on; empty if it has come to its end
     */
    public OptionalLong walk(long after, long before, Taker taker) {
        requireItems();
        if (!query.isWholeItem() || !query.order().isEmpty() || !query.limit().isNone()) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "The search for items to write must return all that match as they are, as SELECT"
                            + " * FROM c does: it can have no ORDER BY, no limit and no projection.");
        }
        try (RowStream rows =
                new RowStream(
                        query,
                        program,
                        reader,
                        work,
                        timings.measure(Kind.INDEX, () -> finder.byCreation(after)),
                        Optional.empty(),
                        Optional.empty())) {
            long taken = after;
            while (true) {
                RowStream.Step step = rows.next();
                long docid = step == RowStream.Step.FINISHED ? before : rows.position().docid();
                if (Long.compareUnsigned(docid, before) >= 0) {
                    return OptionalLong.empty();
                }
                if (step == RowStream.Step.PAUSED) {
                    return OptionalLong.of(docid);
                }
                // An item with several rows comes with each of them.
                if (docid != taken && !taker.take(rows.key(), rows.item().orElseThrow())) {
                    return OptionalLong.of(docid - 1);
                }
                taken = docid;
            }
        } finally {
            work.end();
        }
    }

    /** Returns true if the query would find this version of an item. */
    public boolean finds(Item item) {
        try {
            program.open(reader.read(item));
            while (program.hasNext()) {
                program.next();
                work.row();
                if (program.matches()) {
                    return true;
                }
            }
            return false;
        } finally {
            work.end();
        }
    }

    private void requireItems() {
        boolean isOfItems =
                query.answer().readsItems()
                        && !query.answer().isGrouped()
                        && !query.answer().isDistinct();
        if (!isOfItems) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "The search for an item to write must return items one by one, as SELECT * FROM"
                            + " c does: it can have no GROUP BY, aggregate or DISTINCT.");
        }
    }

    /** The indexes that were used so far. */
    public IndexUse usedIndexes() {
        return finder.usedIndexes();
    }

    /** The items that were read so far, also by a page that has failed. */
    public int documents() {
        return work.documents();
    }

    /** The bytes of the items that were read so far. */
    public long documentBytes() {
        return work.documentBytes();
    }

    /** The steps that were computed so far. */
    public long steps() {
        return work.effort().steps();
    }

    /** The place of the item that a mark names, if it still has the key; and no rows. */
    public QueryResult seek(KeyMark mark) {
        try {
            List<RowPlace> places =
                    find(mark)
                            .map(key -> List.of(new RowPlace(key, mark.docid(), 0)))
                            .orElse(List.of());
            return result(new PageRows(limits, work), places, Optional.empty());
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
                    ? Optional.of(judge.sortKey(entries.key()))
                            .filter(key -> KeyMark.of(key, mark.docid()).equals(mark))
                    : Optional.empty();
        }
    }

    private QueryResult page(Optional<Bytes> token, Optional<ResumePoint> resume, QueryPart part) {
        Progress begin = begin(token, resume, part);
        PageRows page = new PageRows(limits, work);
        Optional<Progress> next;
        if (query.answer().isGrouped()) {
            GroupPage groups = new GroupPage(query, program, reader, page);
            groups.carry(begin.groups());
            next = grouped(groups, begin, part);
        } else {
            boolean hasPlaces = query.isPart() && finder.sorting().isPresent();
            next =
                    streamed(
                            new RowPage(query, program, reader, page, hasPlaces, begin.limit()),
                            begin,
                            part);
        }
        return result(page, page.places(), next.map(where -> where.encode(query)));
    }

    private Optional<Progress> grouped(GroupPage groups, Progress begin, QueryPart part) {
        if (!query.answer().readsItems()) {
            groups.fillFromNothing();
            return Optional.empty();
        }
        try (RowStream rows = rows(begin, part)) {
            return groups.fill(rows);
        }
    }

    private Optional<Progress> streamed(RowPage page, Progress begin, QueryPart part) {
        if (begin.limit().isReached()) {
            return Optional.empty();
        }
        if (!query.answer().readsItems()) {
            if (begin.position().isEmpty()) {
                page.fillFromNothing();
            }
            return Optional.empty();
        }
        try (RowStream rows = rows(begin, part)) {
            return page.fill(rows);
        }
    }

    private RowStream rows(Progress begin, QueryPart part) {
        Optional<Position> until =
                part.until()
                        .map(bytes -> Progress.decode(bytes, query, this::find))
                        .flatMap(Progress::position)
                        .or(() -> part.untilPlace().map(RowPlace::position));
        Optional<Position> start = begin.position();
        Candidates candidates =
                timings.measure(
                        Kind.INDEX,
                        () ->
                                finder.open(
                                        start.or(() -> until),
                                        start,
                                        judge::judge,
                                        judge::sortKey));
        return new RowStream(
                query,
                program,
                reader,
                work,
                candidates,
                start,
                until.map(end -> new PositionBound(end, finder.sorting())));
    }

    private Progress begin(Optional<Bytes> token, Optional<ResumePoint> resume, QueryPart part) {
        Progress progress =
                token.map(bytes -> Progress.decode(bytes, query, this::find))
                        .orElseGet(() -> Progress.start(query));
        if (token.isEmpty() && part.from().isPresent()) {
            return progress.from(part.from().get().position());
        }
        return resume.isPresent() ? resumed(progress, resume.get()) : progress;
    }

    private QueryResult result(PageRows page, List<RowPlace> places, Optional<Bytes> next) {
        return new QueryResult(
                RowEncoding.of(query),
                page.rows(),
                places,
                page.hashes(),
                next,
                metrics(page),
                steps());
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
        return isAhead ? progress : progress.from(wanted);
    }
}
