package orrery.partition;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import orrery.document.BodyFormat;
import orrery.document.BsonCodec;
import orrery.document.UniqueIndex;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.DerivedRow;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.query.mongo.match.MatchContext;
import orrery.query.mongo.match.Matcher;

/**
 * Looks at a body for the unique indexes of its container, at the leader and before the log: which
 * filters it matches is logged, because applying never evaluates one. Filters are compiled once.
 * Bounded: the cache starts anew when full.
 */
final class PartialIndexes {
    private static final int MAX_FILTERS = 1024;

    /** The number that MongoDB has for an item with two arrays in one index. */
    private static final int CANNOT_INDEX_PARALLEL_ARRAYS = 171;

    private static final Map<Bytes, Matcher> COMPILED = new ConcurrentHashMap<>();

    private PartialIndexes() {}

    /** A row for each filter that the body matches. */
    static List<DerivedRow> matched(List<UniqueIndex> indexes, Encoding encoding, Bytes body) {
        List<DerivedRow> rows = new ArrayList<>();
        Value.@Nullable Obj document = null;
        for (UniqueIndex index : indexes) {
            if (index.filter().isPresent()) {
                document = document == null ? BodyFormat.of(encoding).value(body) : document;
                if (matcher(index.filter().get()).matches(document)) {
                    rows.add(new DerivedRow(DerivedRow.MATCHED, index.name(), Bytes.EMPTY));
                }
            }
        }
        return rows;
    }

    /** Throws with MongoDB's code for what is no filter; it reads no clock. */
    static Matcher matcher(Bytes filter) {
        if (COMPILED.size() >= MAX_FILTERS) {
            COMPILED.clear();
        }
        return COMPILED.computeIfAbsent(
                filter,
                bson -> Matcher.compile(BsonCodec.read(bson), MatchContext.of(Instant.EPOCH)));
    }

    static void refuseParallelArrays(List<UniqueIndex> indexes, Encoding encoding, Bytes body) {
        if (indexes.isEmpty()) {
            return;
        }
        Value.Obj read = UniqueIndex.read(indexes, encoding, body);
        for (UniqueIndex index : indexes) {
            if (index.hasParallelArrays(read)) {
                throw new OrreryException(
                                ErrorCode.BAD_REQUEST,
                                "cannot index parallel arrays: two fields of the index "
                                        + index.name()
                                        + " are arrays")
                        .withLanguageCode(CANNOT_INDEX_PARALLEL_ARRAYS);
            }
        }
    }
}
