package orrery.frontend.gremlin.traversal.graph;

import orrery.document.Value;
import orrery.model.KeyComponent;
import orrery.model.PartitionKey;

/**
 * The whole name of an element. Two elements of one id in different partitions are two elements.
 *
 * @param partition the value of the partition key; undefined where the element has none
 */
public record ElementKey(Value partition, String id) {
    /** Numbers that are equal name one partition. */
    public ElementKey {
        if (partition instanceof Value.Real(double number)) {
            partition = Value.of(number);
        }
    }

    PartitionKey partitionKey() {
        return partitionKey(partition);
    }

    static PartitionKey partitionKey(Value value) {
        return PartitionKey.of(
                switch (value) {
                    case Value.Text(String text) -> new KeyComponent.Text(text);
                    case Value.Int(long number) -> new KeyComponent.Numeric(number);
                    case Value.Real(double number) -> new KeyComponent.Numeric(number);
                    case Value.Bool(boolean truth) ->
                            truth ? KeyComponent.TRUE : KeyComponent.FALSE;
                    case Value.Null _ -> KeyComponent.NULL;
                    default -> KeyComponent.UNDEFINED;
                });
    }

    /** Shows the key as a client writes it in a traversal. */
    @Override
    public String toString() {
        return partition.isDefined()
                ? "[" + GraphValues.show(partition) + ", '" + id + "']"
                : "'" + id + "'";
    }
}
