package orrery.query.syntax;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The queries that were asked lately: clients ask the same text over and over, with other
 * parameters or for the next page, and parsing it takes longer than many an answer. Moreover a
 * request needs the tree where it is received, where it is routed and where it is answered. Safe to
 * share.
 */
public final class QueryCache {
    /** The cache of this process: all callers can share the tree of a text. */
    public static final QueryCache OF_PROCESS = new QueryCache(16L << 20);

    /** In UTF-16 units. Longer texts are made by programs, with other constants each time. */
    private static final int SHORT = 4096;

    /** A node takes so much with the objects that it refers to. */
    private static final int BYTES_PER_NODE = 56;

    private static final int BYTES_PER_CHARACTER = 2;
    private static final int BYTES_PER_QUERY = 512;

    /** Two, so that long texts that are asked once do not drive out short ones that come again. */
    private final Shelf shortOnes;

    private final Shelf longOnes;

    private record Parsed(Query query, long bytes) {}

    /**
     * @param maxBytes that texts and trees take, about: so many for short texts, and as many again
     *     for long ones
     */
    public QueryCache(long maxBytes) {
        this.shortOnes = new Shelf(maxBytes);
        this.longOnes = new Shelf(maxBytes);
    }

    /** Like {@link QueryParser#query}, but remembers the trees of texts that are valid. */
    public Query get(String text) {
        Shelf shelf = text.length() > SHORT ? longOnes : shortOnes;
        Query known = shelf.find(text);
        if (known != null) {
            return known;
        }
        Query parsed = QueryParser.query(text);
        shelf.put(text, parsed);
        return parsed;
    }

    /** Holds as much as it may, and lets go of what was not asked for longest. */
    private static final class Shelf {
        private final long maxBytes;
        private final Map<String, Parsed> queries = new LinkedHashMap<>(16, 0.75f, true);
        private long bytes;

        Shelf(long maxBytes) {
            this.maxBytes = maxBytes;
        }

        synchronized @Nullable Query find(String text) {
            Parsed known = queries.get(text);
            return known == null ? null : known.query();
        }

        void put(String text, Query query) {
            long size =
                    BYTES_PER_QUERY
                            + (long) BYTES_PER_CHARACTER * text.length()
                            + (long) BYTES_PER_NODE * SyntaxSize.of(query);
            if (size <= maxBytes) {
                put(text, new Parsed(query, size));
            }
        }

        private synchronized void put(String text, Parsed parsed) {
            Parsed before = queries.put(text, parsed);
            bytes += parsed.bytes() - (before == null ? 0 : before.bytes());
            Iterator<Parsed> eldest = queries.values().iterator();
            while (bytes > maxBytes) {
                bytes -= eldest.next().bytes();
                eldest.remove();
            }
        }
    }
}
