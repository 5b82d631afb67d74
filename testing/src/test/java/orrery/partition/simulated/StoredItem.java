package orrery.partition.simulated;

import orrery.model.Bytes;
import orrery.model.Etag;
import orrery.model.ItemKey;

/** An item as a model keeps it. */
record StoredItem(
        ItemKey key,
        long docid,
        Etag etag,
        long timeMillis,
        long lsn,
        int policyVersion,
        Bytes body) {}
