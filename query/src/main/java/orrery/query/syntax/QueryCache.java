package orrery.query.syntax;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The queries that were asked lately: clients ask the same text over and over, with other
 * parameters or for the next page, and parsing it takes longer than many an answer. Safe to share.
 */
public final class QueryCache {
    private static final int MAX_QUERIES = 512;

    /** In UTF-16 units. Longer texts are made by programs, with other constants each time. */
    private static final int MAX_TEXT = 4096;

    private final Map<String, Query> queries =
            new LinkedHashMap<>(16, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Query> eldest) {
                    return size() > MAX_QUERIES;
                }
            };

    /** As {@link QueryParser#query}; texts that fail are not remembered. */
    public Query get(String text) {
        if (text.length() > MAX_TEXT) {
            return QueryParser.query(text);
        }
        Query known = find(text);
        if (known != null) {
            return known;
        }
        Query parsed = QueryParser.query(text);
        synchronized (queries) {
            queries.put(text, parsed);
        }
        return parsed;
    }

    private @Nullable Query find(String text) {
        synchronized (queries) {
            return queries.get(text);
        }
    }
}
