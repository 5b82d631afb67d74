package orrery.query.sql;

import java.util.List;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.TermRules;
import orrery.query.BoundQuery;
import orrery.query.QuerySurroundings;
import orrery.query.Statement;
import orrery.query.dialect.Program;
import orrery.query.dialect.RowLimit;
import orrery.query.evaluate.Evaluator;
import orrery.query.evaluate.LimitClauses;
import orrery.query.execute.PreparedQuery;
import orrery.query.plan.KeyFilter;
import orrery.query.syntax.Query;
import orrery.query.syntax.QueryError;

/** A SQL query in its surroundings. */
final class SqlBoundQuery implements BoundQuery {
    private final SqlStatement statement;
    private final Evaluator evaluator;

    SqlBoundQuery(SqlStatement statement, QuerySurroundings surroundings) {
        this(
                statement,
                new Evaluator(
                        statement.parameters(),
                        surroundings.clock(),
                        surroundings.space(),
                        surroundings.functions(),
                        surroundings.computed()));
    }

    private SqlBoundQuery(SqlStatement statement, Evaluator evaluator) {
        this.statement = statement;
        this.evaluator = evaluator;
    }

    @Override
    public Statement statement() {
        return statement;
    }

    @Override
    public PreparedQuery prepare(boolean isPart, TermRules rules) {
        return SqlPreparation.prepare(statement, evaluator, isPart, rules);
    }

    @Override
    public Program program() {
        return new SqlProgram(statement.query(), statement, evaluator);
    }

    @Override
    public RowLimit limit() {
        return LimitClauses.of(evaluator, statement.query());
    }

    @Override
    public Optional<List<PartitionKey>> keys(PartitionKeyDefinition definition, Encoding encoding) {
        return KeyFilter.keys(statement.query(), evaluator, definition, encoding);
    }

    @Override
    public Bytes binding(String keys) {
        return QueryBinding.of(
                statement.query(),
                statement.encoded().payload(),
                statement.parameters(),
                evaluator,
                keys);
    }

    @Override
    public boolean isRowByRow() {
        Query query = statement.query();
        return !query.distinct()
                && !query.isGrouped()
                && query.derived().isEmpty()
                && query.top().isEmpty()
                && query.window().isEmpty();
    }

    @Override
    public Optional<Derived> derived() {
        return statement
                .derived()
                .map(inner -> new Derived(new SqlBoundQuery(inner, evaluator), outer()));
    }

    private Program outer() {
        Query outer = statement.query().overDerived();
        if (outer.orderBy().isPresent()) {
            throw QueryError.engine(
                    "ORDER BY is not supported over the results of a query in the FROM clause.");
        }
        return new SqlProgram(outer, statement, evaluator);
    }
}
