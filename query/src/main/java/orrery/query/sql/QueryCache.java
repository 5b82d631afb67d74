package orrery.query.sql;

import java.util.function.Function;
import orrery.model.Bytes;
import orrery.query.SizedCache;
import orrery.query.syntax.QueryParser;

/**
 * The queries that were asked lately: clients ask the same text over and over, with other
 * parameters or for the next page, and parsing it takes longer than many an answer. Where a
 * partition is in the process of its gateway it finds the tree here, too. Safe to share.
 */
final class QueryCache {
    /** The cache of this process: all callers can share the tree of a text. */
    static final QueryCache OF_PROCESS = new QueryCache(8L << 20);

    /** Longer texts are made by programs, with other constants each time. */
    private static final int SHORT_CHARACTERS = 4096;

    private static final int SHORT_BYTES = 16 << 10;

    /** A node takes so much with the objects that it refers to. */
    private static final int BYTES_PER_NODE = 56;

    private static final int BYTES_PER_CHARACTER = 2;
    private static final int BYTES_PER_QUERY = 512;

    /**
     * Two of each, so that long queries that are asked once do not drive out short ones that come
     * again.
     */
    private final SizedCache<String, SqlTree> shortTexts;

    private final SizedCache<String, SqlTree> longTexts;
    private final SizedCache<Bytes, SqlTree> shortTrees;
    private final SizedCache<Bytes, SqlTree> longTrees;

    /**
     * @param maxBytes that the short texts take with their trees, about; as many again for the long
     *     ones, and both again for trees that came as bytes
     */
    QueryCache(long maxBytes) {
        this.shortTexts = new SizedCache<>(maxBytes);
        this.longTexts = new SizedCache<>(maxBytes);
        this.shortTrees = new SizedCache<>(maxBytes);
        this.longTrees = new SizedCache<>(maxBytes);
    }

    /** Like {@link QueryParser#query}, but remembers the trees of texts that are valid. */
    SqlTree parse(String text) {
        return get(
                text.length() > SHORT_CHARACTERS ? longTexts : shortTexts,
                text,
                (long) BYTES_PER_CHARACTER * text.length(),
                missing -> {
                    SqlTree parsed = SqlTree.of(QueryParser.query(missing));
                    trees(parsed.encoded()).put(parsed.encoded(), parsed, size(parsed));
                    return parsed;
                });
    }

    /** Like {@link SqlTree#read}, but remembers the trees of bytes that are valid. */
    SqlTree read(Bytes encoded) {
        return get(trees(encoded), encoded, 0, SqlTree::read);
    }

    private SizedCache<Bytes, SqlTree> trees(Bytes encoded) {
        return encoded.length() > SHORT_BYTES ? longTrees : shortTrees;
    }

    private static <K> SqlTree get(
            SizedCache<K, SqlTree> cache, K key, long keyBytes, Function<K, SqlTree> make) {
        SqlTree known = cache.find(key);
        if (known != null) {
            return known;
        }
        SqlTree made = make.apply(key);
        cache.put(key, made, keyBytes + size(made));
        return made;
    }

    private static long size(SqlTree tree) {
        return BYTES_PER_QUERY + tree.encoded().length() + (long) BYTES_PER_NODE * tree.nodes();
    }
}
