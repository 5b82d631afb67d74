package orrery.partition;

import orrery.model.Bytes;
import orrery.model.metering.RequestCharge;
import orrery.partition.machine.Outcome;

/** From what a command did to what it costs. */
final class Charges {
    /**
     * What the system properties add to a body: {@code _rid} 34, {@code _self} 73, {@code _etag}
     * 51, {@code _attachments} 30 and {@code _ts} 17 bytes, commas included.
     */
    private static final int SYSTEM_PROPERTIES_BYTES = 205;

    private Charges() {}

    static int billedBytes(Bytes body) {
        return billedBytes(body.length());
    }

    static int billedBytes(int bodyBytes) {
        return bodyBytes + SYSTEM_PROPERTIES_BYTES;
    }

    static double of(Outcome.ItemOutcome item) {
        return switch (item.kind()) {
            case CREATED ->
                    RequestCharge.createRu(billedBytes(item.newBytes()), item.leavesAdded());
            case REPLACED ->
                    RequestCharge.replaceRu(
                            billedBytes(item.newBytes()), item.leavesRemoved(), item.leavesAdded());
            case DELETED ->
                    RequestCharge.deleteRu(billedBytes(item.oldBytes()), item.leavesRemoved());
        };
    }

    static double of(Outcome.Rejected rejected) {
        return switch (rejected.code()) {
            case NOT_FOUND -> RequestCharge.NOT_FOUND_RU;
            case RANGE_GONE -> 0;
            default -> RequestCharge.refusedWriteRu(billedBytes(rejected.itemBytes()));
        };
    }
}
