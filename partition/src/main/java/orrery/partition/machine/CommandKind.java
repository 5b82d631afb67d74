package orrery.partition.machine;

import java.util.function.Function;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.storage.format.AppliedRecord;

/**
 * All kinds of commands, with their numbers in the log. A number is never given to another kind.
 */
public enum CommandKind {
    OPEN_PARTITION(1, Command.OpenPartition::read),
    SET_DEFINITION(2, Command.SetDefinition::read),
    DROP_PARTITION(3, Command.DropPartition::read),
    WRITE_ITEMS(4, Command.WriteItems::read),
    REINDEX(5, Command.Reindex::read),
    PREPARE_SPLIT(6, ReshapeCommand.PrepareSplit::read),
    COMMIT_SPLIT(7, ReshapeCommand.CommitSplit::read),
    MERGE_PARTITIONS(8, ReshapeCommand.MergePartitions::read),
    WRITE_ITEMS_IF_UNCHANGED(12, Command.WriteItems::readIfUnchanged),
    PURGE_JOURNAL(16, Command.PurgeJournal::read),
    PURGE(18, Command.Purge::read),
    DELETE_KEY(19, DeleteKey::read),
    FORGET_DELETION(20, ForgetDeletion::read),
    RAISE_LEVEL(21, Command.RaiseLevel::read),
    REPAIR_PARTITION(22, 2, Command.RepairPartition::read),
    ADVANCE_TIME(23, 3, Command.AdvanceTime::read),
    WRITE_STATEMENT(24, 4, Command.WriteItems::readStatement),
    PURGE_SESSIONS(25, 4, PurgeSessions::read),
    WRITE_TRANSACTION(26, 5, Command.WriteItems::readTransaction);

    private static final CommandKind[] KINDS = values();

    private final int number;
    private final int level;

    /** Holds no state: it is the name of a method. */
    @SuppressWarnings("ImmutableEnumChecker")
    private final Function<BinaryReader, Command> reader;

    CommandKind(int number, Function<BinaryReader, Command> reader) {
        this(number, AppliedRecord.FIRST_LEVEL, reader);
    }

    CommandKind(int number, int level, Function<BinaryReader, Command> reader) {
        this.number = number;
        this.level = level;
        this.reader = reader;
    }

    public int number() {
        return number;
    }

    /** The feature level from which on all members of a set know the kind. */
    public int level() {
        return level;
    }

    /** Writes the number of the kind, then the fields. */
    static void write(BinaryWriter out, Command command) {
        out.u8(command.kind().number);
        command.write(out);
    }

    /** Throws if this release does not know the kind: it must not guess what it does. */
    static Command read(BinaryReader in) {
        int number = in.u8();
        for (CommandKind kind : KINDS) {
            if (kind.number == number) {
                return in.checked(kind.reader);
            }
        }
        throw new MalformedRecordException(
                "the log has a command of kind "
                        + number
                        + ", which this release does not know; start a later release");
    }
}
