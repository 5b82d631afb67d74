package orrery.frontend.table;

import java.util.Optional;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.query.write.Images;
import orrery.query.write.MergeDialect;

/** A change to one entity, checked by all rules of the API. */
public sealed interface EntityOperation {
    String partitionKey();

    String rowKey();

    /** The change as the door takes it. */
    ItemWrite write();

    default PartitionKey key() {
        return PartitionKey.ofText(partitionKey());
    }

    private static ItemRef item(String rowKey) {
        return new ItemRef.Named(rowKey);
    }

    /** A change that has an entity for it. */
    sealed interface WithEntity extends EntityOperation {
        Entity entity();

        @Override
        default String partitionKey() {
            return entity().partitionKey();
        }

        @Override
        default String rowKey() {
            return entity().rowKey();
        }
    }

    record Insert(Entity entity) implements WithEntity {
        @Override
        public ItemWrite write() {
            return new ItemWrite.Create(EntityDocument.write(entity), Optional.of(key()));
        }
    }

    /** Puts an entity in place of one that must be there. */
    record Replace(Entity entity, Precondition precondition) implements WithEntity {
        @Override
        public ItemWrite write() {
            return new ItemWrite.Replace(
                    item(rowKey()), Optional.of(key()), EntityDocument.write(entity), precondition);
        }
    }

    record InsertOrReplace(Entity entity) implements WithEntity {
        @Override
        public ItemWrite write() {
            return new ItemWrite.Upsert(
                    EntityDocument.write(entity), Optional.of(key()), Precondition.NONE);
        }
    }

    /** Puts properties over those of an entity that must be there. */
    record Merge(Entity entity, Precondition precondition) implements WithEntity {
        @Override
        public ItemWrite write() {
            return merging(entity, false, precondition);
        }
    }

    record InsertOrMerge(Entity entity) implements WithEntity {
        @Override
        public ItemWrite write() {
            return merging(entity, true, Precondition.NONE);
        }
    }

    record Delete(String partitionKey, String rowKey, Precondition precondition)
            implements EntityOperation {
        @Override
        public ItemWrite write() {
            return new ItemWrite.Delete(item(rowKey), key(), precondition);
        }
    }

    private static ItemWrite merging(Entity entity, boolean upsert, Precondition precondition) {
        return new ItemWrite.Evaluate(
                item(entity.rowKey()),
                PartitionKey.ofText(entity.partitionKey()),
                MergeDialect.evaluation(EntityDocument.write(entity)),
                upsert,
                Images.AFTER,
                precondition);
    }
}
