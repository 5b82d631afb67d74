package orrery.query.mongo.find;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import orrery.document.BsonCodec;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.OrreryException;
import orrery.model.codec.MalformedRecordException;
import orrery.query.mongo.MongoNumbers;

/** The payload of a read: a BSON document with those parts that are not empty. */
final class FindCodec {
    private static final String FILTER = "filter";
    private static final String PROJECTION = "projection";
    private static final String SORT = "sort";
    private static final String SKIP = "skip";
    private static final String LIMIT = "limit";
    private static final String LET = "let";
    private static final String COLLATION = "collation";
    private static final String HINT = "hint";
    private static final String NOW = "now";
    private static final String COUNT = "count";
    private static final String DISTINCT = "distinct";

    private FindCodec() {}

    static Bytes write(FindOptions options) {
        Map<String, Value> parts = new LinkedHashMap<>();
        put(FILTER, options.filter(), parts);
        put(PROJECTION, options.projection(), parts);
        put(SORT, options.sort(), parts);
        put(SKIP, options.skip(), parts);
        put(LIMIT, options.limit(), parts);
        put(LET, options.let(), parts);
        put(COLLATION, options.collation(), parts);
        put(HINT, options.hint(), parts);
        options.now().ifPresent(now -> parts.put(NOW, new BsonValue.DateTime(now.toEpochMilli())));
        switch (options.answer()) {
            case FindOptions.Answer.Documents() -> {}
            case FindOptions.Answer.Count() -> parts.put(COUNT, Value.of(true));
            case FindOptions.Answer.Distinct(String key) -> parts.put(DISTINCT, Value.of(key));
        }
        return BsonCodec.write(new Value.Obj(parts));
    }

    private static void put(String name, Value.Obj part, Map<String, Value> parts) {
        if (!part.properties().isEmpty()) {
            parts.put(name, part);
        }
    }

    private static void put(String name, long number, Map<String, Value> parts) {
        if (number != 0) {
            parts.put(name, Value.of(number));
        }
    }

    static FindOptions read(Bytes payload) {
        Map<String, Value> parts;
        try {
            parts = new LinkedHashMap<>(BsonCodec.read(payload).properties());
        } catch (OrreryException invalid) {
            throw new MalformedRecordException("the payload of a read is no document");
        }
        FindOptions options =
                new FindOptions(
                        document(FILTER, parts),
                        document(PROJECTION, parts),
                        document(SORT, parts),
                        number(SKIP, parts),
                        number(LIMIT, parts),
                        document(LET, parts),
                        document(COLLATION, parts),
                        document(HINT, parts),
                        now(parts),
                        answer(parts));
        if (!parts.isEmpty()) {
            throw malformed(parts.keySet().iterator().next());
        }
        return options;
    }

    private static Value.Obj document(String name, Map<String, Value> parts) {
        Value part = parts.remove(name);
        if (part == null) {
            return FindOptions.NONE;
        }
        if (part instanceof Value.Obj document) {
            return document;
        }
        throw malformed(name);
    }

    private static long number(String name, Map<String, Value> parts) {
        Value part = parts.remove(name);
        if (part == null) {
            return 0;
        }
        return MongoNumbers.whole(part).stream()
                .filter(number -> number >= 0)
                .findFirst()
                .orElseThrow(() -> malformed(name));
    }

    private static Optional<Instant> now(Map<String, Value> parts) {
        Value part = parts.remove(NOW);
        if (part == null) {
            return Optional.empty();
        }
        if (part instanceof BsonValue.DateTime(long millis)) {
            return Optional.of(Instant.ofEpochMilli(millis));
        }
        throw malformed(NOW);
    }

    private static FindOptions.Answer answer(Map<String, Value> parts) {
        Value count = parts.remove(COUNT);
        if (count != null) {
            if (!count.equals(Value.of(true))) {
                throw malformed(COUNT);
            }
            return new FindOptions.Answer.Count();
        }
        return switch (parts.remove(DISTINCT)) {
            case null -> new FindOptions.Answer.Documents();
            case Value.Text(String key) -> new FindOptions.Answer.Distinct(key);
            default -> throw malformed(DISTINCT);
        };
    }

    private static MalformedRecordException malformed(String name) {
        return new MalformedRecordException("a read cannot have such a part: " + name);
    }
}
