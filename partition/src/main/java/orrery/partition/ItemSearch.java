package orrery.partition;

import java.util.List;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.ItemKey;
import orrery.model.KeyRange;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.RowKey;
import orrery.model.SizeLimits;
import orrery.model.metering.Charge;
import orrery.partition.EvaluatedWrite.Sight;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;
import orrery.partition.machine.LastWrite;
import orrery.partition.machine.PartitionState;
import orrery.query.PreparedQueries;
import orrery.query.evaluate.UserFunctions;
import orrery.query.index.IndexUse;
import orrery.storage.StoreSnapshot;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;

/**
 * Finds the item that a {@link WriteRequest.WriteFirst} is about: the first that its query finds,
 * on a snapshot. A page of the search is bounded work; pages follow each other until one finds an
 * item or the caller's time is over.
 */
final class ItemSearch {
    private final WriteRun writeRun;
    private final WriteRequest.WriteFirst request;
    private final PreparedQueries queries;

    /** The indexes of the last search: one that is overtaken looks again in the same way. */
    private IndexUse used = IndexUse.NONE;

    ItemSearch(WriteRun writeRun, WriteRequest.WriteFirst request, PreparedQueries queries) {
        this.writeRun = writeRun;
        this.request = request;
        this.queries = queries;
    }

    /** Carries out the write on what the search finds. */
    WriteResponse write(KeySize keySize) {
        ItemKey scope = new ItemKey(request.epk(), request.partitionKey(), RowKey.ofText(""));
        ChangeEvaluation evaluation = writeRun.evaluation(request.action(), Precondition.NONE);
        WriteResponse.Written written =
                new EvaluatedWrite(writeRun, request.action(), evaluation, scope, keySize)
                        .run(this::look);
        return WriteResponse.Searched.of(written, used);
    }

    private Sight look() {
        PartitionState state = writeRun.state();
        if (!state.record().keys().contains(request.epk())) {
            throw Refusals.of(ErrorCode.RANGE_GONE, Charge.NONE);
        }
        QueryReader reader = QueryReader.ofRehearsal(state, queries, writeRun.stampMillis());
        SizeLimits limits = writeRun.kind().limits();
        // A long query is made ready before there is a snapshot: it may have to wait.
        PreparedQueries.Ready ready =
                reader.planned(query(Optional.empty(), limits), UserFunctions.NONE);
        try (StoreSnapshot snapshot = writeRun.store().snapshot()) {
            return look(reader, ready, snapshot, limits);
        }
    }

    private Sight look(
            QueryReader reader,
            PreparedQueries.Ready ready,
            StoreView snapshot,
            SizeLimits limits) {
        Charge charge = Charge.NONE;
        Optional<Bytes> after = Optional.empty();
        do {
            if (writeRun.isTimeOver()) {
                throw new OrreryException(
                                ErrorCode.TIMEOUT,
                                "The search for an item to write did not end in time, so this"
                                        + " request wrote nothing. Search by a filter that the index"
                                        + " serves.")
                        .withCharge(charge);
            }
            QueryReader.Search search = page(reader, ready, snapshot, query(after, limits), charge);
            charge = charge.plus(search.charge());
            used = search.used();
            if (search.key().isPresent()) {
                return found(snapshot, search.key().get(), charge);
            }
            after = search.next();
        } while (after.isPresent());
        return new Sight.Nothing(
                LastWrite.of(snapshot, writeRun.partition(), request.epk(), request.partitionKey()),
                charge);
    }

    /** The sender pays for a page that is cut off, and for those before it. */
    private static QueryReader.Search page(
            QueryReader reader,
            PreparedQueries.Ready ready,
            StoreView snapshot,
            ReadRequest.Query query,
            Charge before) {
        try {
            return reader.first(snapshot, query, ready);
        } catch (OrreryException cutOff) {
            throw cutOff.withCharge(before.plus(cutOff.charge()));
        }
    }

    private ReadRequest.Query query(Optional<Bytes> after, SizeLimits limits) {
        return new ReadRequest.Query(
                writeRun.partition(),
                request.database(),
                request.search(),
                KeyRange.FULL,
                Optional.of(request.partitionKey()),
                after,
                Optional.empty(),
                Optional.empty(),
                1,
                limits.maxPageBytes(),
                0,
                List.of());
    }

    private Sight found(StoreView snapshot, Bytes suffix, Charge charge) {
        byte[] item =
                snapshot.get(Table.ITEMS, Keys.item(writeRun.partition().container(), suffix));
        if (item == null) {
            throw new IllegalStateException("a search has found an item that is not there");
        }
        ItemKey key =
                Keys.itemKey(
                        suffix,
                        writeRun.state().definition().current().definition().partitionKey());
        return new Sight.Found(key, ItemRecord.decode(item).toItem(), charge);
    }
}
