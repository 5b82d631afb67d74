package orrery.query.mongo.aggregate;

import java.util.LinkedHashMap;
import java.util.Map;
import orrery.document.Value;
import orrery.query.mongo.MongoNumbers;

/** The group of all documents, made of their number; none where there are no documents. */
final class CountedDocuments implements Documents {
    private final Documents source;
    private final Stage.Counted group;
    private long count;
    private boolean isDone;

    CountedDocuments(Documents source, Stage.Counted group) {
        this.source = source;
        this.group = group;
    }

    @Override
    public Step advance() {
        if (isDone) {
            return Step.END;
        }
        while (true) {
            switch (source.advance()) {
                case ROW ->
                        count +=
                                MongoNumbers.whole(
                                                source.row()
                                                        .properties()
                                                        .getOrDefault("n", Value.of(0)))
                                        .orElse(0);
                case PAUSED -> {
                    return Step.PAUSED;
                }
                case END -> {
                    isDone = true;
                    return count == 0 ? Step.END : Step.ROW;
                }
            }
        }
    }

    @Override
    public Value.Obj row() {
        Map<String, Value> fields = new LinkedHashMap<>();
        fields.put("_id", group.id());
        fields.put(group.name(), Value.of(count));
        return new Value.Obj(fields);
    }

    @Override
    public long heapBytes() {
        return source.heapBytes();
    }
}
