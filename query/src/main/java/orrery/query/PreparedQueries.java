package orrery.query;

import java.util.function.Supplier;
import orrery.model.TermRules;
import orrery.query.execute.PreparedQuery;

/**
 * The queries that were made ready lately. Every page of a query, and every client that asks the
 * same, runs the same {@link PreparedQuery}. Safe to share.
 */
public final class PreparedQueries {
    private static final long MAX_BYTES = 16L << 20;

    /** Compiled expressions take about so much for each node of a query and value of parameters. */
    private static final int BYTES_PER_NODE = 256;

    private static final int BYTES_PER_QUERY = 2 << 10;

    private final Dialects dialects;
    private final SizedCache<Key, Ready> known = new SizedCache<>(MAX_BYTES);

    /**
     * The conditions under which a query that was made ready can be used again.
     *
     * @param definition version of the container's definition
     * @param rules by which the index of the partition was made
     */
    public record Key(
            EncodedQuery query, boolean isPart, int container, long definition, TermRules rules) {}

    /**
     * A query that can run, and what it took to get there.
     *
     * @param readNanos to read its payload
     * @param prepareNanos to make it ready
     */
    public record Ready(PreparedQuery query, QuerySize size, long readNanos, long prepareNanos) {
        private Ready again() {
            return new Ready(query, size, 0, 0);
        }
    }

    public PreparedQueries(Dialects dialects) {
        this.dialects = dialects;
    }

    /**
     * Makes a query ready, unless that was done before. Fails with BAD_REQUEST for what can never
     * run.
     */
    public Ready get(Key key, Supplier<QuerySurroundings> surroundings) {
        Ready before = known.find(key);
        if (before != null) {
            return before;
        }
        long began = System.nanoTime();
        Statement statement = dialects.read(key.query());
        Ready ready = prepare(statement, key.isPart(), key.rules(), began, surroundings.get());
        // Functions of users live as long as a page.
        if (statement.isTimeless() && statement.functions().isEmpty()) {
            known.put(key, ready.again(), size(key, ready));
        }
        return ready;
    }

    /** Makes a query ready that is not kept: it runs in surroundings that do not come again. */
    public Ready once(
            EncodedQuery query, boolean isPart, TermRules rules, QuerySurroundings surroundings) {
        long began = System.nanoTime();
        return prepare(dialects.read(query), isPart, rules, began, surroundings);
    }

    private static Ready prepare(
            Statement statement,
            boolean isPart,
            TermRules rules,
            long began,
            QuerySurroundings surroundings) {
        long afterRead = System.nanoTime();
        PreparedQuery query = statement.bind(surroundings).prepare(isPart, rules);
        return new Ready(query, statement.size(), afterRead - began, System.nanoTime() - afterRead);
    }

    private static long size(Key key, Ready ready) {
        return BYTES_PER_QUERY
                + key.query().payload().length()
                + 2 * ready.size().characters()
                + BYTES_PER_NODE * ready.size().nodes();
    }
}
