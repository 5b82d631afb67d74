package orrery.gateway;

import orrery.model.ContainerDefinition;
import orrery.model.Encoding;
import orrery.model.ItemRules;
import orrery.model.PartitionKey;
import orrery.model.TaggedText;
import orrery.model.resource.Container;

/** A partition key that a request names, as the items of the container have it. */
final class GivenKey {
    private GivenKey() {}

    /** Throws BAD_REQUEST for a key that no item can have because of how values are written. */
    static PartitionKey of(Container container, PartitionKey given) {
        ContainerDefinition definition = container.definition();
        if (definition.kind().encoding() == Encoding.BSON) {
            TaggedText.check(given);
        }
        return ItemRules.normalise(definition.partitionKey(), given);
    }
}
