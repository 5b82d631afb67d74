package orrery.query.execute;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.model.memory.MemoryAccount;
import orrery.query.dialect.AnswerShape;
import orrery.query.dialect.Effort;
import orrery.query.dialect.GroupList;
import orrery.query.dialect.GroupTable;
import orrery.query.dialect.Program;
import orrery.query.dialect.RowLimit;
import orrery.query.evaluate.ValueHash;

/**
 * A page of groups or distinct results of one partition alone, for callers that nobody merges for.
 * Each page puts all parts together once more and leaves out what was given: this suits scripts,
 * which see few items and have little time. The gateway keeps what it has gathered instead.
 */
public final class WholeAnswer {
    private static final int VERSION = 1;

    private final PreparedQuery query;
    private final RowLimit limit;
    private final PageLimits limits;
    private final Function<Optional<Bytes>, QueryResult> parts;
    private final List<Bytes> rows = new ArrayList<>();
    private final SeenHashes seen = new SeenHashes();
    private final MemoryAccount.Part memory;
    private QueryMetrics metrics = QueryMetrics.NONE;
    private long bytes;
    private long steps;

    private WholeAnswer(
            PreparedQuery query,
            RowLimit limit,
            PageLimits limits,
            Function<Optional<Bytes>, QueryResult> parts,
            MemoryAccount.Part memory) {
        this.query = query;
        this.limit = limit;
        this.limits = limits;
        this.parts = parts;
        this.memory = memory;
    }

    /** Returns true if the pages of a partition are not an answer by themselves. */
    public static boolean isNeeded(AnswerShape shape) {
        return shape.isDistinct() || shape.isGrouped();
    }

    /**
     * @param query made ready as a part
     * @param limit of the whole answer
     * @param token what the page before handed out
     * @param parts a page of the part behind a position
     */
    public static QueryResult read(
            PreparedQuery query,
            RowLimit limit,
            PageLimits limits,
            Optional<Bytes> token,
            Function<Optional<Bytes>, QueryResult> parts) {
        long given = token.map(bytes -> given(bytes, query)).orElse(0L);
        try (MemoryAccount.Part memory = MemoryAccount.current().part()) {
            return new WholeAnswer(query, limit, limits, parts, memory).page(given);
        }
    }

    private QueryResult page(long given) {
        long left = limit.take() == Long.MAX_VALUE ? limit.take() : limit.take() - given;
        RowLimit behind = new RowLimit(limit.skip() + given, left);
        boolean hasMore = fill(query.answer().isGrouped() ? grouped() : streamed(), behind);
        return new QueryResult(
                RowEncoding.ofResults(query),
                rows,
                List.of(),
                List.of(),
                hasMore ? Optional.of(token(given + rows.size())) : Optional.empty(),
                metrics.returning(rows.size(), bytes),
                steps);
    }

    private record Row(Bytes text, Optional<ValueHash> hash) {}

    /** Returns true if there is no room for all. */
    private boolean fill(Iterator<Row> results, RowLimit behind) {
        RowLimit left = behind;
        while (!left.isReached() && results.hasNext()) {
            Row row = results.next();
            if (row.hash().isPresent()) {
                memory.makeRoom(seen.nextSizeBytes());
                if (!seen.add(row.hash().get(), 0)) {
                    continue;
                }
            }
            if (left.skip() == 0) {
                boolean isFull =
                        rows.size() >= limits.maxRows()
                                || (!rows.isEmpty()
                                        && bytes + row.text().length() > limits.maxBytes());
                if (isFull) {
                    return true;
                }
                memory.take(row.text().length());
                rows.add(row.text());
                bytes += row.text().length();
            }
            left = left.behind(1);
        }
        return false;
    }

    private Iterator<Row> streamed() {
        return new Iterator<>() {
            private Optional<QueryResult> page = Optional.empty();
            private int at;

            @Override
            public boolean hasNext() {
                while (page.isEmpty() || at >= page.get().rows().size()) {
                    if (page.isPresent() && page.get().next().isEmpty()) {
                        return false;
                    }
                    page = Optional.of(next(page.flatMap(QueryResult::next)));
                    at = 0;
                }
                return true;
            }

            private QueryResult next(Optional<Bytes> after) {
                return counted(parts.apply(after));
            }

            @Override
            public Row next() {
                QueryResult present = page.orElseThrow();
                Row row = new Row(present.rows().get(at), Optional.of(present.hashes().get(at)));
                at++;
                return row;
            }
        };
    }

    private QueryResult counted(QueryResult page) {
        metrics = metrics.plus(page.metrics());
        steps += page.steps();
        return page;
    }

    private Iterator<Row> grouped() {
        GroupTable groups = query.program().start(new Effort()).groups();
        Optional<Bytes> after = Optional.empty();
        do {
            QueryResult page = counted(parts.apply(after));
            page.rows().forEach(groups::merge);
            memory.makeRoom(groups.sizeBytes());
            after = page.next();
        } while (after.isPresent());
        GroupList list = groups.list();
        List<Row> results = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            list.result(i).ifPresent(result -> results.add(row(result)));
        }
        return results.iterator();
    }

    private Row row(Value result) {
        return new Row(
                RowEncoding.ofResults(query).write(result),
                query.answer().isDistinct() ? Optional.of(ValueHash.of(result)) : Optional.empty());
    }

    private Bytes token(long given) {
        return new BinaryWriter(16)
                .u8(VERSION)
                .raw(query.program().binding())
                .varint(given)
                .toBytes();
    }

    private static long given(Bytes token, PreparedQuery query) {
        try {
            BinaryReader in = new BinaryReader(token);
            boolean isOurs =
                    in.u8() == VERSION
                            && Bytes.wrap(in.raw(Program.BINDING_BYTES))
                                    .equals(query.program().binding());
            if (!isOurs) {
                throw Progress.invalid();
            }
            long given = in.varint();
            in.expectEnd();
            return given;
        } catch (MalformedRecordException e) {
            throw Progress.invalid();
        }
    }
}
