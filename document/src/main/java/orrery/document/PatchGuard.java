package orrery.document;

import java.util.List;
import orrery.model.PartitionKeyDefinition;
import orrery.model.PropertyPath;

/** Keeps patches away from what names an item and from what the service writes itself. */
final class PatchGuard {
    private final PartitionKeyDefinition definition;

    PatchGuard(PartitionKeyDefinition definition) {
        this.definition = definition;
    }

    void check(PatchOperation operation) throws PatchFault {
        check(operation.path());
        if (operation instanceof PatchOperation.Move move) {
            check(move.from());
        }
    }

    private void check(JsonPointer path) throws PatchFault {
        String first = path.segments().getFirst();
        if (first.equals("id")) {
            throw new PatchFault("the id of an item cannot be changed");
        }
        if (SystemProperties.isSystemProperty(first)) {
            throw new PatchFault("the system property '" + first + "' cannot be changed");
        }
        for (PropertyPath key : definition.paths()) {
            List<String> segments = key.segments();
            // Around the key: replacing the parent replaces the key. Below it: the key would have
            // to be an object.
            if (path.isPrefixOf(segments) || path.startsWith(segments)) {
                throw new PatchFault("the partition key '" + key + "' cannot be changed");
            }
        }
    }
}
