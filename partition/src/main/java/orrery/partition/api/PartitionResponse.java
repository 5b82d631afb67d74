package orrery.partition.api;

import java.util.List;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.ChangedItem;
import orrery.model.EffectiveKey;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.ItemKey;
import orrery.model.ItemVersion;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.model.metering.Charge;
import orrery.model.metering.KeyAmount;
import orrery.model.metering.Traffic;
import orrery.query.execute.QueryMetrics;
import orrery.query.execute.RowPlace;

/** An answer of a physical partition. */
public sealed interface PartitionResponse {
    /**
     * The answer to a request about items. It has a charge, whether the request was done or
     * refused.
     */
    sealed interface Charged extends PartitionResponse {
        Charge charge();

        Charged withCharge(Charge other);
    }

    /** The item, and the partition's LSN at a moment not before the read. */
    record Found(Item item, ItemKey key, long headLsn, Charge charge) implements Charged {
        @Override
        public Found withCharge(Charge other) {
            return new Found(item, key, headLsn, other);
        }
    }

    /**
     * @param item the version that was written; its body is empty unless the partition made it (a
     *     patch), because the caller already has it. Absent after a delete.
     */
    record Written(Change change, Optional<Item> item, long headLsn, Charge charge)
            implements Charged {
        @Override
        public Written withCharge(Charge other) {
            return new Written(change, item, headLsn, other);
        }
    }

    /** The change that a write made to the item. */
    enum Change {
        CREATED,
        REPLACED,
        DELETED
    }

    /**
     * @param next where the following page begins; absent when nothing follows in this partition
     */
    record Feed(List<Item> items, Optional<Bytes> next, long headLsn, Charge charge)
            implements Charged {
        public Feed {
            items = List.copyOf(items);
        }

        @Override
        public Feed withCharge(Charge other) {
            return new Feed(items, next, headLsn, other);
        }
    }

    /**
     * A page of the results of a query.
     *
     * @param rows each a JSON text
     * @param places of the rows, if it is a part of a sorted answer
     * @param next where the following page begins; absent when nothing follows in this partition
     */
    record QueryPage(
            List<Bytes> rows,
            List<RowPlace> places,
            Optional<Bytes> next,
            QueryMetrics metrics,
            long headLsn,
            Charge charge)
            implements Charged {
        public QueryPage {
            rows = List.copyOf(rows);
            places = List.copyOf(places);
        }

        @Override
        public QueryPage withCharge(Charge other) {
            return new QueryPage(rows, places, next, metrics, headLsn, other);
        }
    }

    /**
     * The result of a batch: either every step is done, or one is refused for its own reason and
     * the others because of that one.
     */
    record Batch(List<StepResult> steps, long headLsn, Charge charge) implements Charged {
        public Batch {
            steps = List.copyOf(steps);
        }

        @Override
        public Batch withCharge(Charge other) {
            return new Batch(steps, headLsn, other);
        }
    }

    /** The result of one step of a batch, in the order of the request. */
    sealed interface StepResult {
        Charge charge();

        /**
         * @param item its body is empty unless it was read or the partition made it (a patch).
         *     Absent after a delete.
         */
        record Done(StepOutcome outcome, Optional<Item> item, Charge charge)
                implements StepResult {}

        record Refused(ErrorCode code, String text, Charge charge) implements StepResult {}
    }

    /** The change that a step made. */
    enum StepOutcome {
        CREATED,
        REPLACED,
        DELETED,
        READ,
        /** Read, but the client has this version. */
        NOT_MODIFIED
    }

    /**
     * A stored procedure came to its end.
     *
     * @param body JSON of what it set as the response's body
     * @param log what it wrote to its console, if that was asked for
     */
    record Executed(Optional<Bytes> body, String log, long headLsn, Charge charge)
            implements Charged {
        @Override
        public Executed withCharge(Charge other) {
            return new Executed(body, log, headLsn, other);
        }
    }

    /**
     * A write and its triggers are done.
     *
     * @param item the version that was written, with its body, which a trigger may have changed.
     *     Absent after a delete.
     * @param body JSON of what a trigger set as the response's body in place of the item
     */
    record Triggered(
            Change change,
            Optional<Item> item,
            Optional<Bytes> body,
            String log,
            long headLsn,
            Charge charge)
            implements Charged {
        @Override
        public Triggered withCharge(Charge other) {
            return new Triggered(change, item, body, log, headLsn, other);
        }
    }

    /**
     * A query of a script calls functions of which the partition was not told whether they exist.
     * Nothing was written; the script may run again from its start, with a place that tells.
     */
    record FunctionsNeeded(List<String> names, long headLsn, Charge charge) implements Charged {
        public FunctionsNeeded {
            names = List.copyOf(names);
        }

        @Override
        public FunctionsNeeded withCharge(Charge other) {
            return new FunctionsNeeded(names, headLsn, other);
        }
    }

    /**
     * Changes in the order of their LSNs.
     *
     * @param nextLsn the changes after this page have higher LSNs, in this partition and in those
     *     that it may be split or merged into
     */
    record Changes(List<ChangedItem> changes, long nextLsn, long headLsn, Charge charge)
            implements Charged {
        public Changes {
            changes = List.copyOf(changes);
        }

        @Override
        public Changes withCharge(Charge other) {
            return new Changes(changes, nextLsn, headLsn, other);
        }
    }

    /**
     * All versions and deletes in the order of their LSNs.
     *
     * @param nextLsn as for {@link Changes}
     */
    record Versions(List<ItemVersion> versions, long nextLsn, long headLsn, Charge charge)
            implements Charged {
        public Versions {
            versions = List.copyOf(versions);
        }

        @Override
        public Versions withCharge(Charge other) {
            return new Versions(versions, nextLsn, headLsn, other);
        }
    }

    /**
     * @param reindexPercent how much of the data is indexed under the present policy
     */
    record Description(
            long headLsn, long items, long itemBytes, long indexBytes, int reindexPercent)
            implements PartitionResponse {}

    /**
     * An operator's view of a partition.
     *
     * @param budget absent until the partition has been told
     */
    record Inspection(
            Description description,
            Optional<Budget> budget,
            Traffic lastSecond,
            Traffic lastMinute,
            Traffic lastHour,
            List<KeyAmount> largestKeys,
            List<KeyAmount> hottestKeys)
            implements PartitionResponse {
        public Inspection {
            largestKeys = List.copyOf(largestKeys);
            hottestKeys = List.copyOf(hottestKeys);
        }
    }

    /** All items of a key are deleted. */
    record KeyDeleted(long headLsn, Charge charge) implements Charged {
        @Override
        public KeyDeleted withCharge(Charge other) {
            return new KeyDeleted(headLsn, other);
        }
    }

    /** The partition has been split; the right side begins here. */
    record SplitAt(EffectiveKey at) implements PartitionResponse {}

    /** A command about the partition itself has been carried out. */
    record Done() implements PartitionResponse {}

    /**
     * @param retryAfterMillis when to come back, 0 where waiting does not help
     */
    record Failed(ErrorCode code, String text, long retryAfterMillis, long headLsn, Charge charge)
            implements Charged {
        @Override
        public Failed withCharge(Charge other) {
            return new Failed(code, text, retryAfterMillis, headLsn, other);
        }
    }

    /** 3: a charge says whether the budget of the minute paid a part of it. */
    int VERSION = 3;

    static Bytes encode(PartitionResponse response) {
        BinaryWriter out = new BinaryWriter(256).u8(VERSION);
        switch (response) {
            case Found r -> {
                out.u8(1);
                r.item.write(out);
                r.key.write(out);
                tail(out, r.headLsn, r.charge);
            }
            case Written r -> {
                out.u8(2).u8(r.change.ordinal()).optional(r.item, (w, item) -> item.write(w));
                tail(out, r.headLsn, r.charge);
            }
            case Feed r -> {
                out.u8(3)
                        .list(r.items, (w, item) -> item.write(w))
                        .optional(r.next, BinaryWriter::bytes);
                tail(out, r.headLsn, r.charge);
            }
            case QueryPage r -> {
                out.u8(9)
                        .list(r.rows, BinaryWriter::bytes)
                        .list(r.places, (w, place) -> place.write(w))
                        .optional(r.next, BinaryWriter::bytes);
                r.metrics.write(out);
                tail(out, r.headLsn, r.charge);
            }
            case Batch r -> {
                out.u8(10).list(r.steps, PartitionResponse::writeStep);
                tail(out, r.headLsn, r.charge);
            }
            case Changes r -> {
                out.u8(11).list(r.changes, (w, change) -> change.write(w)).u64(r.nextLsn);
                tail(out, r.headLsn, r.charge);
            }
            case Versions r -> {
                out.u8(17).list(r.versions, (w, version) -> version.write(w)).u64(r.nextLsn);
                tail(out, r.headLsn, r.charge);
            }
            case Executed r -> {
                out.u8(12).optional(r.body, BinaryWriter::bytes).string(r.log);
                tail(out, r.headLsn, r.charge);
            }
            case Triggered r -> {
                out.u8(13)
                        .u8(r.change.ordinal())
                        .optional(r.item, (w, item) -> item.write(w))
                        .optional(r.body, BinaryWriter::bytes)
                        .string(r.log);
                tail(out, r.headLsn, r.charge);
            }
            case FunctionsNeeded r -> {
                out.u8(16).list(r.names, BinaryWriter::string);
                tail(out, r.headLsn, r.charge);
            }
            case KeyDeleted r -> {
                out.u8(14);
                tail(out, r.headLsn, r.charge);
            }
            case Description r -> {
                out.u8(4);
                writeDescription(out, r);
            }
            case Inspection r -> {
                out.u8(8);
                writeDescription(out, r.description);
                out.optional(r.budget, (w, budget) -> budget.write(w));
                r.lastSecond.write(out);
                r.lastMinute.write(out);
                r.lastHour.write(out);
                out.list(r.largestKeys, (w, key) -> key.write(w))
                        .list(r.hottestKeys, (w, key) -> key.write(w));
            }
            case Done _ -> out.u8(5);
            case SplitAt r -> out.u8(7).bytes(r.at.bytes());
            case Failed r -> {
                out.u8(6).string(r.code.name()).string(r.text).u64(r.retryAfterMillis);
                tail(out, r.headLsn, r.charge);
            }
        }
        return out.toBytes();
    }

    static PartitionResponse decode(Bytes bytes) {
        BinaryReader in = new BinaryReader(bytes);
        if (in.u8() != VERSION) {
            throw new MalformedRecordException("unknown version of a partition response");
        }
        PartitionResponse response =
                switch (in.u8()) {
                    case 1 -> new Found(Item.read(in), ItemKey.read(in), in.u64(), Charge.read(in));
                    case 2 ->
                            new Written(
                                    in.enumeration(Change.class),
                                    in.optional(Item::read),
                                    in.u64(),
                                    Charge.read(in));
                    case 3 ->
                            new Feed(
                                    in.list(Item::read),
                                    in.optional(BinaryReader::bytes),
                                    in.u64(),
                                    Charge.read(in));
                    case 9 ->
                            new QueryPage(
                                    in.list(BinaryReader::bytes),
                                    in.list(RowPlace::read),
                                    in.optional(BinaryReader::bytes),
                                    QueryMetrics.read(in),
                                    in.u64(),
                                    Charge.read(in));
                    case 10 ->
                            new Batch(
                                    in.list(PartitionResponse::readStep),
                                    in.u64(),
                                    Charge.read(in));
                    case 11 ->
                            new Changes(
                                    in.list(ChangedItem::read),
                                    in.u64(),
                                    in.u64(),
                                    Charge.read(in));
                    case 17 ->
                            new Versions(
                                    in.list(ItemVersion::read),
                                    in.u64(),
                                    in.u64(),
                                    Charge.read(in));
                    case 12 ->
                            new Executed(
                                    in.optional(BinaryReader::bytes),
                                    in.string(),
                                    in.u64(),
                                    Charge.read(in));
                    case 13 ->
                            new Triggered(
                                    in.enumeration(Change.class),
                                    in.optional(Item::read),
                                    in.optional(BinaryReader::bytes),
                                    in.string(),
                                    in.u64(),
                                    Charge.read(in));
                    case 16 ->
                            new FunctionsNeeded(
                                    in.list(BinaryReader::string), in.u64(), Charge.read(in));
                    case 14 -> new KeyDeleted(in.u64(), Charge.read(in));
                    case 4 -> readDescription(in);
                    case 8 ->
                            new Inspection(
                                    readDescription(in),
                                    in.optional(Budget::read),
                                    Traffic.read(in),
                                    Traffic.read(in),
                                    Traffic.read(in),
                                    in.list(KeyAmount::read),
                                    in.list(KeyAmount::read));
                    case 5 -> new Done();
                    case 7 -> new SplitAt(new EffectiveKey(in.bytes()));
                    case 6 ->
                            new Failed(
                                    readCode(in.string()),
                                    in.string(),
                                    in.u64(),
                                    in.u64(),
                                    Charge.read(in));
                    default ->
                            throw new MalformedRecordException(
                                    "unknown kind of partition response");
                };
        in.expectEnd();
        return response;
    }

    private static void tail(BinaryWriter out, long headLsn, Charge charge) {
        out.u64(headLsn);
        charge.write(out);
    }

    private static void writeStep(BinaryWriter out, StepResult step) {
        switch (step) {
            case StepResult.Done(var outcome, var item, Charge charge) -> {
                out.u8(1).enumeration(outcome).optional(item, (w, each) -> each.write(w));
                charge.write(out);
            }
            case StepResult.Refused(ErrorCode code, String text, Charge charge) -> {
                out.u8(2).string(code.name()).string(text);
                charge.write(out);
            }
        }
    }

    private static StepResult readStep(BinaryReader in) {
        return switch (in.u8()) {
            case 1 ->
                    new StepResult.Done(
                            in.enumeration(StepOutcome.class),
                            in.optional(Item::read),
                            Charge.read(in));
            case 2 -> new StepResult.Refused(readCode(in.string()), in.string(), Charge.read(in));
            default -> throw new MalformedRecordException("unknown result of a batch step");
        };
    }

    private static void writeDescription(BinaryWriter out, Description r) {
        out.u64(r.headLsn).u64(r.items).u64(r.itemBytes).u64(r.indexBytes).u8(r.reindexPercent);
    }

    private static Description readDescription(BinaryReader in) {
        return new Description(in.u64(), in.u64(), in.u64(), in.u64(), in.u8());
    }

    /** By name, so that a newer peer may add codes between ours. */
    private static ErrorCode readCode(String name) {
        try {
            return ErrorCode.valueOf(name);
        } catch (IllegalArgumentException unknown) {
            return ErrorCode.INTERNAL;
        }
    }
}
