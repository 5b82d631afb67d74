package orrery.partition.machine;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import orrery.document.IndexPath;
import orrery.document.IndexValue;
import orrery.document.Value;
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
import orrery.model.ItemValidator;
import orrery.model.ItemVersion;
import orrery.model.KeyRange;
import orrery.model.KeyTransaction;
import orrery.model.KeyViolation;
import orrery.model.NamedIndexes;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.Precondition;
import orrery.model.PropertyPath;
import orrery.model.RequestId;
import orrery.model.RowKey;
import orrery.model.ScriptSource;
import orrery.model.SessionTransaction;
import orrery.model.SizeLimits;
import orrery.model.Statement;
import orrery.model.ThroughputBuckets;
import orrery.model.TransactionWrite;
import orrery.model.TriggerOperation;
import orrery.model.VersionPlace;
import orrery.model.metering.Charge;
import orrery.model.metering.KeyAmount;
import orrery.model.metering.RequestTerms;
import orrery.model.metering.Traffic;
import orrery.partition.api.BatchStep;
import orrery.partition.api.Budget;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.ControlResponse;
import orrery.partition.api.CreationPlace;
import orrery.partition.api.PartitionDefinition;
import orrery.partition.api.PartitionEnvelope;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.partition.api.RequestKind;
import orrery.partition.api.ResponseKind;
import orrery.partition.api.ScriptPlace;
import orrery.partition.api.SetRequest;
import orrery.partition.api.SplitAim;
import orrery.partition.api.StepOutcome;
import orrery.partition.api.StepResult;
import orrery.partition.api.TransactedRequest;
import orrery.partition.api.TransactedResponse;
import orrery.partition.api.Trigger;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;
import orrery.query.EncodedQuery;
import orrery.query.evaluate.ValueHash;
import orrery.query.execute.AccessPlan;
import orrery.query.execute.EqualityLookup;
import orrery.query.execute.QueryMetrics;
import orrery.query.execute.QueryPart;
import orrery.query.execute.QueryTimes;
import orrery.query.execute.ResumePoint;
import orrery.query.execute.RowEncoding;
import orrery.query.execute.RowPlace;
import orrery.query.index.IndexScan;
import orrery.query.index.IndexUse;
import orrery.query.index.ValueRange;
import orrery.query.syntax.QueryParser;
import orrery.query.write.Evaluation;
import orrery.query.write.Images;
import orrery.storage.format.DataSize;
import orrery.storage.format.DefinitionRecord;
import orrery.storage.format.KeyDeletions;
import orrery.storage.format.Keys;

/**
 * The largest message of each kind: keys and bodies of the kind of container with the largest
 * items, as many of them as a page or a transaction may have.
 */
final class LargestMessages {
    static final PartitionId PARTITION = new PartitionId(Integer.MAX_VALUE, PartitionId.MAX_RANGE);

    private static final SizeLimits LIMITS = SizeLimits.LARGEST;

    /** Rows that the gateway asks for at once: a page, and as many to be skipped. */
    private static final int PAGE_ROWS = 2000;

    private static final int SCRIPT_CHANGES = 4000;

    /** A reply may take this for what it says in words; it is far less. */
    private static final int WORDS = 4096;

    private static final KeyViolation VIOLATION =
            new KeyViolation(
                    "€".repeat(NamedIndexes.MAX_NAME_BYTES / 3), bytes(KeyViolation.MAX_KEY_BYTES));

    private static final EffectiveKey EPK = new EffectiveKey(bytes(128));
    private static final EffectiveKey NEXT_EPK = new EffectiveKey(bytes(129));
    static final KeyRange KEYS = new KeyRange(EPK, NEXT_EPK);
    private static final CreationPlace WALKED =
            new CreationPlace(-2, -1, Collections.nCopies(SizeLimits.MAX_PAGE_ROWS, -1L));
    private static final PartitionKey PARTITION_KEY = PartitionKey.ofText("é".repeat(1024));
    private static final ItemKey KEY =
            new ItemKey(EPK, PARTITION_KEY, new RowKey(bytes(RowKey.MAX_BYTES)));
    private static final RowKey OTHER_ROW_KEY =
            new RowKey(Bytes.ofUtf8("x".repeat(RowKey.MAX_BYTES)));
    private static final Etag ETAG = new Etag(-1, -1);
    private static final Precondition MATCHES = new Precondition.Matches(ETAG);
    private static final RequestId REQUEST = new RequestId(-1, -1);
    private static final Charge CHARGE =
            new Charge(
                    Integer.MAX_VALUE,
                    Integer.MAX_VALUE,
                    Long.MAX_VALUE,
                    Integer.MAX_VALUE,
                    Integer.MAX_VALUE,
                    Integer.MAX_VALUE,
                    Integer.MAX_VALUE,
                    1e300,
                    1e300);

    /** All functions that go with a request; characters of three bytes. */
    private static final List<ScriptSource> FUNCTIONS =
            Collections.nCopies(
                    16,
                    new ScriptSource(
                            "f".repeat(255),
                            Integer.MAX_VALUE,
                            "€".repeat(SizeLimits.DEFAULT.maxPageBytes() / 16)));

    private static final ScriptSource SCRIPT =
            new ScriptSource(
                    "s".repeat(255),
                    Integer.MAX_VALUE,
                    "x".repeat(SizeLimits.DEFAULT.maxScriptBytes()));

    private static final ScriptPlace PLACE =
            new ScriptPlace(-1, "d".repeat(255), "c".repeat(255), FUNCTIONS, Set.of());

    /** A policy of as many paths as a request may name. */
    private static final ContainerDefinition DEFINITION =
            new ContainerDefinition(
                            new PartitionKeyDefinition(
                                    List.of(PropertyPath.parse("/pk")),
                                    PartitionKeyDefinition.Kind.HASH,
                                    2,
                                    false),
                            new IndexingPolicy(
                                    IndexingPolicy.DEFAULT.mode(),
                                    IndexingPolicy.DEFAULT.automatic(),
                                    Collections.nCopies(
                                            SizeLimits.DEFAULT.maxRequestBytes() / 256,
                                            "/" + "p".repeat(250) + "/*"),
                                    List.of(),
                                    List.of(),
                                    List.of()),
                            ContainerDefinition.ConflictResolution.DEFAULT,
                            ContainerDefinition.Geospatial.GEOGRAPHY)
                    .withValidator(
                            Optional.of(
                                    new ItemValidator(
                                            bytes(ItemValidator.MAX_FILTER_BYTES),
                                            ItemValidator.Level.STRICT,
                                            ItemValidator.Action.ERROR)));

    private LargestMessages() {}

    static Bytes bytes(int length) {
        return Bytes.wrap(new byte[length]);
    }

    static PartitionEnvelope envelope(PartitionRequest request) {
        return new PartitionEnvelope(
                        Integer.MAX_VALUE,
                        request,
                        new RequestTerms(
                                RequestTerms.Priority.LOW,
                                false,
                                2,
                                MATCHES,
                                ThroughputBuckets.MOST),
                        new UUID(-1, -1),
                        Duration.ofDays(1))
                .withUnchecked(true);
    }

    static PartitionRequest request(RequestKind kind) {
        return switch (kind) {
            case READ_ITEM -> new ReadRequest.ReadItem(PARTITION, KEY, -1);
            case READ_BY_DOCID ->
                    new ReadRequest.ReadByDocid(PARTITION, -1, Optional.of(PARTITION_KEY), -1);
            case READ_ITEMS ->
                    new ReadRequest.ReadItems(
                            PARTITION,
                            Collections.nCopies(ReadRequest.MAX_LOOKUPS, KEY),
                            Integer.MAX_VALUE,
                            -1);
            case FIND_EQUAL ->
                    new ReadRequest.FindEqual(
                            PARTITION,
                            IndexPath.of("p".repeat(2048)),
                            Collections.nCopies(
                                    ReadRequest.MAX_LOOKUPS,
                                    IndexValue.encodeWhole(
                                            Value.of(
                                                    "x"
                                                            .repeat(
                                                                    LIMITS.maxPageBytes()
                                                                            / ReadRequest
                                                                                    .MAX_LOOKUPS)))),
                            KEYS,
                            Optional.of(PARTITION_KEY),
                            Optional.of(bytes(512)),
                            Integer.MAX_VALUE,
                            Integer.MAX_VALUE,
                            -1);
            case READ_FEED ->
                    new ReadRequest.ReadFeed(
                            PARTITION,
                            KEYS,
                            Optional.of(PARTITION_KEY),
                            Optional.of(Keys.itemSuffix(KEY)),
                            Integer.MAX_VALUE,
                            Integer.MAX_VALUE,
                            -1);
            case QUERY -> query();
            case EXPLAIN -> new ReadRequest.Explain(query());
            case READ_CHANGES ->
                    new ReadRequest.ReadChanges(
                            PARTITION,
                            KEYS,
                            Optional.of(PARTITION_KEY),
                            new ChangeStart(Long.MAX_VALUE - 1, Long.MAX_VALUE),
                            Integer.MAX_VALUE,
                            Integer.MAX_VALUE,
                            -1);
            case READ_VERSIONS ->
                    new ReadRequest.ReadVersions(
                            PARTITION,
                            KEYS,
                            Optional.of(PARTITION_KEY),
                            VersionPlace.within(Long.MAX_VALUE, -1, -1),
                            Integer.MAX_VALUE,
                            Integer.MAX_VALUE,
                            -1);
            case READ_LAST_WRITE ->
                    new ReadRequest.ReadLastWrite(PARTITION, EPK, PARTITION_KEY, -1);
            case FIND_STATEMENT ->
                    new ReadRequest.FindStatement(
                            PARTITION,
                            Statement.of(
                                            bytes(Statement.SESSION_BYTES),
                                            Long.MAX_VALUE,
                                            Integer.MAX_VALUE)
                                    .sought());
            case WRITE_FIRST ->
                    new WriteRequest.WriteFirst(
                            PARTITION,
                            REQUEST,
                            EPK,
                            PARTITION_KEY,
                            encoded(LIMITS.maxRequestBytes() / 2),
                            -1,
                            new WriteAction.Evaluate(
                                    -1,
                                    new Evaluation(1, 1, bytes(LIMITS.maxRequestBytes())),
                                    true,
                                    Images.BOTH));
            case CHANGE_MANY ->
                    new WriteRequest.ChangeMany(
                            PARTITION,
                            REQUEST,
                            encoded(LIMITS.maxRequestBytes() / 2),
                            -1,
                            KEYS,
                            Optional.of(PARTITION_KEY),
                            new WriteAction.Evaluate(
                                    -1,
                                    new Evaluation(1, 1, bytes(LIMITS.maxRequestBytes())),
                                    false,
                                    Images.NONE),
                            Optional.of(WALKED),
                            Integer.MAX_VALUE,
                            Integer.MAX_VALUE);
            case WRITE_ITEM -> write();
            case BATCH -> batch();
            case STATED ->
                    new WriteRequest.Stated(
                            new Statement(
                                    bytes(Statement.SESSION_BYTES),
                                    Long.MAX_VALUE,
                                    Integer.MAX_VALUE,
                                    Statement.MAX_COUNT,
                                    false),
                            batch());
            case COMMIT ->
                    new WriteRequest.Commit(
                            PARTITION, REQUEST, EPK, PARTITION_KEY, -1, transactionWrites());
            case TRANSACTED ->
                    new TransactedRequest(
                            PARTITION_KEY, OptionalLong.of(-1), transactionWrites(), write());
            case DELETE_KEY -> new WriteRequest.DeleteKey(PARTITION, REQUEST, PARTITION_KEY, KEYS);
            case EXECUTE ->
                    new WriteRequest.Execute(
                            PARTITION,
                            REQUEST,
                            EPK,
                            PARTITION_KEY,
                            SCRIPT,
                            bytes(LIMITS.maxRequestBytes()),
                            PLACE,
                            true,
                            -1);
            case WRITE_WITH_TRIGGERS ->
                    new WriteRequest.WriteWithTriggers(
                            write(),
                            List.of(new Trigger(SCRIPT, TriggerOperation.ALL)),
                            List.of(new Trigger(SCRIPT, TriggerOperation.ALL)),
                            PLACE,
                            true);
            case DESCRIBE -> new ControlRequest.Describe(PARTITION);
            case INSPECT -> new ControlRequest.Inspect(PARTITION, Integer.MAX_VALUE);
            case SET_BUDGET -> new ControlRequest.SetBudget(PARTITION, budget());
            case OPEN -> new ControlRequest.Open(PARTITION, KEYS, -1, partitionDefinition());
            case SET_DEFINITION ->
                    new ControlRequest.SetDefinition(PARTITION, partitionDefinition());
            case DROP -> new ControlRequest.Drop(PARTITION);
            case REPAIR -> new ControlRequest.Repair(PARTITION);
            case AWAIT_TIME -> new ControlRequest.AwaitTime(PARTITION, -1);
            case AWAIT_CHANGE -> new ControlRequest.AwaitChange(PARTITION, -1, -1);
            case SPLIT -> new ControlRequest.Split(PARTITION, 5, 6, 10, 11, SplitAim.THROUGHPUT);
            case MERGE -> new ControlRequest.Merge(PARTITION, 3, 7, 12);
            case LIST_LARGE ->
                    new SetRequest.ListLarge(
                            -1, Optional.of(PARTITION), SetRequest.ListLarge.MAX_PAGE);
        };
    }

    private static List<TransactionWrite> transactionWrites() {
        return Collections.nCopies(
                KeyTransaction.MAX_WRITES,
                new TransactionWrite.Put(
                        KEY.rowKey(),
                        true,
                        bytes((int) (KeyTransaction.MAX_BYTES / KeyTransaction.MAX_WRITES))));
    }

    static PartitionResponse response(ResponseKind kind) {
        return switch (kind) {
            case FOUND -> new ReadResponse.Found(item(LIMITS.maxItemBytes()), KEY, -1, CHARGE);
            case FEED ->
                    new ReadResponse.Feed(
                            items(PAGE_ROWS, LIMITS.maxPageBytes()),
                            Optional.of(Keys.itemSuffix(KEY)),
                            -1,
                            CHARGE);
            case FOUND_MANY ->
                    new ReadResponse.FoundMany(
                            items(ReadRequest.MAX_LOOKUPS, LIMITS.maxPageBytes()).stream()
                                    .map(Optional::of)
                                    .toList(),
                            -1,
                            CHARGE);
            case MATCHES ->
                    new ReadResponse.Matches(
                            items(PAGE_ROWS, LIMITS.maxPageBytes()).stream()
                                    .map(item -> new EqualityLookup.Match(List.of(999), item))
                                    .toList(),
                            Optional.of(bytes(512)),
                            -1,
                            CHARGE);
            case QUERY_PAGE -> queryPage();
            case EXPLAINED ->
                    new ReadResponse.Explained(
                            new AccessPlan(
                                    AccessPlan.Way.ENTRIES,
                                    Collections.nCopies(64, Collections.nCopies(65, scan())),
                                    true,
                                    true,
                                    true),
                            -1,
                            CHARGE);
            case CHANGES ->
                    new ReadResponse.Changes(
                            items(WriteRequest.Batch.MAX_STEPS, LIMITS.maxTransactionBytes())
                                    .stream()
                                    .map(
                                            item ->
                                                    new ChangedItem(
                                                            ItemVersion.Operation.REPLACE,
                                                            item,
                                                            -1))
                                    .toList(),
                            -1,
                            -1,
                            CHARGE);
            case VERSIONS ->
                    new ReadResponse.Versions(
                            versions(), VersionPlace.within(Long.MAX_VALUE, -1, -1), -1, CHARGE);
            case WRITTEN -> written();
            case REMEMBERED -> new WriteResponse.Remembered(written(), KEY.rowKey());
            case COMMITTED -> new WriteResponse.Committed(-1, CHARGE);
            case TRANSACTED ->
                    new TransactedResponse(
                            written(),
                            -1,
                            List.of(
                                    new TransactionWrite.Put(
                                            KEY.rowKey(), true, bytes(LIMITS.maxItemBytes()))));
            case LAST_WRITE -> new ReadResponse.LastWrite(-1, -1, CHARGE);
            case BATCH ->
                    new WriteResponse.Batch(
                            items(WriteRequest.Batch.MAX_STEPS, LIMITS.maxPageBytes()).stream()
                                    .<StepResult>map(
                                            item ->
                                                    new StepResult.Done(
                                                            StepOutcome.READ,
                                                            Optional.of(item),
                                                            Optional.empty(),
                                                            CHARGE))
                                    .toList(),
                            OptionalLong.of(-1),
                            -1,
                            CHARGE);
            case MANY_CHANGED ->
                    new WriteResponse.ManyChanged(
                            -1,
                            -1,
                            Optional.of(
                                    new StepResult.Refused(
                                            ErrorCode.TOO_LARGE, "€".repeat(WORDS), CHARGE)),
                            Optional.of(WALKED),
                            -1,
                            CHARGE);
            case SEARCHED ->
                    new WriteResponse.Searched(
                            written(),
                            new IndexUse(
                                    Collections.nCopies(
                                            NamedIndexes.MAX_PATHS, "/" + "p".repeat(255)),
                                    List.of(),
                                    List.of(),
                                    List.of()));
            case KEY_DELETED -> new WriteResponse.KeyDeleted(-1, CHARGE);
            case EXECUTED -> executed(bytes(LIMITS.maxPageBytes()));
            case TRIGGERED ->
                    new WriteResponse.Triggered(
                            WriteResponse.Change.REPLACED,
                            Optional.of(item(LIMITS.maxItemBytes())),
                            Optional.of(bytes(LIMITS.maxPageBytes())),
                            "€".repeat(WORDS),
                            -1,
                            CHARGE);
            case FUNCTIONS_NEEDED ->
                    new WriteResponse.FunctionsNeeded(
                            Collections.nCopies(
                                    SizeLimits.DEFAULT.maxRequestBytes() / 255, "f".repeat(255)),
                            -1,
                            CHARGE);
            case DONE -> new ControlResponse.Done();
            case DESCRIPTION -> description();
            case INSPECTION ->
                    new ControlResponse.Inspection(
                            description(),
                            Optional.of(budget()),
                            new Traffic(1e300, Long.MAX_VALUE, Long.MAX_VALUE),
                            new Traffic(1e300, Long.MAX_VALUE, Long.MAX_VALUE),
                            new Traffic(1e300, Long.MAX_VALUE, Long.MAX_VALUE),
                            Collections.nCopies(1000, new KeyAmount(PARTITION_KEY, 1e300)),
                            Collections.nCopies(1000, new KeyAmount(PARTITION_KEY, 1e300)));
            case SPLIT_AT -> new ControlResponse.SplitAt(EPK);
            case LARGE_PARTITIONS ->
                    new ControlResponse.LargePartitions(
                            Collections.nCopies(SetRequest.ListLarge.MAX_PAGE, PARTITION), true);
            case TIME_REACHED -> new ControlResponse.TimeReached(-1, -1);
            case HEAD -> new ControlResponse.Head(-1);
            case FAILED ->
                    new PartitionResponse.Failed(
                            ErrorCode.TOO_MANY_REQUESTS,
                            OptionalInt.of(-1),
                            Optional.of(VIOLATION),
                            "€".repeat(WORDS),
                            -1,
                            -1,
                            CHARGE);
        };
    }

    static List<Command> commands() {
        DefinitionRecord.Version definition =
                new DefinitionRecord.Version(-1, DEFINITION, Long.MAX_VALUE, Long.MAX_VALUE);
        List<DerivedRow> rows = Collections.nCopies(20, derived(SizeLimits.DEFAULT.maxItemBytes()));
        return List.of(
                new Command.OpenPartition(PARTITION, KEYS, -1, definition, -1),
                new Command.SetDefinition(PARTITION, definition),
                new Command.DropPartition(PARTITION),
                new Command.RepairPartition(PARTITION, -1),
                new Command.AdvanceTime(PARTITION, -1),
                new Command.RaiseLevel(-1),
                ofBatch(),
                ofRename(LIMITS, Derived.NONE),
                ofRename(SizeLimits.DEFAULT, new Derived(-1, -1, rows)),
                ofScript(),
                new Command.Reindex(PARTITION, -1, -1, evaluated(rows)),
                new ReshapeCommand.PrepareSplit(PARTITION, EPK, -1, -1),
                new ReshapeCommand.CommitSplit(
                        PARTITION, -1, -1, -1, -1, -1, new DataSize(-1, -1, -1), -1),
                new ReshapeCommand.MergePartitions(PARTITION, -1, -1, -1, -1),
                new Command.Purge(
                        PARTITION,
                        -1,
                        Collections.nCopies(
                                4096, new Command.Purge.Target(Keys.itemSuffix(KEY), ETAG))),
                new Command.PurgeJournal(PARTITION, -1),
                new PurgeSessions(
                        PARTITION, -1, Collections.nCopies(PurgeSessions.MAX_ROWS, bytes(512))),
                new DeleteKey(PARTITION, REQUEST, -1, PARTITION_KEY, KEYS),
                new ForgetDeletion(PARTITION, new KeyDeletions.Deletion(PARTITION_KEY, KEYS, -1)));
    }

    private static WriteResponse.Written written() {
        return new WriteResponse.Written(
                WriteResponse.Change.REPLACED,
                Optional.of(item(LIMITS.maxItemBytes())),
                Optional.of(item(LIMITS.maxItemBytes())),
                -1,
                CHARGE);
    }

    static WriteResponse.Executed executed(Bytes body) {
        return new WriteResponse.Executed(Optional.of(body), "€".repeat(WORDS), -1, CHARGE);
    }

    /** All that a request brings, and what patches make of items. */
    private static Command ofBatch() {
        int steps = WriteRequest.Batch.MAX_STEPS;
        return new Command.WriteItems(
                PARTITION,
                REQUEST,
                -1,
                Collections.nCopies(steps, put(bytes(LIMITS.maxTransactionBytes() / steps))),
                OptionalLong.empty(),
                bytes(Command.MAX_ANSWER_BYTES));
    }

    /** One item with the values of its computed properties, which documents have. */
    private static Command ofRename(SizeLimits limits, Derived derived) {
        return new Command.WriteItems(
                PARTITION,
                REQUEST,
                -1,
                List.of(
                        new Command.ItemChange.Rename(
                                KEY,
                                OTHER_ROW_KEY,
                                MATCHES,
                                Encoding.BSON,
                                bytes(limits.maxItemBytes()),
                                true,
                                derived,
                                null)),
                OptionalLong.empty(),
                Bytes.EMPTY);
    }

    /** Many small items of a script, which only containers of documents have. */
    private static Command ofScript() {
        return new Command.WriteItems(
                PARTITION,
                REQUEST,
                -1,
                Collections.nCopies(
                        SCRIPT_CHANGES,
                        put(bytes(SizeLimits.DEFAULT.maxPageBytes() / SCRIPT_CHANGES))),
                OptionalLong.of(-1),
                bytes(Command.MAX_ANSWER_BYTES));
    }

    private static Command.ItemChange put(Bytes body) {
        return new Command.ItemChange.Put(
                KEY, Command.Expect.PRESENT, MATCHES, Encoding.BSON, body);
    }

    private static DerivedRow derived(int bytes) {
        return new DerivedRow(DerivedRow.COMPUTED, "€".repeat(255), bytes(bytes));
    }

    /** A step ends behind the item with which it has enough. */
    private static List<Command.Reindex.Evaluated> evaluated(List<DerivedRow> last) {
        List<DerivedRow> others = List.of(derived(SizeLimits.PACKED_ENTRY_BYTES / 64));
        return IntStream.range(0, 64)
                .mapToObj(
                        i ->
                                new Command.Reindex.Evaluated(
                                        Keys.itemSuffix(KEY), ETAG, i == 63 ? last : others))
                .toList();
    }

    private static ReadRequest.Query query() {
        int half = LIMITS.maxRequestBytes() / 2;
        return new ReadRequest.Query(
                PARTITION,
                -1,
                // A resume filter comes in the same body as the parameters.
                encoded(half),
                KEYS,
                Optional.of(PARTITION_KEY),
                Optional.of(bytes(SizeLimits.DEFAULT.maxItemBytes())),
                Optional.of(
                        QueryPart.from(
                                        Optional.of(
                                                new RowPlace(
                                                        bytes(SizeLimits.DEFAULT.maxItemBytes()),
                                                        -1,
                                                        RowPlace.ALL_ROWS)))
                                .until(bytes(SizeLimits.DEFAULT.maxItemBytes()))),
                Optional.of(
                        new ResumePoint(
                                List.of(Value.of("y".repeat(half))), Optional.of(-1L), true)),
                Integer.MAX_VALUE,
                Integer.MAX_VALUE,
                -1,
                FUNCTIONS);
    }

    /** A character of SQL becomes twelve bytes of a tree at most; parameters stay as they are. */
    private static EncodedQuery encoded(int parameterBytes) {
        return new EncodedQuery("sql", 1, bytes(13 * QueryParser.MAX_TEXT + parameterBytes));
    }

    private static WriteRequest.WriteItem write() {
        return new WriteRequest.WriteItem(
                PARTITION,
                REQUEST,
                KEY,
                new WriteAction.Rename(OTHER_ROW_KEY, bytes(LIMITS.maxItemBytes())),
                MATCHES);
    }

    private static WriteRequest.Batch batch() {
        int steps = WriteRequest.Batch.MAX_STEPS;
        return new WriteRequest.Batch(
                PARTITION,
                REQUEST,
                Collections.nCopies(
                        steps,
                        new BatchStep.Write(
                                KEY,
                                new WriteAction.Rename(
                                        OTHER_ROW_KEY, bytes(LIMITS.maxItemBytes() / steps)),
                                MATCHES)),
                -1,
                OptionalLong.of(-1));
    }

    private static Item item(int bytes) {
        return new Item(-1, ETAG, Long.MAX_VALUE, -1, Encoding.BSON, bytes(bytes));
    }

    private static List<Item> items(int count, int bytes) {
        return Collections.nCopies(count, item(bytes / count));
    }

    /** One replace with both images; versions that come together have at most 4 MB. */
    private static List<ItemVersion> versions() {
        return List.of(
                new ItemVersion(
                        ItemVersion.Operation.REPLACE,
                        true,
                        -1,
                        Long.MAX_VALUE,
                        -1,
                        KEY,
                        item(LIMITS.maxItemBytes()),
                        Optional.of(item(LIMITS.maxItemBytes())),
                        new ItemVersion.Mark(
                                VersionPlace.within(Long.MAX_VALUE, -1, -1),
                                true,
                                Optional.of(
                                        new SessionTransaction(
                                                bytes(Statement.SESSION_BYTES), -1)))));
    }

    private static IndexScan scan() {
        return new IndexScan(
                List.of(
                        new IndexScan.Column(
                                IndexPath.of("p".repeat(2048)),
                                true,
                                List.of(new ValueRange(bytes(2047), bytes(2048))),
                                true)));
    }

    private static ReadResponse.QueryPage queryPage() {
        int each = LIMITS.maxPageBytes() / PAGE_ROWS;
        List<String> paths =
                Collections.nCopies(SizeLimits.DEFAULT.maxRequestBytes() / 256, "p".repeat(256));
        return new ReadResponse.QueryPage(
                RowEncoding.JSON,
                Collections.nCopies(PAGE_ROWS, bytes(each / 2)),
                Collections.nCopies(
                        PAGE_ROWS, new RowPlace(bytes(each / 2), -1, RowPlace.ALL_ROWS)),
                Collections.nCopies(PAGE_ROWS, new ValueHash(-1, -1)),
                Optional.of(bytes(SizeLimits.DEFAULT.maxItemBytes())),
                new QueryMetrics(
                        3,
                        900,
                        2,
                        7,
                        2,
                        8,
                        true,
                        new QueryTimes(1000, 2000, 3000, 4000, 5000, 6000, 70_000),
                        new IndexUse(paths, List.of(), paths, List.of())),
                -1,
                CHARGE);
    }

    private static ControlResponse.Description description() {
        return new ControlResponse.Description(
                -1, -1, -1, -1, 100, Optional.of(VIOLATION), Optional.of("€".repeat(WORDS)));
    }

    private static ThroughputBuckets buckets() {
        return new ThroughputBuckets(
                IntStream.rangeClosed(1, ThroughputBuckets.MOST)
                        .mapToObj(id -> new ThroughputBuckets.Bucket(id, 100, id == 1))
                        .toList());
    }

    private static Budget budget() {
        return new Budget(
                1e300,
                true,
                new Budget.Extras(true, true, true, buckets()),
                Optional.of(new Budget.Slot(Integer.MAX_VALUE, Integer.MAX_VALUE)));
    }

    private static PartitionDefinition partitionDefinition() {
        return new PartitionDefinition(-1, DEFINITION, Long.MAX_VALUE, Long.MAX_VALUE);
    }
}
