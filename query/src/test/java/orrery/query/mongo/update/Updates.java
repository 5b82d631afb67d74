package orrery.query.mongo.update;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.BsonCodec;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.model.ContainerDefinition;
import orrery.model.ContainerKind;
import orrery.model.Encoding;
import orrery.model.Etag;
import orrery.model.IndexingPolicy;
import orrery.model.Item;
import orrery.model.PartitionKeyDefinition;
import orrery.model.PropertyPath;
import orrery.model.ResourceId;
import orrery.query.evaluate.ComputedProperties;
import orrery.query.mongo.Documents;
import orrery.query.write.EvaluationPlace;
import orrery.query.write.ItemUpdate;
import orrery.query.write.WriteDialects;

/** Evaluates updates as a partition does: through their bytes. */
final class Updates {
    static final Instant NOW = Instant.parse("2026-11-18T16:00:00Z");
    static final BsonValue.Timestamp TIMESTAMP = new BsonValue.Timestamp(77, 3);

    private static final EvaluationPlace SHARDED =
            place(
                    new PartitionKeyDefinition(
                            List.of(PropertyPath.parse("/shard")),
                            PartitionKeyDefinition.Kind.HASH,
                            2,
                            false));

    private static final EvaluationPlace WHOLE = place(PartitionKeyDefinition.OF_THE_SYSTEM);

    private Updates() {}

    private static EvaluationPlace place(PartitionKeyDefinition key) {
        return new EvaluationPlace(
                ResourceId.ofContainer(1, 2),
                new ContainerDefinition(
                                key,
                                IndexingPolicy.DEFAULT,
                                ContainerDefinition.ConflictResolution.DEFAULT,
                                ContainerDefinition.Geospatial.GEOGRAPHY)
                        .withKind(ContainerKind.MONGODB),
                ComputedProperties.NONE,
                7_000);
    }

    static UpdateSpec spec(String query, String update, String... filters) {
        return new UpdateSpec(
                Documents.of(query),
                Documents.value(update),
                List.of(filters).stream().map(Documents::of).toList(),
                new Value.Obj(Map.of("given", Value.of(5))),
                Optional.empty(),
                Optional.of(Value.of("new")),
                NOW,
                TIMESTAMP);
    }

    static ItemUpdate read(UpdateSpec spec) {
        return WriteDialects.STANDARD.read(MongoUpdate.evaluation(spec), SHARDED);
    }

    /** Returns the document after the update; empty if the query does not match. */
    static Optional<Value.Obj> apply(UpdateSpec spec, Value.Obj document) {
        return read(spec).bodyAfter(Optional.of(item(document))).map(BsonCodec::read);
    }

    static Value.Obj insert(UpdateSpec spec) {
        return BsonCodec.read(read(spec).bodyAfter(Optional.empty()).orElseThrow());
    }

    /** Returns the new document in a collection that is not sharded. */
    static Value.Obj insertInWhole(UpdateSpec spec) {
        return BsonCodec.read(
                WriteDialects.STANDARD
                        .read(MongoUpdate.evaluation(spec), WHOLE)
                        .bodyAfter(Optional.empty())
                        .orElseThrow());
    }

    static Item item(Value.Obj document) {
        return new Item(1, new Etag(1, 1), 7_000, 1, Encoding.BSON, BsonCodec.write(document));
    }
}
