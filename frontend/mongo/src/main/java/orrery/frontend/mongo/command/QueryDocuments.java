package orrery.frontend.mongo.command;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import orrery.document.BsonCodec;
import orrery.document.Value;
import orrery.frontend.mongo.cursor.Cursor;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.QueryPage;
import orrery.model.Bytes;
import orrery.model.memory.MemoryAccount;
import orrery.query.mongo.aggregate.Documents;

/** The answer of a query as documents, which is read a page at a time. */
final class QueryDocuments implements Documents {
    /** Few documents may be wanted, so the first page is a small one. */
    private static final int FIRST_PAGE = 101;

    private final PipelineReads reads;
    private final Queue<Bytes> rows = new ArrayDeque<>();
    private Cursor cursor;
    private boolean isAtEnd;
    private int pageSize = FIRST_PAGE;

    /** The memory that the page has taken from the account of a request. */
    private long taken;

    private MemoryAccount account = MemoryAccount.NONE;

    private Value.Obj row = new Value.Obj(Map.of());

    QueryDocuments(PipelineReads reads, Cursor cursor) {
        this.reads = reads;
        this.cursor = cursor;
    }

    @Override
    public Step advance() {
        while (rows.isEmpty()) {
            giveBack();
            if (isAtEnd) {
                return Step.END;
            }
            read();
        }
        row = BsonCodec.read(rows.remove());
        return Step.ROW;
    }

    private void read() {
        account = MemoryAccount.current();
        long before = account.held();
        QueryPage page =
                reads.page(
                        cursor, new PageRequest(OptionalInt.of(pageSize), cursor.continuation()));
        taken = account.held() - before;
        rows.addAll(page.rows());
        Optional<String> next = page.continuation();
        isAtEnd = next.isEmpty();
        cursor = cursor.at(next);
        pageSize = Integer.MAX_VALUE;
    }

    /** A request that has ended has given all back. */
    private void giveBack() {
        if (taken > 0 && account == MemoryAccount.current()) {
            account.give(taken);
        }
        taken = 0;
    }

    @Override
    public Value.Obj row() {
        return row;
    }

    @Override
    public long heapBytes() {
        return cursor.heapBytes() + rows.stream().mapToLong(each -> 64L + each.length()).sum();
    }
}
