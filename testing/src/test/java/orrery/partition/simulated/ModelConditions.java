package orrery.partition.simulated;

import java.util.Optional;
import orrery.model.ErrorCode;
import orrery.model.Precondition;
import orrery.partition.machine.Command;

/** The conditions of a change, held against the item that is there. */
final class ModelConditions {
    private ModelConditions() {}

    static Optional<ErrorCode> refusal(Command.ItemChange change, Optional<StoredItem> before) {
        Command.Expect expect =
                switch (change) {
                    case Command.ItemChange.Put put -> put.expect();
                    case Command.ItemChange.Rename _,
                            Command.ItemChange.Remove _,
                            Command.ItemChange.Check _ ->
                            Command.Expect.PRESENT;
                };
        if (before.isEmpty()) {
            return expect == Command.Expect.PRESENT
                    ? Optional.of(ErrorCode.NOT_FOUND)
                    : Optional.empty();
        }
        if (expect == Command.Expect.ABSENT) {
            return Optional.of(ErrorCode.CONFLICT);
        }
        return Precondition.holds(change.precondition(), before.get().etag())
                ? Optional.empty()
                : Optional.of(ErrorCode.PRECONDITION_FAILED);
    }
}
