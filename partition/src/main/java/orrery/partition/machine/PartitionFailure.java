package orrery.partition.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.model.ErrorCode;
import orrery.model.PartitionId;
import orrery.storage.format.PartitionRecord;

/**
 * Ends a partition whose command could not be applied. Every replica comes to the same end at the
 * same entry. The partition can still be read, and it can be dropped or repaired; other partitions
 * of the set go on.
 */
final class PartitionFailure {
    static final Outcome REFUSED = new Outcome.Rejected(ErrorCode.UNAVAILABLE, 0, 0);

    private PartitionFailure() {}

    /**
     * Says what failed. The text is stored, so it holds nothing that may differ between releases
     * but the message that our own code gave.
     */
    static String reason(Command command, RuntimeException failure, Level level) {
        String text =
                command.getClass().getSimpleName()
                        + ": "
                        + failure.getClass().getSimpleName()
                        + (failure instanceof IllegalStateException
                                ? ": " + failure.getMessage()
                                : "");
        return text.substring(0, Math.min(text.length(), level.maxReasonChars()));
    }

    static Outcome fail(EntryOverlay overlay, Command.OfPartition command, String reason) {
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

    /**
     * Takes back a failure that an operator has looked at. Nothing of the command that failed was
     * applied, so the partition is as it was before it, but for a split that was prepared: the
     * catalog cancels those of failed partitions, and one that stayed would keep off every merge.
     */
    static Outcome repair(EntryOverlay overlay, Command.RepairPartition command) {
        PartitionDraft draft = overlay.draft(command.partition());
        if (draft == null) {
            return new Outcome.Rejected(ErrorCode.RANGE_GONE, 0, 0);
        }
        boolean isThisFailure =
                draft.standing
                        .failure()
                        .filter(failure -> failure.position() == command.position())
                        .isPresent();
        if (!isThisFailure) {
            return new Outcome.Rejected(ErrorCode.PRECONDITION_FAILED, 0, 0);
        }
        draft.standing = draft.standing.withFailure(Optional.empty());
        draft.split = Optional.empty();
        return new Outcome.Done();
    }

    /** Returns true if a partition has failed and the command would change more than end that. */
    static boolean isRefused(EntryOverlay overlay, Command.OfPartition command) {
        if (command instanceof Command.DropPartition
                || command instanceof Command.OpenPartition
                || command instanceof Command.RepairPartition) {
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

    private static List<PartitionId> partitions(Command.OfPartition command) {
        List<PartitionId> ids = new ArrayList<>(List.of(command.partition()));
        if (command instanceof ReshapeCommand.MergePartitions merge) {
            ids.add(new PartitionId(command.partition().container(), merge.right()));
        }
        return ids;
    }
}
