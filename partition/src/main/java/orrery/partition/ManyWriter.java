package orrery.partition;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.ItemKey;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.Precondition;
import orrery.model.memory.MemoryAccount;
import orrery.model.metering.Charge;
import orrery.partition.api.CreationPlace;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.StepResult;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;
import orrery.query.PreparedQueries;
import orrery.query.evaluate.UserFunctions;
import orrery.storage.StoreSnapshot;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.Docid;
import orrery.storage.format.Keys;
import orrery.storage.format.PartitionRecord;

/**
 * Carries out a page of a {@link WriteRequest.ChangeMany}: finds items in the order of their
 * creation, computes what becomes of them, and writes them. An item keeps its docid, so a change
 * that moves it within the index cannot bring it before the walk again, and nothing needs to be
 * remembered but the docid that the walk has come to.
 */
final class ManyWriter {
    private final WriteRun writeRun;
    private final WriteRequest.ChangeMany request;
    private final Supplier<QueryReader> readers;
    private final Function<PartitionKey, KeySize> keySizes;
    private final ChangeEvaluation evaluation;
    private final PartitionKeyDefinition keys;

    /**
     * @param readers makes one that sees the partition as of now
     * @param keySizes hears of what the logical partitions hold
     */
    ManyWriter(
            WriteRun writeRun,
            WriteRequest.ChangeMany request,
            Supplier<QueryReader> readers,
            Function<PartitionKey, KeySize> keySizes) {
        this.writeRun = writeRun;
        this.request = request;
        this.readers = readers;
        this.keySizes = keySizes;
        this.evaluation = writeRun.evaluation(request.action(), Precondition.NONE);
        this.keys = writeRun.state().definition().current().definition().partitionKey();
    }

    WriteResponse run() {
        try (MemoryAccount.Part memory = MemoryAccount.current().part()) {
            Page page = new Page(memory);
            QueryReader.Walk walk = page.fill();
            ManyOutcomes outcomes =
                    new ManyOutcomes(writeRun, request.action(), keySizes, this::again);
            page.unchanged.forEach(outcomes::unchanged);
            outcomes.write(List.copyOf(page.changes.values()));
            return WriteResponse.Searched.of(answer(page, walk, outcomes), walk.used());
        }
    }

    private WriteResponse.ManyChanged answer(
            Page page, QueryReader.Walk walk, ManyOutcomes outcomes) {
        Optional<OrreryException> failure = outcomes.failure();
        Optional<CreationPlace> next = Optional.empty();
        if (failure.isEmpty() && outcomes.isMoved()) {
            // Whoever has the items now meets the one that failed here as well.
            next = Optional.of(page.behind(outcomes.open()));
        } else if (failure.isEmpty()) {
            failure = page.failure;
            if (failure.isEmpty() && walk.next().isPresent()) {
                next = Optional.of(page.at(walk.next().getAsLong()));
            }
        }
        return new WriteResponse.ManyChanged(
                outcomes.matched(),
                outcomes.modified(),
                failure.map(ManyWriter::refused),
                next,
                Math.max(page.headLsn, outcomes.lsn()),
                walk.charge()
                        .plus(outcomes.charge())
                        .plus(failure.map(OrreryException::charge).orElse(Charge.NONE)));
    }

    private static StepResult.Refused refused(OrreryException failure) {
        return new StepResult.Refused(
                failure.code(),
                failure.languageCode(),
                failure.violation(),
                failure.text(),
                Charge.NONE);
    }

    private ReadRequest.Query query() {
        return new ReadRequest.Query(
                request.partition(),
                request.database(),
                request.search(),
                request.clip(),
                request.partitionKey(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                request.maxItems(),
                request.maxBytes(),
                0,
                List.of());
    }

    /** Plans the change of an item anew, which another write has changed; empty if it is none. */
    private Optional<PlannedChange> again(PlannedChange stale) {
        QueryReader reader = readers.get();
        PreparedQueries.Ready ready = reader.planned(query(), UserFunctions.NONE);
        try (StoreSnapshot snapshot = writeRun.store().snapshot()) {
            return reader.find(snapshot, query(), ready, Keys.itemSuffix(stale.key()))
                    // Another item under its key was created since.
                    .filter(item -> item.docid() == stale.docid())
                    .flatMap(item -> planned(stale.key(), item));
        }
    }

    /** Empty if the update finds that it is not meant for the item. */
    private Optional<PlannedChange> planned(ItemKey key, Item item) {
        try {
            return Optional.of(
                    new PlannedChange(
                            key,
                            item.docid(),
                            item.body().length(),
                            evaluation.of(
                                    key,
                                    Optional.of(item),
                                    new Precondition.Matches(item.etag()))));
        } catch (OrreryException unmet) {
            if (unmet.code() == ErrorCode.PRECONDITION_FAILED && unmet.languageCode().isEmpty()) {
                return Optional.empty();
            }
            throw unmet;
        }
    }

    private PartitionRecord record(StoreView view) {
        byte[] row = view.get(Table.META, Keys.partition(request.partition()));
        if (row == null) {
            throw Refusals.of(ErrorCode.RANGE_GONE, Charge.NONE);
        }
        return PartitionRecord.decode(row);
    }

    /** The items that one walk over a snapshot has found. */
    private final class Page {
        private final MemoryAccount.Part memory;
        private final Map<PartitionKey, List<PlannedChange>> changes = new LinkedHashMap<>();
        private final List<PlannedChange> unchanged = new ArrayList<>();
        private final Set<Long> done = new HashSet<>();
        private Optional<OrreryException> failure = Optional.empty();
        private long after;
        private long before;
        private long headLsn;
        private int items;
        private long bytes;

        Page(MemoryAccount.Part memory) {
            this.memory = memory;
        }

        QueryReader.Walk fill() {
            QueryReader reader = readers.get();
            // A long query is made ready before there is a snapshot: it may have to wait.
            PreparedQueries.Ready ready = reader.planned(query(), UserFunctions.NONE);
            try (StoreSnapshot snapshot = writeRun.store().snapshot()) {
                PartitionRecord record = record(snapshot);
                headLsn = record.headLsn();
                after = request.from().map(CreationPlace::after).orElse(0L);
                before =
                        request.from()
                                .map(CreationPlace::before)
                                .orElseGet(
                                        () ->
                                                Docid.atHome(
                                                        request.partition().range(),
                                                        record.counters().nextDocid()));
                request.from().ifPresent(place -> done.addAll(place.ahead()));
                return reader.walk(snapshot, query(), ready, after, before, this::take);
            }
        }

        private boolean take(Bytes suffix, Item item) {
            if (done.contains(item.docid())) {
                return true;
            }
            if (failure.isPresent() || items == request.maxItems()) {
                return false;
            }
            try {
                Optional<PlannedChange> planned = planned(Keys.itemKey(suffix, keys), item);
                return planned.isEmpty() || add(planned.get());
            } catch (OrreryException refused) {
                // The items before it are written all the same.
                failure = Optional.of(refused);
                return false;
            }
        }

        private boolean add(PlannedChange planned) {
            if (items > 0 && bytes + planned.bytes() > request.maxBytes()) {
                return false;
            }
            items++;
            bytes += planned.bytes();
            memory.take(planned.bytes());
            if (planned.change().isNone()) {
                unchanged.add(planned);
            } else {
                changes.computeIfAbsent(planned.key().partitionKey(), _ -> new ArrayList<>())
                        .add(planned);
            }
            return true;
        }

        CreationPlace at(long docid) {
            return new CreationPlace(
                    docid,
                    before,
                    done.stream()
                            .filter(each -> Long.compareUnsigned(each, docid) > 0)
                            .sorted(Long::compareUnsigned)
                            .toList());
        }

        /** The place before the first item that is still to be done. */
        CreationPlace behind(Set<Long> open) {
            changes.values().forEach(ofKey -> ofKey.forEach(each -> done.add(each.docid())));
            unchanged.forEach(each -> done.add(each.docid()));
            done.removeAll(open);
            return at(open.stream().min(Long::compareUnsigned).orElseThrow() - 1);
        }
    }
}
