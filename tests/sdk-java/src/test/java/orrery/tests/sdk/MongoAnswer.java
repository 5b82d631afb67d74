package orrery.tests.sdk;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.client.MongoDatabase;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;

/**
 * The part of an answer that MongoDB's documentation speaks of: what was found, in which types and
 * which order of fields, how many documents were changed, and the codes of errors.
 *
 * @param code of the refusal; 0 where there is none
 */
record MongoAnswer(int code, BsonDocument told) {
    /** The code of a refusal that has none, or that has closed the connection. */
    static final int NO_CODE = -1;

    private static final JsonWriterSettings EXACT =
            JsonWriterSettings.builder().outputMode(JsonMode.EXTENDED).build();

    private static final Set<String> DOCUMENTS = Set.of("value", "values", "upserted");
    private static final Set<String> COUNTS = Set.of("n", "nModified");

    static MongoAnswer of(MongoDatabase database, BsonDocument command) {
        try {
            return new MongoAnswer(0, told(database.runCommand(command, BsonDocument.class)));
        } catch (MongoCommandException refusal) {
            return new MongoAnswer(refusal.getCode(), new BsonDocument());
        } catch (MongoException broken) {
            return new MongoAnswer(NO_CODE, new BsonDocument());
        }
    }

    private static BsonDocument told(BsonDocument reply) {
        BsonDocument told = new BsonDocument();
        for (Map.Entry<String, BsonValue> member : new TreeMap<>(reply).entrySet()) {
            String name = member.getKey();
            BsonValue value = member.getValue();
            if (name.equals("cursor")) {
                told.append(name, value.asDocument().get("firstBatch", new BsonArray()));
            } else if (name.equals("writeErrors")) {
                told.append(name, errors(value.asArray()));
            } else if (COUNTS.contains(name)) {
                told.append(name, new BsonInt32(value.asNumber().intValue()));
            } else if (DOCUMENTS.contains(name)) {
                told.append(name, value);
            } else if (name.equals("lastErrorObject")) {
                told.append(name, sorted(value.asDocument()));
            }
        }
        return told;
    }

    private static BsonArray errors(BsonArray errors) {
        return new BsonArray(
                errors.stream()
                        .map(BsonValue::asDocument)
                        .map(
                                error ->
                                        new BsonDocument("index", error.getNumber("index"))
                                                .append(
                                                        "code",
                                                        error.get("code", new BsonInt32(NO_CODE))))
                        .toList());
    }

    private static BsonDocument sorted(BsonDocument document) {
        BsonDocument sorted = new BsonDocument();
        new TreeMap<>(document).forEach(sorted::append);
        return sorted;
    }

    boolean isRefusal() {
        return code != 0;
    }

    /** The documents of a find, by their numbers. */
    Map<Integer, BsonDocument> documents() {
        return told.getArray("cursor", new BsonArray()).stream()
                .map(BsonValue::asDocument)
                .filter(document -> document.isInt32("_id"))
                .collect(
                        Collectors.toMap(
                                document -> document.getInt32("_id").getValue(),
                                document -> document));
    }

    /** The codes of a list of writes, by their places. */
    Map<Integer, Integer> errors() {
        return told.getArray("writeErrors", new BsonArray()).stream()
                .map(BsonValue::asDocument)
                .collect(
                        Collectors.toMap(
                                error -> error.getNumber("index").intValue(),
                                error -> error.getNumber("code").intValue()));
    }

    /** The numbers of the documents that only one of two finds has, or that differ. */
    static Set<Integer> differing(MongoAnswer first, MongoAnswer second) {
        Map<Integer, BsonDocument> one = first.documents();
        Map<Integer, BsonDocument> other = second.documents();
        Set<Integer> numbers = new TreeSet<>(one.keySet());
        numbers.addAll(other.keySet());
        numbers.removeIf(
                number -> {
                    BsonDocument left = one.get(number);
                    BsonDocument right = other.get(number);
                    return left != null
                            && right != null
                            && left.toJson(EXACT).equals(right.toJson(EXACT));
                });
        return numbers;
    }

    @Override
    public String toString() {
        return isRefusal() ? "code " + code : told.toJson(EXACT);
    }
}
