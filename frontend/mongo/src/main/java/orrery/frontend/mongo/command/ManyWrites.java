package orrery.frontend.mongo.command;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import orrery.document.BodyFormat;
import orrery.frontend.mongo.cursor.Cursor;
import orrery.gateway.api.BatchAnswer;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ItemAddress;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemBatch;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.Items;
import orrery.gateway.api.LookupAnswer;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.memory.MemoryAccount;
import orrery.query.mongo.find.FindStatement;
import orrery.query.write.Evaluation;
import orrery.query.write.Images;

/**
 * Writes all documents that a filter finds, a page at a time. The ids of those that were written
 * are remembered for the command, so that a document which its own change moves ahead in the index
 * is not changed twice; they count against the memory of the request.
 */
final class ManyWrites {
    private static final int SET_ENTRY_BYTES = 96;

    private final Items items;
    private final Batches batches;

    ManyWrites(Items items, Batches batches) {
        this.items = items;
        this.batches = batches;
    }

    /** The numbers of documents that were found, and of those that are different now. */
    record Written(long matched, long modified) {}

    Written update(
            CommandRequest request,
            ContainerRef.Resolved container,
            FindStatement search,
            Target target,
            Evaluation evaluation) {
        return run(
                request,
                container,
                search,
                target,
                addresses ->
                        addresses.stream()
                                .<ItemWrite>map(
                                        each ->
                                                new ItemWrite.Evaluate(
                                                        new ItemRef.Named(each.row()),
                                                        each.key(),
                                                        evaluation,
                                                        false,
                                                        Images.NONE,
                                                        Precondition.NONE))
                                .toList());
    }

    Written delete(
            CommandRequest request,
            ContainerRef.Resolved container,
            FindStatement search,
            Target target) {
        return run(
                request,
                container,
                search,
                target,
                addresses -> deletes(request, container, search, addresses));
    }

    /** Each is deleted only in the version that was looked at, and that matches. */
    private List<ItemWrite> deletes(
            CommandRequest request,
            ContainerRef.Resolved container,
            FindStatement search,
            List<ItemAddress> addresses) {
        LookupAnswer answer = items.readMany(request.context(), container, addresses);
        request.charge(answer.charge());
        List<ItemWrite> writes = new ArrayList<>();
        for (int i = 0; i < addresses.size(); i++) {
            if (answer.results().get(i) instanceof LookupAnswer.Result.Found(Item item)
                    && search.result(BodyFormat.of(Encoding.BSON).value(item.body())).isPresent()) {
                writes.add(
                        new ItemWrite.Delete(
                                new ItemRef.Named(addresses.get(i).row()),
                                addresses.get(i).key(),
                                new Precondition.Matches(item.etag())));
            }
        }
        return writes;
    }

    private Written run(
            CommandRequest request,
            ContainerRef.Resolved container,
            FindStatement search,
            Target target,
            Function<List<ItemAddress>, List<ItemWrite>> writes) {
        Optional<Cursor> cursor =
                Optional.of(
                        new Cursor(
                                "",
                                search,
                                ReadCommands.scope(target),
                                Optional.empty(),
                                Optional.empty()));
        Set<ItemAddress> done = new HashSet<>();
        long matched = 0;
        long modified = 0;
        try (MemoryAccount.Part memory = MemoryAccount.current().part()) {
            while (cursor.isPresent()) {
                Batches.Batch batch =
                        batches.read(request, container, cursor.get(), ItemBatch.MAX_OPERATIONS);
                List<ItemAddress> found = new ArrayList<>();
                for (Bytes row : batch.rows()) {
                    Target place = WriteTargets.of(row, container.container());
                    ItemAddress address =
                            new ItemAddress(place.key().orElseThrow(), place.id().orElseThrow());
                    memory.take(SET_ENTRY_BYTES + address.row().bytes().length());
                    if (done.add(address)) {
                        found.add(address);
                    }
                }
                Written page = write(request, container, writes.apply(found));
                matched += page.matched();
                modified += page.modified();
                cursor = batch.next();
            }
        }
        return new Written(matched, modified);
    }

    private Written write(
            CommandRequest request, ContainerRef.Resolved container, List<ItemWrite> writes) {
        if (writes.isEmpty()) {
            return new Written(0, 0);
        }
        BatchAnswer answer =
                items.batch(
                        request.context(),
                        container,
                        new ItemBatch.Bulk(
                                writes.stream()
                                        .<BatchOperation>map(BatchOperation.Write::new)
                                        .toList(),
                                false,
                                true));
        request.charge(answer.charge());
        long matched = 0;
        long modified = 0;
        for (BatchAnswer.Result result : answer.results()) {
            switch (result) {
                case BatchAnswer.Result.Done done -> {
                    matched++;
                    modified += done.outcome() == ItemAnswer.Outcome.UNCHANGED ? 0 : 1;
                }
                case BatchAnswer.Result.NotModified _ -> matched++;
                case BatchAnswer.Result.Refused(OrreryException failure) -> {
                    // It has ceased to match, or somebody was faster.
                    if (failure.code() != ErrorCode.PRECONDITION_FAILED
                            && failure.code() != ErrorCode.NOT_FOUND) {
                        throw failure;
                    }
                }
            }
        }
        return new Written(matched, modified);
    }
}
