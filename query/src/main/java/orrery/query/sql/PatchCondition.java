package orrery.query.sql;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import orrery.document.Value;
import orrery.model.codec.MalformedRecordException;
import orrery.query.Dialects;
import orrery.query.EncodedQuery;
import orrery.query.QuerySurroundings;
import orrery.query.evaluate.Evaluator;
import orrery.query.syntax.Condition;
import orrery.query.syntax.Query;
import orrery.query.syntax.QueryParser;
import orrery.query.syntax.Selection;

/**
 * The condition of a patch, as a tree. Clients write it as the end of a query: {@code from c where
 * c.v = 1}. It travels as the query that returns the items for which it holds.
 */
public final class PatchCondition {
    private static final Dialects DIALECTS = new Dialects(SqlDialect.INSTANCE);

    private final SqlStatement statement;

    private PatchCondition(SqlStatement statement) {
        this.statement = statement;
    }

    /**
     * Throws BAD_REQUEST for a text that is not a condition, NOT_IMPLEMENTED for one with a FROM
     * that has more than a name for the item.
     */
    public static PatchCondition parse(String text) {
        Condition parsed = QueryParser.condition(text);
        ItemFilter.requireAlias(parsed.from());
        return new PatchCondition(SqlStatement.of(query(parsed), text.length()));
    }

    /**
     * Throws BAD_REQUEST for a query that this node cannot read, and MalformedRecordException for
     * one that is not a condition.
     */
    public static PatchCondition read(EncodedQuery encoded) {
        SqlStatement statement = (SqlStatement) DIALECTS.read(encoded);
        Query query = statement.query();
        if (!query.equals(query(new Condition(query.from(), query.where())))) {
            throw new MalformedRecordException("a condition has a FROM and a WHERE only");
        }
        return new PatchCondition(statement);
    }

    private static Query query(Condition condition) {
        return new Query(
                false,
                Optional.empty(),
                new Selection.Everything(),
                condition.from(),
                condition.where(),
                List.of(),
                Optional.empty(),
                Optional.empty());
    }

    public EncodedQuery encoded() {
        return statement.encoded();
    }

    /** Makes it ready. Throws BAD_REQUEST for what can never be evaluated there. */
    public Predicate<Value.Obj> bind(QuerySurroundings surroundings) {
        Evaluator evaluator =
                new Evaluator(
                        Map.of(),
                        surroundings.clock(),
                        surroundings.space(),
                        surroundings.functions(),
                        surroundings.computed());
        Query query = statement.query();
        ItemFilter filter = ItemFilter.of(query.from(), query.where(), evaluator);
        return item -> filter.apply(item).isPresent();
    }
}
