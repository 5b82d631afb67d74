package orrery.partition.api;

import java.util.Set;
import java.util.function.Function;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/**
 * All kinds of requests, with their numbers between nodes. A number is never given to another kind.
 */
public enum RequestKind {
    READ_ITEM(1, ReadRequest.ReadItem::read),
    READ_BY_DOCID(2, ReadRequest.ReadByDocid::read),
    READ_FEED(3, ReadRequest.ReadFeed::read),
    QUERY(4, ReadRequest.Query::read),
    READ_CHANGES(5, ReadRequest.ReadChanges::read),
    READ_VERSIONS(6, ReadRequest.ReadVersions::read),
    READ_ITEMS(7, ReadRequest.ReadItems::read),
    FIND_EQUAL(8, ReadRequest.FindEqual::read),
    EXPLAIN(9, ReadRequest.Explain::read),

    READ_LAST_WRITE(16, ReadRequest.ReadLastWrite::read),
    FIND_STATEMENT(17, ReadRequest.FindStatement::read),

    WRITE_ITEM(32, WriteRequest.WriteItem::read),
    BATCH(33, WriteRequest.Batch::read),
    DELETE_KEY(34, WriteRequest.DeleteKey::read),
    EXECUTE(35, WriteRequest.Execute::read),
    WRITE_WITH_TRIGGERS(36, WriteRequest.WriteWithTriggers::read),
    WRITE_FIRST(37, WriteRequest.WriteFirst::read),
    CHANGE_MANY(38, WriteRequest.ChangeMany::read),
    STATED(40, WriteRequest.Stated::read),
    COMMIT(41, WriteRequest.Commit::read),
    TRANSACTED(42, TransactedRequest::read),

    DESCRIBE(64, ControlRequest.Describe::read),
    INSPECT(65, ControlRequest.Inspect::read),
    SET_BUDGET(66, ControlRequest.SetBudget::read),
    OPEN(67, ControlRequest.Open::read),
    SET_DEFINITION(68, ControlRequest.SetDefinition::read),
    DROP(69, ControlRequest.Drop::read),
    SPLIT(70, ControlRequest.Split::read),
    MERGE(71, ControlRequest.Merge::read),
    REPAIR(72, ControlRequest.Repair::read),
    AWAIT_TIME(73, ControlRequest.AwaitTime::read),
    AWAIT_CHANGE(74, ControlRequest.AwaitChange::read),

    LIST_LARGE(96, SetRequest.ListLarge::read);

    private static final RequestKind[] KINDS = values();

    /** Requests that can be operations of a transaction. */
    static final Set<RequestKind> OPERATIONS =
            Set.of(READ_ITEM, QUERY, WRITE_ITEM, WRITE_FIRST, CHANGE_MANY, BATCH);

    private final int number;

    /** Holds no state: it is the name of a method. */
    @SuppressWarnings("ImmutableEnumChecker")
    private final Function<BinaryReader, PartitionRequest> reader;

    RequestKind(int number, Function<BinaryReader, PartitionRequest> reader) {
        this.number = number;
        this.reader = reader;
    }

    public int number() {
        return number;
    }

    /** Reads the fields, behind the number of the kind. */
    PartitionRequest readFields(BinaryReader in) {
        return reader.apply(in);
    }

    /** Writes the number of the kind, then the fields. */
    public static void write(BinaryWriter out, PartitionRequest request) {
        out.u8(request.kind().number);
        request.write(out);
    }

    public static PartitionRequest read(BinaryReader in) {
        int number = in.u8();
        for (RequestKind kind : KINDS) {
            if (kind.number == number) {
                return in.checked(kind.reader);
            }
        }
        throw new MalformedRecordException("unknown kind of partition request");
    }
}
