package orrery.frontend.mongo.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import orrery.document.BsonCodec;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.OrreryException;

/** The results of the operations of a {@code bulkWrite}, and how many there are of each kind. */
final class BulkResults implements WriteOutcomes {
    private final boolean ordered;
    private final boolean errorsOnly;
    private final StatementFailures failures;
    private final IntFunction<Namespace> namespaces;
    private final DetailBudget budget = new DetailBudget();
    private final List<Bytes> rows = new ArrayList<>();
    private long errors;
    private long inserted;
    private long matched;
    private long modified;
    private long upserted;
    private long deleted;

    /**
     * @param errorsOnly whether nothing is told of what succeeds
     * @param namespaces the collection of an operation by its position
     */
    BulkResults(
            boolean ordered,
            boolean errorsOnly,
            StatementFailures failures,
            IntFunction<Namespace> namespaces) {
        this.ordered = ordered;
        this.errorsOnly = errorsOnly;
        this.failures = failures;
        this.namespaces = namespaces;
    }

    @Override
    public boolean isOver() {
        return ordered && errors > 0;
    }

    @Override
    public void inserted(int index) {
        inserted++;
        succeeded(index, new Doc().put("n", 1));
    }

    /** Takes the result of an update. What was created is not counted as found. */
    void updated(int index, FilteredWrites.Done done) {
        long created = done.upserted().stream().count();
        matched += done.matched() - created;
        modified += done.modified();
        upserted += created;
        Doc result = new Doc().putCount("n", done.matched()).putCount("nModified", done.modified());
        done.upserted().ifPresent(id -> result.put("upserted", new Doc().put("_id", id)));
        finished(index, result, done.failure());
    }

    void deleted(int index, FilteredWrites.Done done) {
        deleted += done.modified();
        finished(index, new Doc().putCount("n", done.modified()), done.failure());
    }

    private void finished(int index, Doc result, Optional<OrreryException> failure) {
        if (failure.isPresent()) {
            failed(index, failure.get(), Value.Null.NULL, result);
        } else {
            succeeded(index, result);
        }
    }

    private void succeeded(int index, Doc result) {
        if (!errorsOnly) {
            add(new Doc().putDouble("ok", 1).put("idx", index).putAll(result.build()));
        }
    }

    @Override
    public void failed(int index, OrreryException failure, Value id) {
        failed(index, failure, id, new Doc().put("n", 0));
    }

    /** Takes the failure of an update, which says that it has changed nothing. */
    void updateFailed(int index, OrreryException failure, Value id) {
        failed(index, failure, id, new Doc().put("n", 0).put("nModified", 0));
    }

    private void failed(int index, OrreryException failure, Value id, Doc result) {
        MongoFailure told = budget.within(failures.told(namespaces.apply(index), failure, id));
        errors++;
        add(
                new Doc()
                        .putDouble("ok", 0)
                        .put("idx", index)
                        .put("code", told.code())
                        .put("errmsg", told.message())
                        .putAll(told.details())
                        .putAll(result.build()));
    }

    private void add(Doc row) {
        rows.add(BsonCodec.write(row.build()));
    }

    /** Returns the results of all operations that tell one, in their order. */
    List<Bytes> rows() {
        return rows;
    }

    /** Returns the sums over all operations. */
    Doc summary() {
        return new Doc()
                .putCount("nErrors", errors)
                .putCount("nInserted", inserted)
                .putCount("nMatched", matched)
                .putCount("nModified", modified)
                .putCount("nUpserted", upserted)
                .putCount("nDeleted", deleted);
    }
}
