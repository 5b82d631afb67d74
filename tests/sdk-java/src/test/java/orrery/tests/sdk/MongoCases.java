package orrery.tests.sdk;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Commands that go to two servers. Their texts are MongoDB's extended JSON. Each list is made of
 * every operator with every value that it may meet, or that it must refuse.
 */
final class MongoCases {
    /** Values of every type, and those that compare equal although their types differ. */
    static final List<String> VALUES =
            List.of(
                    "null",
                    "0",
                    "1",
                    "{'$numberLong': '1'}",
                    "1.5",
                    "{'$numberDouble': '1.0'}",
                    "{'$numberDouble': '-0.0'}",
                    "{'$numberDouble': 'NaN'}",
                    "{'$numberLong': '9007199254740993'}",
                    "{'$numberDecimal': '1.5'}",
                    "''",
                    "'a'",
                    "'abc'",
                    "true",
                    "false",
                    "{'$date': '1970-01-01T00:00:00Z'}",
                    "{'$date': '2026-01-01T00:00:00Z'}",
                    "{'$oid': '000000000000000000000001'}",
                    "{'$binary': {'base64': 'AQI=', 'subType': '00'}}",
                    "{}",
                    "{b: 1}",
                    "{b: 2, c: 'x'}",
                    "{b: [1, 2]}",
                    "{b: null}",
                    "[]",
                    "[1]",
                    "[1, 2, 3]",
                    "['a', null]",
                    "[[1], 2]",
                    "[{b: 1}, {b: 2}]",
                    "[{b: 1, c: 2}, {b: 3, c: 4}]");

    /** Fewer of them, for what each update is tried on and with. */
    private static final List<String> CHANGED =
            List.of(
                    "null",
                    "1",
                    "2147483647",
                    "{'$numberLong': '9223372036854775807'}",
                    "1.5",
                    "{'$numberDecimal': '0.10'}",
                    "'a'",
                    "{'$date': '1970-01-01T00:00:00Z'}",
                    "{b: 1}",
                    "{b: [1, 2]}",
                    "[1, 2, 3]",
                    "[{b: 1}, {b: 2, c: 'x'}]");

    private static final List<String> COMPARISONS =
            List.of("$eq", "$ne", "$gt", "$gte", "$lt", "$lte");

    private static final List<String> TYPES =
            List.of(
                    "'double'",
                    "'string'",
                    "'object'",
                    "'array'",
                    "'binData'",
                    "'objectId'",
                    "'bool'",
                    "'date'",
                    "'null'",
                    "'int'",
                    "'long'",
                    "'decimal'",
                    "'number'",
                    "2",
                    "[1, 2]",
                    "'nothing'",
                    "99");

    private static final List<String> OPERATIONS_ON_PATHS =
            List.of(
                    "{a: {'$exists': true}}",
                    "{a: {'$exists': false}}",
                    "{'a.b': {'$exists': true}}",
                    "{'a.b': {'$exists': false}}",
                    "{'a.0': {'$exists': true}}",
                    "{a: {'$size': 0}}",
                    "{a: {'$size': 2}}",
                    "{a: {'$size': -1}}",
                    "{a: {'$size': 'x'}}",
                    "{a: {'$all': [1, 2]}}",
                    "{a: {'$all': []}}",
                    "{a: {'$all': [[1]]}}",
                    "{a: {'$all': [{'$elemMatch': {b: 1}}, {'$elemMatch': {b: 2}}]}}",
                    "{a: {'$all': 1}}",
                    "{a: {'$elemMatch': {'$gt': 1}}}",
                    "{a: {'$elemMatch': {'$gt': 1, '$lt': 3}}}",
                    "{a: {'$elemMatch': {b: 1, c: 2}}}",
                    "{a: {'$elemMatch': {b: {'$gt': 1}}}}",
                    "{a: {'$elemMatch': {'$or': [{b: 1}, {c: 4}]}}}",
                    "{a: {'$elemMatch': 1}}",
                    "{a: {'$mod': [2, 1]}}",
                    "{a: {'$mod': [2, 0]}}",
                    "{a: {'$mod': [0, 1]}}",
                    "{a: {'$mod': [2]}}",
                    "{a: {'$mod': [2, 1, 0]}}",
                    "{a: {'$mod': ['x', 1]}}",
                    "{a: {'$regex': '^a'}}",
                    "{a: {'$regex': 'B', '$options': 'i'}}",
                    "{a: {'$regularExpression': {pattern: 'c$', options: ''}}}",
                    "{a: {'$not': {'$regex': '^a'}}}",
                    "{a: {'$regex': '('}}",
                    "{a: {'$options': 'i'}}",
                    "{a: {'$in': [1, 'a', null]}}",
                    "{a: {'$in': []}}",
                    "{a: {'$in': [[1], {b: 1}]}}",
                    "{a: {'$in': [{'$regularExpression': {pattern: '^ab', options: ''}}]}}",
                    "{a: {'$in': 1}}",
                    "{a: {'$nin': [1, 'a', null]}}",
                    "{a: {'$nin': []}}",
                    "{a: {'$nin': 1}}",
                    "{a: {'$not': {'$gt': 1}}}",
                    "{a: {'$not': {'$size': 2}}}",
                    "{a: {'$not': {}}}",
                    "{a: {'$not': 1}}",
                    "{a: {'$gt': 0, '$lt': 3}}",
                    "{a: {'$gt': 1, '$exists': true, '$ne': 3}}",
                    "{a: {'$bitsAllSet': 1}}",
                    "{a: {'$bitsAnySet': [0, 1]}}",
                    "{a: {'$bitsAllClear': 2}}",
                    "{a: {'$bitsAnyClear': 1}}",
                    "{'$and': [{a: {'$gte': 1}}, {a: {'$lte': 1.5}}]}",
                    "{'$or': [{a: 'a'}, {'a.b': 1}]}",
                    "{'$nor': [{a: 'a'}, {'a.b': 1}]}",
                    "{'$and': []}",
                    "{'$or': []}",
                    "{'$or': 1}",
                    "{'$nor': [1]}",
                    "{'$and': [{'$or': [{a: 1}, {a: 2}]}, {'$nor': [{a: [1]}]}]}",
                    "{'$expr': {'$eq': ['$a', 1]}}",
                    "{'$expr': {'$gt': ['$a', '$_id']}}",
                    "{'$comment': 'nothing', a: 1}",
                    "{'$nothing': 1}",
                    "{a: {'$nothing': 1}}",
                    "{a: {b: 1, '$gt': 1}}",
                    "{a: {'$eq': 1, b: 1}}",
                    "{'a.b': 1}",
                    "{'a.b': {'$gt': 1}}",
                    "{'a.b': null}",
                    "{'a.b': {'$ne': 1}}",
                    "{'a.b': {'$in': [1, null]}}",
                    "{'a.1': 2}",
                    "{'a.0': [1]}",
                    "{'a.0.b': 1}",
                    "{'a.b.0': 1}",
                    "{_id: {'$in': [3, 1, 2]}}",
                    "{_id: {'$gt': 5, '$lte': 9}}");

    /** Values whose order has no doubt: MongoDB and the peer disagree about the others. */
    private static final List<String> SORTED =
            VALUES.stream()
                    .filter(value -> !value.contains("NaN") && !value.contains("["))
                    .toList();

    private static final List<String> SORTS =
            List.of(
                    "{a: 1, _id: 1}",
                    "{a: -1, _id: 1}",
                    "{'a.b': 1, _id: 1}",
                    "{'a.b': -1, _id: -1}",
                    "{'a.0': 1, _id: 1}",
                    "{_id: -1}",
                    "{missing: 1, _id: 1}",
                    "{a: 0}",
                    "{a: 2}",
                    "{a: 'up'}");

    private static final List<String> PROJECTIONS =
            List.of(
                    "{}",
                    "{a: 1}",
                    "{a: 0}",
                    "{a: 1, _id: 0}",
                    "{_id: 1}",
                    "{_id: 0}",
                    "{'a.b': 1}",
                    "{'a.b': 0}",
                    "{'a.c': 1, _id: 0}",
                    "{missing: 1}",
                    "{a: true}",
                    "{a: 2.5}",
                    "{a: {'$slice': 1}}",
                    "{a: {'$slice': -1}}",
                    "{a: {'$slice': [1, 1]}}",
                    "{a: {'$slice': [-2, 1]}}",
                    "{a: {'$slice': 'x'}}",
                    "{a: {'$elemMatch': {b: 1}}}",
                    "{a: {'$elemMatch': {'$gt': 1}}}",
                    "{a: 1, b: 0}",
                    "{a: 0, b: 1}",
                    "{a: 1, 'a.b': 1}",
                    "{'a.b': 1, a: 1}",
                    "{n: '$a'}",
                    "{n: {'$add': ['$_id', 1]}}",
                    "{a: {'$nothing': 1}}");

    private static final List<String> FIELD_OPERATORS =
            List.of(
                    "$set",
                    "$inc",
                    "$mul",
                    "$min",
                    "$max",
                    "$push",
                    "$addToSet",
                    "$pull",
                    "$setOnInsert");

    private static final List<String> UPDATES =
            List.of(
                    "{'$unset': {a: ''}}",
                    "{'$unset': {'a.b': 1}}",
                    "{'$unset': {'a.0': 1}}",
                    "{'$rename': {a: 'z'}}",
                    "{'$rename': {a: 'a'}}",
                    "{'$rename': {'a.b': 'z.y'}}",
                    "{'$rename': {missing: 'z'}}",
                    "{'$rename': {a: 1}}",
                    "{'$set': {'a.b': 9}}",
                    "{'$set': {'a.b.c': 9}}",
                    "{'$set': {'a.1': 9}}",
                    "{'$set': {'a.5': 9}}",
                    "{'$set': {z: 1, y: 2, x: 3}}",
                    "{'$set': {}}",
                    "{'$set': {'': 1}}",
                    "{'$set': {'a..b': 1}}",
                    "{'$set': 1}",
                    "{'$set': {_id: 1000}}",
                    "{'$inc': {'a.b': 1}}",
                    "{'$inc': {'a.0': 1}}",
                    "{'$inc': {n: {'$numberLong': '5'}}}",
                    "{'$mul': {n: 2.5}}",
                    "{'$mul': {missing: 2}}",
                    "{'$min': {n: 'text'}}",
                    "{'$max': {n: 'text'}}",
                    "{'$push': {a: {'$each': [5, 4]}}}",
                    "{'$push': {a: {'$each': [5, 4], '$sort': 1}}}",
                    "{'$push': {a: {'$each': [5, 4], '$slice': -3}}}",
                    "{'$push': {a: {'$each': [5, 4], '$slice': 2}}}",
                    "{'$push': {a: {'$each': [5, 4], '$position': 0}}}",
                    "{'$push': {a: {'$each': [5, 4], '$position': 1, '$slice': 3}}}",
                    "{'$push': {a: {'$each': 1}}}",
                    "{'$push': {list: {'$each': [3, 1, 2], '$sort': -1}}}",
                    "{'$push': {'a.b': 1}}",
                    "{'$addToSet': {a: {'$each': [1, 2, 2, {b: 1}]}}}",
                    "{'$addToSet': {list: {'$each': [1, 2, 2]}}}",
                    "{'$pop': {a: 1}}",
                    "{'$pop': {a: -1}}",
                    "{'$pop': {a: 2}}",
                    "{'$pop': {missing: 1}}",
                    "{'$pull': {a: {'$gte': 2}}}",
                    "{'$pull': {a: {b: 1}}}",
                    "{'$pull': {a: {'$in': [1, 'a']}}}",
                    "{'$pull': {missing: 1}}",
                    "{'$pullAll': {a: [1, {b: 2}]}}",
                    "{'$pullAll': {a: 1}}",
                    "{'$pullAll': {missing: [1]}}",
                    "{'$bit': {a: {or: 6}}}",
                    "{'$bit': {n: {and: 4}}}",
                    "{'$bit': {n: {xor: 7}}}",
                    "{'$bit': {n: {nothing: 7}}}",
                    "{'$set': {'a.$[]': 7}}",
                    "{'$inc': {'a.$[]': 1}}",
                    "{'$set': {'a.$': 7}}",
                    "{'$set': {a: 1}, '$inc': {a: 1}}",
                    "{'$set': {'a.b': 1, a: 1}}",
                    "{'$set': {a: 1}, '$unset': {z: 1}}",
                    "{'$nothing': {a: 1}}",
                    "{'$set': {a: 1}, b: 1}",
                    "{b: 1, '$set': {a: 1}}",
                    "{fresh: 1}",
                    "{_id: 2000, fresh: 1}",
                    "{}");

    /** Each command sees what the ones before it wrote to the same collection. */
    private static final List<String> COMMANDS =
            List.of(
                    "{insert: 'ordered', documents: [{_id: 1}, {_id: 1}, {_id: 2}]}",
                    "{find: 'ordered', sort: {_id: 1}}",
                    "{insert: 'any', documents: [{_id: 1}, {_id: 1}, {_id: 2}], ordered: false}",
                    "{find: 'any', sort: {_id: 1}}",
                    "{insert: 'any', documents: [{_id: [1]}]}",
                    "{insert: 'any', documents: []}",
                    "{insert: 'any'}",
                    "{insert: 'writes', documents: [{_id: 1}, {_id: 2, c: 1}, {_id: 3, c: 1}]}",
                    "{update: 'writes', updates: [{q: {_id: 1}, u: {'$set': {a: 1}}}]}",
                    "{update: 'writes', updates: [{q: {_id: 1}, u: {'$set': {a: 1}}}]}",
                    "{update: 'writes', updates: [{q: {}, u: {'$set': {b: 1}}, multi: true}]}",
                    "{update: 'writes', updates: [{q: {}, u: {b: 1}, multi: true}]}",
                    "{update: 'writes', updates: [{q: {_id: 5}, u: {'$set': {b: 1}}, upsert: true}]}",
                    "{update: 'writes', updates: [{q: {_id: 6, c: 2}, u: {'$setOnInsert': {b: 1}}, upsert: true}]}",
                    "{update: 'writes', updates: [{q: {_id: 7, c: {'$gt': 2}}, u: {'$inc': {b: 1}}, upsert: true}]}",
                    "{update: 'writes', updates: [{q: {_id: 8, 'd.e': 1}, u: {'$set': {b: 1}}, upsert: true}]}",
                    "{update: 'writes', updates: [{q: {_id: 9}, u: {b: 1}, upsert: true}]}",
                    "{update: 'writes', updates: [{q: {_id: 10}, u: {_id: 11, b: 1}, upsert: true}]}",
                    "{update: 'writes', updates: [{q: {c: 1}, u: {'$set': {c: 5}}}, {q: {c: 1}, u: {'$set': {c: 6}}}]}",
                    "{update: 'writes', updates: []}",
                    "{find: 'writes', sort: {_id: 1}}",
                    "{delete: 'writes', deletes: [{q: {_id: 1}, limit: 1}]}",
                    "{delete: 'writes', deletes: [{q: {_id: 1}, limit: 1}]}",
                    "{delete: 'writes', deletes: [{q: {b: 1, _id: {'$gt': 5}}, limit: 0}]}",
                    "{delete: 'writes', deletes: []}",
                    "{find: 'writes', sort: {_id: 1}}",
                    "{findAndModify: 'writes', query: {_id: 20}, update: {'$set': {a: 1}}, upsert: true, new: true}",
                    "{findAndModify: 'writes', query: {_id: 20}, update: {'$set': {a: 2}}}",
                    "{findAndModify: 'writes', query: {_id: 20}, update: {'$set': {a: 3}}, new: true, fields: {a: 1}}",
                    "{findAndModify: 'writes', query: {}, sort: {_id: -1}, update: {'$set': {last: true}}, new: true}",
                    "{findAndModify: 'writes', query: {_id: 20}, remove: true}",
                    "{findAndModify: 'writes', query: {_id: 20}, remove: true}",
                    "{findAndModify: 'writes', query: {_id: 20}, update: {'$set': {a: 3}}}",
                    "{findAndModify: 'writes', query: {_id: 20}, remove: true, new: true}",
                    "{findAndModify: 'writes', query: {_id: 20}}",
                    "{count: 'writes'}",
                    "{count: 'writes', query: {_id: {'$gt': 2}}, limit: 1}",
                    "{count: 'writes', query: {}, skip: 1}",
                    "{count: 'nowhere'}",
                    "{distinct: 'writes', key: 'b'}",
                    "{distinct: 'nowhere', key: 'b'}",
                    "{find: 'nowhere'}",
                    "{find: 'writes', skip: -1}",
                    "{find: 'writes', limit: 'x'}",
                    "{find: 'writes', filter: 1}",
                    "{find: 'writes', sort: {_id: 1}, skip: 1, limit: 2}",
                    "{delete: 'writes', deletes: [{q: {}, limit: 2}]}",
                    "{drop: 'writes'}",
                    "{drop: 'nowhere'}",
                    "{nothing: 1}",
                    "{createIndexes: 'indexed', indexes: [{key: {a: 1}, name: 'a_1', unique: true}]}",
                    "{insert: 'indexed', documents: [{_id: 1, a: 1}, {_id: 2, a: 1}]}",
                    "{insert: 'indexed', documents: [{_id: 3, a: 1.0}]}",
                    "{insert: 'indexed', documents: [{_id: 4}, {_id: 5}]}",
                    "{insert: 'indexed', documents: [{_id: 6, a: [7, 8]}, {_id: 7, a: 8}]}",
                    "{update: 'indexed', updates: [{q: {_id: 6}, u: {'$set': {a: 1}}}]}",
                    "{find: 'indexed', sort: {_id: 1}}",
                    "{createIndexes: 'indexed', indexes: [{key: {a: 1}, name: 'other', unique: true}]}",
                    "{createIndexes: 'indexed', indexes: [{key: {b: 1}, name: 'a_1'}]}",
                    "{dropIndexes: 'indexed', index: 'nothing'}",
                    "{dropIndexes: 'indexed', index: '_id_'}",
                    "{listIndexes: 'nowhere'}",
                    "{getMore: {'$numberLong': '5'}, collection: 'indexed'}");

    private MongoCases() {}

    /** A document for each value, in the field {@code a}, and one without it. */
    static List<BsonDocument> documents() {
        return documents(VALUES);
    }

    /** The documents that are sorted. */
    static List<BsonDocument> sortedDocuments() {
        return documents(SORTED);
    }

    /** The documents that each update is tried on. */
    static List<BsonDocument> changedDocuments() {
        return documents(CHANGED);
    }

    private static List<BsonDocument> documents(List<String> values) {
        List<BsonDocument> documents = new ArrayList<>();
        for (String value : values) {
            documents.add(numbered(documents.size()).append("a", value(value)));
        }
        documents.add(numbered(documents.size()));
        return documents;
    }

    private static BsonDocument numbered(int number) {
        return new BsonDocument("_id", new BsonInt32(number)).append("n", new BsonInt32(number));
    }

    private static BsonValue value(String text) {
        return BsonDocument.parse("{v: " + text + "}").values().iterator().next();
    }

    private static BsonDocument find(String filter) {
        return BsonDocument.parse("{find: 'items', filter: " + filter + ", sort: {_id: 1}}");
    }

    /** Finds documents with every operator of filters. */
    static Stream<BsonDocument> filters() {
        Stream<String> comparisons =
                Stream.of("a", "a.b", "a.0")
                        .flatMap(
                                path ->
                                        COMPARISONS.stream()
                                                .flatMap(
                                                        operator ->
                                                                VALUES.stream()
                                                                        .map(
                                                                                value ->
                                                                                        "{'%s': {'%s': %s}}"
                                                                                                .formatted(
                                                                                                        path,
                                                                                                        operator,
                                                                                                        value))));
        Stream<String> equalities = VALUES.stream().map(value -> "{a: " + value + "}");
        Stream<String> types = TYPES.stream().map(type -> "{a: {'$type': " + type + "}}");
        return Stream.of(comparisons, equalities, types, OPERATIONS_ON_PATHS.stream())
                .flatMap(each -> each)
                .map(MongoCases::find);
    }

    static Stream<BsonDocument> sortsAndProjections() {
        return Stream.concat(
                SORTS.stream()
                        .map(sort -> BsonDocument.parse("{find: 'sorted', sort: " + sort + "}")),
                PROJECTIONS.stream()
                        .map(projection -> find("{}").append("projection", value(projection))));
    }

    /** Every operator of updates with every value. */
    static Stream<BsonDocument> updates() {
        Stream<String> fields =
                FIELD_OPERATORS.stream()
                        .flatMap(
                                operator ->
                                        CHANGED.stream()
                                                .map(
                                                        value ->
                                                                "{'%s': {a: %s}}"
                                                                        .formatted(
                                                                                operator, value)));
        return Stream.concat(UPDATES.stream(), fields).map(BsonDocument::parse);
    }

    /** A statement for each document, so that each may fail by itself. */
    static BsonDocument updateEach(BsonDocument update) {
        BsonArray statements = new BsonArray();
        for (int i = 0; i <= CHANGED.size(); i++) {
            statements.add(
                    new BsonDocument("q", new BsonDocument("_id", new BsonInt32(i)))
                            .append("u", update));
        }
        return new BsonDocument("update", new BsonString("updated"))
                .append("updates", statements)
                .append("ordered", BsonBoolean.FALSE);
    }

    /** The number of the last of the documents that updates are tried on. */
    static int lastChanged() {
        return CHANGED.size();
    }

    /** Commands in an order. */
    static List<BsonDocument> commands() {
        return COMMANDS.stream().map(BsonDocument::parse).toList();
    }
}
