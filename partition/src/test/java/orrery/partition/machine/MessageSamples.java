package orrery.partition.machine;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import orrery.document.IndexPath;
import orrery.document.IndexValue;
import orrery.document.Patch;
import orrery.document.Value;
import orrery.document.ValueCodec;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.ChangeStart;
import orrery.model.ChangedItem;
import orrery.model.ContainerDefinition;
import orrery.model.Derived;
import orrery.model.DerivedRow;
import orrery.model.EffectiveKey;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.Etag;
import orrery.model.IndexingPolicy;
import orrery.model.Item;
import orrery.model.ItemKey;
import orrery.model.ItemVersion;
import orrery.model.KeyRange;
import orrery.model.KeyViolation;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.Precondition;
import orrery.model.PropertyPath;
import orrery.model.RequestId;
import orrery.model.RowKey;
import orrery.model.ScriptSource;
import orrery.model.ThroughputBuckets;
import orrery.model.TriggerOperation;
import orrery.model.VersionPlace;
import orrery.model.metering.Charge;
import orrery.model.metering.KeyAmount;
import orrery.model.metering.RequestCharge;
import orrery.model.metering.RequestTerms;
import orrery.model.metering.Traffic;
import orrery.partition.api.BatchStep;
import orrery.partition.api.Budget;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.ControlResponse;
import orrery.partition.api.PartitionDefinition;
import orrery.partition.api.PartitionEnvelope;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.ReadMode;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.partition.api.ScriptPlace;
import orrery.partition.api.SetRequest;
import orrery.partition.api.SplitAim;
import orrery.partition.api.StepOutcome;
import orrery.partition.api.StepResult;
import orrery.partition.api.Trigger;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;
import orrery.query.evaluate.ValueHash;
import orrery.query.execute.AccessPlan;
import orrery.query.execute.EqualityLookup;
import orrery.query.execute.KeyMark;
import orrery.query.execute.QueryMetrics;
import orrery.query.execute.QueryPart;
import orrery.query.execute.QueryTimes;
import orrery.query.execute.ResumePoint;
import orrery.query.execute.RowEncoding;
import orrery.query.execute.RowPlace;
import orrery.query.index.IndexScan;
import orrery.query.index.IndexUse;
import orrery.query.index.ValueRanges;
import orrery.query.sql.PatchCondition;
import orrery.query.sql.SqlStatement;
import orrery.query.write.Evaluation;
import orrery.query.write.Images;
import orrery.query.write.MergeDialect;
import orrery.query.write.PatchDialect;
import orrery.query.write.ReplaceDialect;
import orrery.storage.format.DataSize;
import orrery.storage.format.DefinitionRecord;
import orrery.storage.format.Extensions;
import orrery.storage.format.KeyDeletions;
import orrery.storage.format.Keys;

/** One of each message, by the name it has in the golden files and in docs/formats. */
final class MessageSamples {
    static final PartitionId PARTITION = new PartitionId(7, 2);
    private static final EffectiveKey EPK = EffectiveKey.ofHex("2D05C94AFD7A1E0B9BD2B8C1BC2A2D33");
    static final ItemKey KEY = new ItemKey(EPK, PartitionKey.ofText("north"), RowKey.ofText("i1"));
    static final RequestId REQUEST = new RequestId(0x1111, 0x2222);
    static final Bytes BODY = Bytes.ofUtf8("{\"id\":\"i1\",\"pk\":\"north\"}");
    private static final Evaluation PATCH =
            PatchDialect.evaluation(
                    Patch.parse(
                            Bytes.ofUtf8(
                                    """
                                    [{"op":"add","path":"/a/0","value":"x"},
                                    {"op":"set","path":"/b","value":{"c":null}},
                                    {"op":"replace","path":"/d","value":true},
                                    {"op":"remove","path":"/e"},
                                    {"op":"incr","path":"/n","value":1.5},
                                    {"op":"move","from":"/f","path":"/g~1h"}]\
                                    """)),
                    Optional.of(PatchCondition.parse("from c where c.n = 1")));
    private static final Etag ETAG = Etag.ofWrite(PARTITION, 9, 0);
    static final Derived DERIVED =
            new Derived(
                    3,
                    1_800_000_000,
                    List.of(
                            new DerivedRow(
                                    DerivedRow.COMPUTED, "cp", ValueCodec.encode(Value.of("x")))));
    private static final long DOCID = (2L << 40) | 5;
    static final long TIME = 1_800_000_000_123L;
    static final Item ITEM = new Item(DOCID, ETAG, TIME, 9, Encoding.JSON, BODY);

    private static final ScriptSource SCRIPT = new ScriptSource("s", 4, "function () {}");
    private static final ScriptPlace PLACE =
            new ScriptPlace(3, "food", "tiny", List.of(SCRIPT), Set.of("none"));

    private static final ContainerDefinition DEFINITION =
            new ContainerDefinition(
                    new PartitionKeyDefinition(
                            List.of(PropertyPath.parse("/pk")),
                            PartitionKeyDefinition.Kind.HASH,
                            2,
                            false),
                    IndexingPolicy.DEFAULT,
                    ContainerDefinition.ConflictResolution.DEFAULT,
                    ContainerDefinition.Geospatial.GEOGRAPHY);

    private static final DefinitionRecord.Version VERSION =
            new DefinitionRecord.Version(1, DEFINITION, 20L << 30, 10L << 30);

    private static final PartitionDefinition PARTITION_DEFINITION =
            new PartitionDefinition(1, DEFINITION, 20L << 30, 10L << 30);

    private static final Budget BUDGET =
            new Budget(
                    6000,
                    true,
                    new Budget.Extras(
                            true,
                            false,
                            true,
                            new ThroughputBuckets(
                                    List.of(
                                            new ThroughputBuckets.Bucket(1, 20, false),
                                            new ThroughputBuckets.Bucket(4, 100, true)))),
                    Optional.of(new Budget.Slot(3, 1)));

    private MessageSamples() {}

    static Map<String, Command> commands() {
        Map<String, Command> samples = new LinkedHashMap<>();
        samples.put(
                "open-partition",
                new Command.OpenPartition(PARTITION, KeyRange.FULL, 9, VERSION, TIME));
        samples.put("set-definition", new Command.SetDefinition(PARTITION, VERSION));
        samples.put("drop-partition", new Command.DropPartition(PARTITION));
        samples.put(
                "write-items",
                new Command.WriteItems(
                        PARTITION,
                        REQUEST,
                        TIME,
                        List.of(
                                new Command.ItemChange.Put(
                                        KEY,
                                        Command.Expect.PRESENT,
                                        new Precondition.Matches(ETAG),
                                        Encoding.JSON,
                                        BODY,
                                        false,
                                        DERIVED,
                                        null),
                                new Command.ItemChange.Remove(
                                        new ItemKey(
                                                EPK,
                                                PartitionKey.ofText("north"),
                                                RowKey.ofText("i2")),
                                        Precondition.NONE))));
        samples.put(
                "write-checked",
                new Command.WriteItems(
                        PARTITION,
                        REQUEST,
                        TIME,
                        List.of(
                                new Command.ItemChange.Check(KEY, new Precondition.Matches(ETAG)),
                                new Command.ItemChange.Remove(KEY, Precondition.NONE))));
        samples.put(
                "write-of-script",
                new Command.WriteItems(
                        PARTITION,
                        REQUEST,
                        TIME,
                        List.of(new Command.ItemChange.Remove(KEY, Precondition.NONE)),
                        OptionalLong.of(8),
                        Bytes.ofHex("A0A1")));
        samples.put(
                "write-renaming",
                new Command.WriteItems(
                        PARTITION,
                        REQUEST,
                        TIME,
                        List.of(
                                new Command.ItemChange.Rename(
                                        KEY,
                                        RowKey.ofText("i2"),
                                        new Precondition.Matches(ETAG),
                                        Encoding.JSON,
                                        BODY,
                                        false,
                                        DERIVED,
                                        null))));
        samples.putAll(SessionSamples.commands());
        samples.put("reindex", new Command.Reindex(PARTITION, 3, 100));
        samples.put(
                "reindex-derived",
                new Command.Reindex(
                        PARTITION,
                        3,
                        100,
                        List.of(
                                new Command.Reindex.Evaluated(
                                        Keys.itemSuffix(KEY), ETAG, DERIVED.rows()))));
        samples.put("prepare-split", new ReshapeCommand.PrepareSplit(PARTITION, EPK, 5, 6));
        samples.put(
                "commit-split",
                new ReshapeCommand.CommitSplit(
                        PARTITION, 5, 6, 10, 11, 41, new DataSize(1, 120, 340), TIME));
        samples.put(
                "merge-partitions", new ReshapeCommand.MergePartitions(PARTITION, 3, 7, 12, TIME));
        samples.put(
                "delete-key",
                new DeleteKey(
                        PARTITION,
                        new RequestId(1, 2),
                        TIME,
                        PartitionKey.ofText("north"),
                        KeyRange.FULL));
        samples.put(
                "forget-deletion",
                new ForgetDeletion(
                        PARTITION,
                        new KeyDeletions.Deletion(PartitionKey.ofText("north"), KeyRange.FULL, 9)));
        samples.put(
                "purge",
                new Command.Purge(
                        PARTITION,
                        TIME,
                        List.of(
                                new Command.Purge.Target(
                                        Bytes.ofHex("2D056931"), new Etag(9, 0x700002000L)))));
        samples.put("purge-journal", new Command.PurgeJournal(PARTITION, TIME));
        samples.put("raise-level", new Command.RaiseLevel(2));
        samples.put("repair-partition", new Command.RepairPartition(PARTITION, 40));
        samples.put("advance-time", new Command.AdvanceTime(PARTITION, TIME));
        return samples;
    }

    static Map<String, Outcome> outcomes() {
        Map<String, Outcome> samples = new LinkedHashMap<>();
        samples.put("done", new Outcome.Done());
        samples.put(
                "written",
                new Outcome.Written(
                        9,
                        TIME,
                        460,
                        List.of(
                                new Outcome.ItemOutcome(
                                        Outcome.Kind.REPLACED, DOCID, ETAG, 20, 25, 1, 2))));
        samples.put(
                "written-checked",
                new Outcome.Written(
                        10,
                        TIME,
                        0,
                        List.of(
                                new Outcome.ItemOutcome(
                                        Outcome.Kind.SEEN, DOCID, ETAG, 25, 25, 0, 0),
                                new Outcome.ItemOutcome(
                                        Outcome.Kind.DELETED, DOCID, ETAG, 25, 0, 2, 0))));
        samples.put("rejected", new Outcome.Rejected(ErrorCode.CONFLICT, 1, 25));
        samples.put(
                "taken",
                new Outcome.Rejected(
                        ErrorCode.UNIQUE_KEY_VIOLATION,
                        1,
                        0,
                        Optional.of(new Outcome.TakenKey("a_1", 2))));
        samples.put(
                "blocked",
                new Outcome.Blocked(
                        Bytes.ofHex("0102"), KEY.rowKey(), new Outcome.TakenKey("a_1", 0)));
        samples.put("reindexed", new Outcome.Reindexed(true));
        samples.put("repeated", new Outcome.Repeated(new Outcome.Done(), Bytes.ofHex("A0A1")));
        samples.put("stale", new Outcome.Stale());
        return samples;
    }

    static DeduplicationRecord deduplication() {
        return new DeduplicationRecord(
                TIME,
                List.of(
                        new DeduplicationRecord.Answered(
                                REQUEST,
                                7,
                                EPK,
                                new Outcome.Rejected(ErrorCode.PRECONDITION_FAILED, 0, 25),
                                Bytes.EMPTY),
                        new DeduplicationRecord.Answered(
                                new RequestId(1, 2),
                                7,
                                EPK,
                                new Outcome.Written(9, TIME, 460, List.of()),
                                Bytes.ofHex("A0A1"))));
    }

    static SessionRecord session() {
        return new SessionRecord(
                TIME,
                new Outcome.Written(9, TIME, 460, List.of()),
                Bytes.ofHex("A0A1"),
                Extensions.NONE);
    }

    static Map<String, PartitionRequest> requests() {
        Map<String, PartitionRequest> samples = new LinkedHashMap<>();
        samples.putAll(SessionSamples.requests());
        samples.put("read-item", new ReadRequest.ReadItem(PARTITION, KEY, 9));
        samples.put(
                "read-by-docid",
                new ReadRequest.ReadByDocid(PARTITION, DOCID, Optional.of(KEY.partitionKey()), 9));
        samples.put(
                "read-items",
                new ReadRequest.ReadItems(
                        PARTITION,
                        List.of(
                                KEY,
                                new ItemKey(
                                        EPK, PartitionKey.ofText("north"), RowKey.ofText("i2"))),
                        4 << 20,
                        9));
        samples.put(
                "find-equal",
                new ReadRequest.FindEqual(
                        PARTITION,
                        IndexPath.of("tags").element().property("n"),
                        List.of(
                                IndexValue.encodeWhole(Value.of("x")),
                                IndexValue.encodeWhole(Value.of(5))),
                        KeyRange.FULL,
                        Optional.of(KEY.partitionKey()),
                        Optional.of(Bytes.ofHex("0102")),
                        100,
                        4 << 20,
                        9));
        samples.put("await-time", new ControlRequest.AwaitTime(PARTITION, TIME));
        samples.put("await-change", new ControlRequest.AwaitChange(PARTITION, 9, 1000));
        samples.put("create", write(new WriteAction.Create(BODY)));
        samples.put("upsert", write(new WriteAction.Upsert(BODY)));
        samples.put("replace", write(new WriteAction.Replace(BODY)));
        samples.put("rename", write(new WriteAction.Rename(RowKey.ofText("i2"), BODY)));
        samples.put("delete", write(new WriteAction.Delete()));
        samples.put("delete-shown", write(new WriteAction.Delete(Images.BEFORE)));
        samples.put("patch", write(new WriteAction.Evaluate(3, PATCH)));
        samples.put(
                "merge-properties",
                write(
                        new WriteAction.Evaluate(
                                3, MergeDialect.evaluation(Body.json(BODY)), true, Images.BOTH)));
        samples.put(
                "evaluated-rename",
                write(
                        new WriteAction.Evaluate(
                                3,
                                ReplaceDialect.evaluation(BODY),
                                false,
                                Images.AFTER,
                                Optional.of(RowKey.ofText("i2")))));
        samples.put(
                "read-last-write",
                new ReadRequest.ReadLastWrite(PARTITION, EPK, KEY.partitionKey(), 9));
        samples.put(
                "write-first",
                new WriteRequest.WriteFirst(
                        PARTITION,
                        REQUEST,
                        EPK,
                        KEY.partitionKey(),
                        SqlStatement.parse(
                                        "SELECT * FROM c WHERE c.n = @n", Map.of("@n", Value.of(5)))
                                .encoded(),
                        3,
                        new WriteAction.Evaluate(3, PATCH, false, Images.BEFORE)));
        samples.put("change-many", WalkSamples.request());
        samples.put(
                "read-feed",
                new ReadRequest.ReadFeed(
                        PARTITION,
                        KeyRange.FULL,
                        Optional.of(KEY.partitionKey()),
                        Optional.of(Bytes.ofHex("0102")),
                        100,
                        4 << 20,
                        9));
        samples.put(
                "query",
                new ReadRequest.Query(
                        PARTITION,
                        3,
                        SqlStatement.parse(
                                        "SELECT * FROM c WHERE c.n = @n",
                                        Map.of("@n", Value.of(5), "@t", Value.of("x")))
                                .encoded(),
                        KeyRange.FULL,
                        Optional.of(KEY.partitionKey()),
                        Optional.of(Bytes.ofHex("0102")),
                        Optional.of(
                                QueryPart.from(Optional.of(new RowPlace(Bytes.ofHex("18"), 7, 2)))),
                        Optional.of(
                                new ResumePoint(
                                        List.of(Value.of(1), Value.Undefined.UNDEFINED),
                                        Optional.of(7L),
                                        true)),
                        100,
                        4 << 20,
                        9,
                        List.of(new ScriptSource("f", 1, "x => x"))));
        samples.put(
                "query-again",
                new ReadRequest.Query(
                        PARTITION,
                        3,
                        SqlStatement.parse("SELECT DISTINCT c.n FROM c ORDER BY c.n", Map.of())
                                .encoded(),
                        KeyRange.FULL,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(
                                QueryPart.WHOLE
                                        .until(Bytes.ofHex("0102"))
                                        .until(new RowPlace(Bytes.ofHex("18"), 7, 2))),
                        Optional.empty(),
                        1000,
                        4 << 20,
                        9,
                        List.of()));
        samples.put(
                "explain", new ReadRequest.Explain((ReadRequest.Query) samples.get("query-again")));
        samples.put(
                "query-seeking",
                new ReadRequest.Query(
                        PARTITION,
                        3,
                        SqlStatement.parse("SELECT * FROM c ORDER BY c.n", Map.of()).encoded(),
                        KeyRange.FULL,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(
                                QueryPart.seeking(
                                        new KeyMark(
                                                7,
                                                Bytes.ofHex("000102030405060708090a0b0c0d0e0f")))),
                        Optional.empty(),
                        1,
                        4 << 20,
                        9,
                        List.of()));
        samples.put(
                "read-changes",
                new ReadRequest.ReadChanges(
                        PARTITION,
                        KeyRange.FULL,
                        Optional.of(KEY.partitionKey()),
                        new ChangeStart(8, TIME),
                        100,
                        4 << 20,
                        9));
        samples.put(
                "read-versions",
                new ReadRequest.ReadVersions(
                        PARTITION,
                        KeyRange.FULL,
                        Optional.of(KEY.partitionKey()),
                        VersionPlace.within(8, 2, 3),
                        TIME,
                        100,
                        4 << 20,
                        9));
        samples.put("describe", new ControlRequest.Describe(PARTITION));
        samples.put(
                "open", new ControlRequest.Open(PARTITION, KeyRange.FULL, 9, PARTITION_DEFINITION));
        samples.put(
                "set-definition",
                new ControlRequest.SetDefinition(PARTITION, PARTITION_DEFINITION));
        samples.put("drop", new ControlRequest.Drop(PARTITION));
        samples.put(
                "split", new ControlRequest.Split(PARTITION, 5, 6, 10, 11, SplitAim.THROUGHPUT));
        samples.put("merge", new ControlRequest.Merge(PARTITION, 3, 7, 12));
        samples.put("repair", new ControlRequest.Repair(PARTITION));
        samples.put("inspect", new ControlRequest.Inspect(PARTITION, 5));
        samples.put("set-budget", new ControlRequest.SetBudget(PARTITION, BUDGET));
        samples.put(
                "batch",
                new WriteRequest.Batch(
                        PARTITION,
                        REQUEST,
                        List.of(
                                new BatchStep.Read(KEY, new Precondition.Impossible()),
                                new BatchStep.Write(
                                        KEY,
                                        new WriteAction.Upsert(BODY),
                                        new Precondition.Matches(ETAG))),
                        9));
        samples.put(
                "batch-of-transaction",
                new WriteRequest.Batch(
                        PARTITION,
                        REQUEST,
                        List.of(
                                new BatchStep.Write(
                                        KEY, new WriteAction.Delete(), Precondition.NONE)),
                        0,
                        OptionalLong.of(9)));
        samples.put(
                "execute",
                new WriteRequest.Execute(
                        PARTITION,
                        REQUEST,
                        EPK,
                        KEY.partitionKey(),
                        SCRIPT,
                        Bytes.ofUtf8("[1,\"x\"]"),
                        PLACE,
                        true,
                        9));
        samples.put(
                "write-with-triggers",
                new WriteRequest.WriteWithTriggers(
                        write(new WriteAction.Create(BODY)),
                        List.of(new Trigger(SCRIPT, TriggerOperation.CREATE)),
                        List.of(new Trigger(SCRIPT, TriggerOperation.ALL)),
                        PLACE,
                        true));
        samples.put(
                "delete-key",
                new WriteRequest.DeleteKey(
                        PARTITION,
                        new RequestId(1, 2),
                        PartitionKey.ofText("north"),
                        KeyRange.FULL));
        samples.put("list-large", new SetRequest.ListLarge(1L << 30, Optional.of(PARTITION), 1000));
        return samples;
    }

    /** The least that an envelope says, and the most. */
    static Map<String, PartitionEnvelope> envelopes() {
        Map<String, PartitionEnvelope> samples = new LinkedHashMap<>();
        samples.put("describe", ValidationSamples.envelope(false));
        samples.put(
                "read",
                new PartitionEnvelope(
                        2,
                        3,
                        4,
                        ReadMode.ANY_REPLICA,
                        5000,
                        new UUID(0x0123_4567_89AB_CDEFL, 0xFEDC_BA98_7654_3210L),
                        new RequestTerms(
                                RequestTerms.Priority.LOW,
                                false,
                                2,
                                new Precondition.Matches(ETAG),
                                3),
                        false,
                        new ReadRequest.ReadItem(PARTITION, KEY, 9)));
        samples.put("unchecked", ValidationSamples.envelope(true));
        return samples;
    }

    private static WriteRequest.WriteItem write(WriteAction action) {
        return new WriteRequest.WriteItem(
                PARTITION, REQUEST, KEY, action, new Precondition.Exists());
    }

    static Map<String, PartitionResponse> responses() {
        Map<String, PartitionResponse> samples = new LinkedHashMap<>();
        samples.putAll(SessionSamples.responses());
        samples.put("found", new ReadResponse.Found(ITEM, KEY, 9, RequestCharge.read(5000)));
        samples.put(
                "written",
                new WriteResponse.Written(
                        WriteResponse.Change.REPLACED,
                        Optional.of(ITEM),
                        Optional.empty(),
                        9,
                        RequestCharge.replace(300, 1, 2).paidByMinute()));
        samples.put(
                "written-shown",
                new WriteResponse.Written(
                        WriteResponse.Change.DELETED,
                        Optional.empty(),
                        Optional.of(ITEM),
                        9,
                        RequestCharge.delete(300, 1)));
        samples.put("last-write", new ReadResponse.LastWrite(8, 9, RequestCharge.read(0)));
        samples.put(
                "found-many",
                new ReadResponse.FoundMany(
                        List.of(Optional.of(ITEM), Optional.empty()), 9, RequestCharge.read(300)));
        samples.put(
                "matches",
                new ReadResponse.Matches(
                        List.of(new EqualityLookup.Match(List.of(1, 3), ITEM)),
                        Optional.of(Bytes.ofHex("0102")),
                        9,
                        RequestCharge.query(1, 3, 900)));
        samples.put("time-reached", new ControlResponse.TimeReached(TIME, 9));
        samples.put("head", new ControlResponse.Head(9));
        samples.put(
                "feed",
                new ReadResponse.Feed(
                        List.of(ITEM),
                        Optional.of(Bytes.ofHex("0102")),
                        9,
                        RequestCharge.read(300)));
        samples.put(
                "query-page",
                new ReadResponse.QueryPage(
                        RowEncoding.JSON,
                        List.of(Bytes.ofUtf8("{\"a\":1}"), Bytes.ofUtf8("2")),
                        List.of(new RowPlace(Bytes.ofHex("18"), 7, RowPlace.ALL_ROWS)),
                        List.of(new ValueHash(1, 2)),
                        Optional.of(Bytes.ofHex("0102")),
                        new QueryMetrics(
                                3,
                                900,
                                2,
                                7,
                                2,
                                8,
                                true,
                                new QueryTimes(1000, 2000, 3000, 4000, 5000, 6000, 70_000),
                                new IndexUse(
                                        List.of("/n/?"),
                                        List.of(List.of("/a ASC", "/b DESC")),
                                        List.of("/x/?"),
                                        List.of(List.of("/n ASC", "/x ASC")))),
                        9,
                        RequestCharge.query(1, 3, 900)));
        IndexScan scan = IndexScan.of(IndexPath.of("n").element(), ValueRanges.NUMBERS, 9);
        samples.put(
                "explained",
                new ReadResponse.Explained(
                        new AccessPlan(
                                AccessPlan.Way.ENTRIES, List.of(List.of(scan)), false, true, true),
                        9,
                        RequestCharge.query(1, 0, 0)));
        samples.put(
                "changes",
                new ReadResponse.Changes(
                        List.of(new ChangedItem(ItemVersion.Operation.REPLACE, ITEM, 5)),
                        9,
                        11,
                        RequestCharge.read(300)));
        samples.put(
                "versions",
                new ReadResponse.Versions(
                        List.of(
                                new ItemVersion(
                                        ItemVersion.Operation.DELETE,
                                        true,
                                        11,
                                        TIME,
                                        9,
                                        KEY,
                                        ITEM,
                                        Optional.empty()),
                                new ItemVersion(
                                        ItemVersion.Operation.REPLACE,
                                        false,
                                        12,
                                        TIME,
                                        9,
                                        KEY,
                                        ITEM,
                                        Optional.of(ITEM),
                                        SessionSamples.MARK)),
                        VersionPlace.within(12, 2, 1),
                        12,
                        RequestCharge.read(300)));
        samples.put(
                "description",
                new ControlResponse.Description(
                        9,
                        1,
                        120,
                        340,
                        50,
                        Optional.of(new KeyViolation("a_1", Bytes.ofHex("0500000000"))),
                        Optional.of("It failed.")));
        samples.put("done", new ControlResponse.Done());
        samples.put("split-at", new ControlResponse.SplitAt(EPK));
        samples.put(
                "inspection",
                new ControlResponse.Inspection(
                        new ControlResponse.Description(
                                9, 1, 120, 340, 50, Optional.empty(), Optional.empty()),
                        Optional.of(BUDGET),
                        new Traffic(1.5, 1, 0),
                        new Traffic(60, 2, 1),
                        new Traffic(3600, 3, 2),
                        List.of(new KeyAmount(KEY.partitionKey(), 460)),
                        List.of(new KeyAmount(KEY.partitionKey(), 1.5))));
        samples.put(
                "batch",
                new WriteResponse.Batch(
                        List.of(
                                new StepResult.Done(
                                        StepOutcome.READ,
                                        Optional.of(ITEM),
                                        Optional.empty(),
                                        RequestCharge.read(300)),
                                new StepResult.Refused(
                                        ErrorCode.BAD_REQUEST,
                                        OptionalInt.of(66),
                                        Optional.of(
                                                new KeyViolation("a_1", Bytes.ofHex("0500000000"))),
                                        "No.",
                                        Charge.NONE),
                                new StepResult.Refused(
                                        ErrorCode.FAILED_DEPENDENCY, "Not done.", Charge.NONE)),
                        OptionalLong.of(8),
                        9,
                        RequestCharge.batch(1, List.of(RequestCharge.read(300)))));
        samples.put(
                "executed",
                new WriteResponse.Executed(
                        Optional.of(Bytes.ofUtf8("\"done\"")),
                        "a line\n",
                        9,
                        RequestCharge.script(RequestCharge.read(300))));
        samples.put(
                "triggered",
                new WriteResponse.Triggered(
                        WriteResponse.Change.CREATED,
                        Optional.of(ITEM),
                        Optional.of(Bytes.ofUtf8("1")),
                        "a line\n",
                        9,
                        RequestCharge.create(300, 2)));
        samples.put(
                "failed",
                new PartitionResponse.Failed(
                        ErrorCode.TOO_MANY_REQUESTS,
                        "Later.",
                        50,
                        9,
                        RequestCharge.refusedWrite(300)));
        samples.put(
                "failed-in-a-language",
                new PartitionResponse.Failed(
                        ErrorCode.BAD_REQUEST,
                        OptionalInt.of(11000),
                        Optional.of(new KeyViolation("a_1", Bytes.ofHex("0500000000"))),
                        "Twice.",
                        0,
                        9,
                        RequestCharge.refusedWrite(300)));
        samples.put("failed-validation", ValidationSamples.response());
        samples.put(
                "functions-needed",
                new WriteResponse.FunctionsNeeded(
                        List.of("twice", "half"), 9, RequestCharge.EMPTY_SCRIPT));
        samples.put("many-changed", WalkSamples.response());
        samples.put("searched", WalkSamples.searched());
        samples.put("key-deleted", new WriteResponse.KeyDeleted(9, RequestCharge.delete(0, 0)));
        samples.put(
                "large-partitions",
                new ControlResponse.LargePartitions(
                        List.of(PARTITION, new PartitionId(8, 0)), true));
        return samples;
    }
}
