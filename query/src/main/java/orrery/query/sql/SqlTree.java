package orrery.query.sql;

import orrery.model.Bytes;
import orrery.query.syntax.CalledFunctions;
import orrery.query.syntax.Query;
import orrery.query.syntax.SyntaxSize;

/**
 * The syntax tree of a query, and the bytes in which it travels.
 *
 * @param nodes how many expressions it has
 * @param isTimeless false if an expression depends on when it was made ready
 */
record SqlTree(Query query, Bytes encoded, int nodes, boolean isTimeless) {
    static SqlTree of(Query query) {
        return of(query, TreeWriter.write(query));
    }

    private static SqlTree of(Query query, Bytes encoded) {
        return new SqlTree(
                query, encoded, SyntaxSize.of(query), CalledFunctions.areTimeless(query));
    }

    /** Throws MalformedRecordException for bytes that no tree was written to. */
    static SqlTree read(Bytes encoded) {
        return of(TreeReader.read(encoded), encoded);
    }
}
