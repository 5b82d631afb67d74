package orrery.partition.api;

import java.util.function.Function;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/**
 * All kinds of responses, with their numbers between nodes. A number is never given to another
 * kind.
 */
public enum ResponseKind {
    FOUND(1, ReadResponse.Found::read),
    FEED(2, ReadResponse.Feed::read),
    QUERY_PAGE(3, ReadResponse.QueryPage::read),
    CHANGES(4, ReadResponse.Changes::read),
    VERSIONS(5, ReadResponse.Versions::read),
    FOUND_MANY(6, ReadResponse.FoundMany::read),
    MATCHES(7, ReadResponse.Matches::read),
    EXPLAINED(8, ReadResponse.Explained::read),

    LAST_WRITE(16, ReadResponse.LastWrite::read),

    WRITTEN(32, WriteResponse.Written::read),
    BATCH(33, WriteResponse.Batch::read),
    KEY_DELETED(34, WriteResponse.KeyDeleted::read),
    EXECUTED(35, WriteResponse.Executed::read),
    TRIGGERED(36, WriteResponse.Triggered::read),
    FUNCTIONS_NEEDED(37, WriteResponse.FunctionsNeeded::read),
    MANY_CHANGED(38, WriteResponse.ManyChanged::read),
    REMEMBERED(40, WriteResponse.Remembered::read),
    COMMITTED(41, WriteResponse.Committed::read),
    TRANSACTED(42, TransactedResponse::read),
    SEARCHED(43, WriteResponse.Searched::read),

    DONE(64, _ -> new ControlResponse.Done()),
    DESCRIPTION(65, ControlResponse.Description::read),
    INSPECTION(66, ControlResponse.Inspection::read),
    SPLIT_AT(67, ControlResponse.SplitAt::read),
    LARGE_PARTITIONS(68, ControlResponse.LargePartitions::read),
    TIME_REACHED(69, ControlResponse.TimeReached::read),
    HEAD(70, ControlResponse.Head::read),

    FAILED(96, PartitionResponse.Failed::read);

    private static final ResponseKind[] KINDS = values();

    private final int number;

    /** Holds no state: it is the name of a method. */
    @SuppressWarnings("ImmutableEnumChecker")
    private final Function<BinaryReader, PartitionResponse> reader;

    ResponseKind(int number, Function<BinaryReader, PartitionResponse> reader) {
        this.number = number;
        this.reader = reader;
    }

    public int number() {
        return number;
    }

    /** Writes the number of the kind, then the fields. */
    static void write(BinaryWriter out, PartitionResponse response) {
        out.u8(response.kind().number);
        response.write(out);
    }

    static PartitionResponse read(BinaryReader in) {
        int number = in.u8();
        for (ResponseKind kind : KINDS) {
            if (kind.number == number) {
                return in.checked(kind.reader);
            }
        }
        throw new MalformedRecordException("unknown kind of partition response");
    }
}
