package orrery.query;

import java.util.List;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.TermRules;
import orrery.query.dialect.Program;
import orrery.query.dialect.RowLimit;
import orrery.query.execute.PreparedQuery;

/** A {@link Statement} in its surroundings. It makes things when they are asked for. */
public interface BoundQuery {
    Statement statement();

    /**
     * Makes it ready for partitions.
     *
     * @param isPart whether its answer is one of several that are merged
     * @param rules by which the index was made
     */
    PreparedQuery prepare(boolean isPart, TermRules rules);

    /** Makes the program that merges the groups of several partitions. */
    Program program();

    RowLimit limit();

    /**
     * Returns the partition keys in which its results lie, or prefixes of them; empty for any.
     *
     * @param encoding in which the container keeps items
     */
    Optional<List<PartitionKey>> keys(PartitionKeyDefinition definition, Encoding encoding);

    /**
     * Tells which queries a continuation is good for.
     *
     * @param keys names the partition keys in which its results lie
     */
    Bytes binding(String keys);

    /**
     * Returns true if each row is given as it is found, so that a position is all there is to go on
     * from.
     */
    boolean isRowByRow();

    /** Returns the query that has to be answered over all items first, if there is one. */
    Optional<Derived> derived();

    /**
     * A query over the results of another.
     *
     * @param inner gives the results
     * @param outer takes them for items
     */
    record Derived(BoundQuery inner, Program outer) {}
}
