package orrery.query.execute;

import java.util.List;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.query.evaluate.ValueHash;

/**
 * One page.
 *
 * @param rows in the encoding
 * @param places of the rows, where a part of a sorted answer was asked for
 * @param hashes of the rows, where a part of an answer without duplicates was asked for
 * @param next where the next page begins; absent if nothing follows
 * @param steps that were computed for it, as {@link orrery.query.dialect.Effort} counts them
 */
public record QueryResult(
        RowEncoding encoding,
        List<Bytes> rows,
        List<RowPlace> places,
        List<ValueHash> hashes,
        Optional<Bytes> next,
        QueryMetrics metrics,
        long steps) {
    public QueryResult {
        rows = List.copyOf(rows);
        places = List.copyOf(places);
        hashes = List.copyOf(hashes);
    }
}
