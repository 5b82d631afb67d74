package orrery.partition;

import orrery.model.Bytes;
import orrery.model.metering.Charge;
import orrery.model.metering.RequestCharge;
import orrery.partition.api.WriteAction;
import orrery.partition.machine.Outcome;

/** From what a command did to what it costs. */
final class Charges {
    private Charges() {}

    static int billedBytes(Bytes body) {
        return RequestCharge.itemBytes(body.length());
    }

    static Charge of(WriteAction action, Outcome.ItemOutcome item) {
        int newBytes = RequestCharge.itemBytes(item.newBytes());
        int oldBytes = RequestCharge.itemBytes(item.oldBytes());
        return switch (item.kind()) {
            case CREATED -> RequestCharge.create(newBytes, item.leavesAdded());
            case REPLACED ->
                    action instanceof WriteAction.Evaluate
                            ? RequestCharge.patch(
                                    newBytes, item.leavesRemoved(), item.leavesAdded())
                            : RequestCharge.replace(
                                    newBytes, item.leavesRemoved(), item.leavesAdded());
            case DELETED -> RequestCharge.delete(oldBytes, item.leavesRemoved());
            case SEEN -> RequestCharge.read(newBytes);
        };
    }

    /** A purge costs what the deletes would have. */
    static Charge ofPurge(Outcome.ItemOutcome item) {
        return RequestCharge.delete(RequestCharge.itemBytes(item.oldBytes()), item.leavesRemoved());
    }

    static Charge of(Outcome.Rejected rejected) {
        return switch (rejected.code()) {
            case NOT_FOUND -> RequestCharge.NOT_FOUND;
            case RANGE_GONE -> Charge.NONE;
            default ->
                    RequestCharge.refusedWrite(
                            rejected.itemBytes() == 0
                                    ? 0
                                    : RequestCharge.itemBytes(rejected.itemBytes()));
        };
    }
}
