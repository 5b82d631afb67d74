package orrery.partition.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.model.ErrorCode;
import orrery.model.PartitionId;
import orrery.storage.format.PartitionRecord;

/**
 * Ends a partition whose command could not be applied. Every replica comes to the same end at the
 * same entry. The partition can still be read, and it can be dropped; other partitions of the set
 * go on.
 */
final class PartitionFailure {
    static final Outcome REFUSED = new Outcome.Rejected(ErrorCode.UNAVAILABLE, 0, 0);

    private static final int MAX_REASON = 200;

    private PartitionFailure() {}

    /**
     * Says what failed. The text is stored, so it holds nothing that may differ between releases
     * but the message that our own code gave.
     */
    static String reason(Command command, RuntimeException failure) {
        String text =
                command.getClass().getSimpleName()
                        + ": "
                        + failure.getClass().getSimpleName()
                        + (failure instanceof IllegalStateException
                                ? ": " + failure.getMessage()
                                : "");
        return text.length() > MAX_REASON ? text.substring(0, MAX_REASON) : text;
    }

    static Outcome fail(EntryOverlay overlay, Command command, String reason) {
        for (PartitionId id : partitions(command)) {
            PartitionDraft draft = overlay.draft(id);
            if (draft != null && !draft.isFailed()) {
                draft.standing =
                        draft.standing.withFailure(
                                Optional.of(
                                        new PartitionRecord.Failure(reason, overlay.position())));
            }
        }
        return REFUSED;
    }

    /** Returns true if a partition has failed and the command would change more than drop it. */
    static boolean isRefused(EntryOverlay overlay, Command command) {
        if (command instanceof Command.DropPartition || command instanceof Command.OpenPartition) {
            return false;
        }
        for (PartitionId id : partitions(command)) {
            PartitionDraft draft = overlay.draft(id);
            if (draft != null && draft.isFailed()) {
                return true;
            }
        }
        return false;
    }

    private static List<PartitionId> partitions(Command command) {
        List<PartitionId> ids = new ArrayList<>(List.of(command.partition()));
        if (command instanceof Command.MergePartitions merge) {
            ids.add(new PartitionId(command.partition().container(), merge.right()));
        }
        return ids;
    }
}
