package orrery.partition.machine;

import java.util.List;
import orrery.model.DerivedRow;

/**
 * The bytes of commands in the log, without encoding those that are written often. Never too few:
 * entries are packed by it, and what would fit no entry is refused by it.
 */
final class CommandSize {
    /** Fields of a command besides its lists and its answer. */
    private static final int FIXED_BYTES = 128;

    /** Fields of a change besides its keys, its body and what is derived from it. */
    private static final int CHANGE_BYTES = 64;

    private CommandSize() {}

    static int of(Command command) {
        long bytes =
                switch (command) {
                    case Command.WriteItems write ->
                            FIXED_BYTES + write.answer().length() + changes(write.changes());
                    case Command.Purge purge -> FIXED_BYTES + targets(purge.targets());
                    case Command.Reindex reindex -> FIXED_BYTES + evaluated(reindex.derived());
                    default -> Command.encode(command).length();
                };
        return (int) Math.min(bytes, Integer.MAX_VALUE);
    }

    private static long changes(List<Command.ItemChange> changes) {
        long bytes = 0;
        for (Command.ItemChange change : changes) {
            bytes += CHANGE_BYTES + change.key().maxEncodedBytes();
            if (change instanceof Command.ItemChange.Storing put) {
                bytes += put.body().length() + DerivedRow.sizeOf(put.derived().rows());
            }
            if (change instanceof Command.ItemChange.Rename rename) {
                bytes += rename.id().bytes().length();
            }
        }
        return bytes;
    }

    private static long targets(List<Command.Purge.Target> targets) {
        long bytes = 0;
        for (Command.Purge.Target target : targets) {
            bytes += CHANGE_BYTES + target.suffix().length();
        }
        return bytes;
    }

    private static long evaluated(List<Command.Reindex.Evaluated> items) {
        long bytes = 0;
        for (Command.Reindex.Evaluated item : items) {
            bytes += CHANGE_BYTES + item.suffix().length() + DerivedRow.sizeOf(item.rows());
        }
        return bytes;
    }
}
