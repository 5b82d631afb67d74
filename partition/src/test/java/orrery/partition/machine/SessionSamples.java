package orrery.partition.machine;

import static orrery.partition.machine.MessageSamples.BODY;
import static orrery.partition.machine.MessageSamples.DERIVED;
import static orrery.partition.machine.MessageSamples.ITEM;
import static orrery.partition.machine.MessageSamples.KEY;
import static orrery.partition.machine.MessageSamples.PARTITION;
import static orrery.partition.machine.MessageSamples.REQUEST;
import static orrery.partition.machine.MessageSamples.TIME;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.ItemVersion;
import orrery.model.Precondition;
import orrery.model.RowKey;
import orrery.model.SessionTransaction;
import orrery.model.Statement;
import orrery.model.TransactionWrite;
import orrery.model.VersionPlace;
import orrery.model.metering.RequestCharge;
import orrery.partition.api.BatchStep;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.TransactedRequest;
import orrery.partition.api.TransactedResponse;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;

/** The messages and records about statements of sessions, for {@link MessageSamples}. */
final class SessionSamples {
    private static final Statement STATEMENT =
            Statement.of(Bytes.ofHex("0102030405060708090A0B0C0D0E0F10"), 3, 1);
    private static final Statement STATEMENTS = new Statement(STATEMENT.session(), 3, 1, 2, false);

    /** The mark of an update that a transaction has made, within its LSN. */
    static final ItemVersion.Mark MARK =
            new ItemVersion.Mark(
                    VersionPlace.within(12, 2, 1),
                    true,
                    Optional.of(new SessionTransaction(STATEMENT.session(), 3)));

    private static final List<TransactionWrite> WRITES =
            List.of(
                    new TransactionWrite.Put(KEY.rowKey(), true, BODY),
                    new TransactionWrite.Put(KEY.rowKey(), false, BODY),
                    new TransactionWrite.Put(KEY.rowKey(), false, true, BODY),
                    new TransactionWrite.Remove(KEY.rowKey()));

    private SessionSamples() {}

    static Map<String, Command> commands() {
        Map<String, Command> samples = new LinkedHashMap<>();
        samples.put(
                "write-updating",
                new Command.WriteItems(
                        PARTITION,
                        REQUEST,
                        TIME,
                        List.of(
                                new Command.ItemChange.Put(
                                        KEY,
                                        Command.Expect.PRESENT,
                                        Precondition.NONE,
                                        Encoding.JSON,
                                        BODY,
                                        true,
                                        DERIVED,
                                        null),
                                new Command.ItemChange.Rename(
                                        KEY,
                                        RowKey.ofText("i2"),
                                        Precondition.NONE,
                                        Encoding.JSON,
                                        BODY,
                                        true,
                                        DERIVED,
                                        null))));
        samples.put(
                "write-statement",
                new Command.WriteItems(
                        PARTITION,
                        REQUEST,
                        TIME,
                        List.of(new Command.ItemChange.Remove(KEY, Precondition.NONE)),
                        OptionalLong.empty(),
                        Bytes.ofHex("A0A1"),
                        Optional.of(new Command.Stated(STATEMENT.sought(), true, false))));
        samples.put(
                "write-statements-if-unchanged",
                new Command.WriteItems(
                        PARTITION,
                        REQUEST,
                        TIME,
                        List.of(
                                new Command.ItemChange.Check(KEY, Precondition.NONE),
                                new Command.ItemChange.Remove(KEY, Precondition.NONE)),
                        OptionalLong.of(8),
                        Bytes.EMPTY,
                        Optional.of(new Command.Stated(STATEMENTS, false, false))));
        samples.put(
                "write-transaction",
                new Command.WriteItems(
                        PARTITION,
                        REQUEST,
                        TIME,
                        List.of(new Command.ItemChange.Remove(KEY, Precondition.NONE)),
                        OptionalLong.of(8),
                        Bytes.EMPTY,
                        Optional.of(new Command.Stated(STATEMENT.sought(), false, false, true))));
        samples.put(
                "purge-sessions",
                new PurgeSessions(PARTITION, TIME, List.of(Bytes.ofHex("2D056931"))));
        return samples;
    }

    static SessionRecord sought() {
        return SessionRecord.of(
                TIME,
                STATEMENT.sought(),
                new Outcome.Written(9, TIME, 460, List.of()),
                Bytes.ofHex("A0A1"),
                Bytes.ofHex("B0B1"));
    }

    static Map<String, PartitionRequest> requests() {
        Map<String, PartitionRequest> samples = new LinkedHashMap<>();
        WriteRequest.WriteItem delete =
                new WriteRequest.WriteItem(
                        PARTITION, REQUEST, KEY, new WriteAction.Delete(), Precondition.NONE);
        samples.put("stated", new WriteRequest.Stated(STATEMENT, delete));
        samples.put(
                "stated-batch",
                new WriteRequest.Stated(
                        STATEMENTS,
                        new WriteRequest.Batch(
                                PARTITION,
                                REQUEST,
                                List.of(
                                        new BatchStep.Write(
                                                KEY, new WriteAction.Delete(), Precondition.NONE),
                                        new BatchStep.Write(
                                                KEY,
                                                new WriteAction.Create(BODY),
                                                Precondition.NONE)),
                                0)));
        WriteRequest.Commit commit =
                new WriteRequest.Commit(
                        PARTITION, REQUEST, KEY.epk(), KEY.partitionKey(), 8, WRITES);
        samples.put("commit", commit);
        samples.put("stated-commit", new WriteRequest.Stated(STATEMENT.sought(), commit));
        samples.put(
                "transacted",
                new TransactedRequest(KEY.partitionKey(), OptionalLong.of(8), WRITES, delete));
        samples.put(
                "transacted-first",
                new TransactedRequest(
                        KEY.partitionKey(),
                        OptionalLong.empty(),
                        List.of(),
                        new ReadRequest.ReadItem(PARTITION, KEY, 9)));
        samples.put("find-statement", new ReadRequest.FindStatement(PARTITION, STATEMENT.sought()));
        return samples;
    }

    static Map<String, PartitionResponse> responses() {
        Map<String, PartitionResponse> samples = new LinkedHashMap<>();
        samples.put(
                "remembered",
                new WriteResponse.Remembered(
                        new WriteResponse.Written(
                                WriteResponse.Change.REPLACED,
                                Optional.of(ITEM),
                                Optional.empty(),
                                9,
                                RequestCharge.read(300)),
                        KEY.rowKey()));
        samples.put("committed", new WriteResponse.Committed(9, RequestCharge.refusedWrite(0)));
        samples.put(
                "transacted",
                new TransactedResponse(
                        new WriteResponse.Written(
                                WriteResponse.Change.DELETED,
                                Optional.empty(),
                                Optional.empty(),
                                9,
                                RequestCharge.delete(300, 2)),
                        8,
                        List.of(new TransactionWrite.Remove(KEY.rowKey()))));
        return samples;
    }
}
