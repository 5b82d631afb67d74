package orrery.partition.machine;

import java.util.List;
import orrery.model.Bytes;
import orrery.model.PartitionId;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * Forgets statements of sessions that no longer count. Each is looked at again.
 *
 * @param rows of the sessions table, without kind and container
 */
public record PurgeSessions(PartitionId partition, long stampMillis, List<Bytes> rows)
        implements Command.OfPartition {
    /** Rows of one command. */
    public static final int MAX_ROWS = 1000;

    public PurgeSessions {
        rows = List.copyOf(rows);
        if (rows.size() > MAX_ROWS) {
            throw new IllegalArgumentException("too many statements to forget at once");
        }
    }

    @Override
    public CommandKind kind() {
        return CommandKind.PURGE_SESSIONS;
    }

    @Override
    public void write(BinaryWriter out) {
        partition.write(out);
        out.u64(stampMillis).list(rows, BinaryWriter::bytes);
    }

    static PurgeSessions read(BinaryReader in) {
        return new PurgeSessions(PartitionId.read(in), in.u64(), in.list(BinaryReader::bytes));
    }
}
