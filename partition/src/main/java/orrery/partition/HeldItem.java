package orrery.partition;

import orrery.model.Bytes;
import orrery.model.memory.MemoryAccount;
import orrery.partition.api.ReadResponse;

/** Computes the heap that an item takes on its way to a client. */
final class HeldItem {
    private static final int OVERHEAD_BYTES = 128;

    private HeldItem() {}

    static ReadResponse.Found counted(ReadResponse.Found found) {
        take(found.item().body());
        return found;
    }

    /** Until the reply is sent: the item, and its copy in the reply. */
    static void take(Bytes body) {
        MemoryAccount.current().take(OVERHEAD_BYTES + 2L * body.length());
    }
}
