package orrery.query.sql;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.query.dialect.Effort;
import orrery.query.dialect.GroupList;
import orrery.query.dialect.GroupTable;
import orrery.query.dialect.Program;
import orrery.query.dialect.ProgramRun;
import orrery.query.evaluate.Aggregation;
import orrery.query.evaluate.Bindings;
import orrery.query.evaluate.Evaluator;
import orrery.query.evaluate.Expression;
import orrery.query.evaluate.Groups;
import orrery.query.evaluate.Projection;
import orrery.query.evaluate.Rows;
import orrery.query.syntax.Query;

/** FROM, WHERE, SELECT, GROUP BY and the values of ORDER BY, compiled. */
final class SqlProgram implements Program {
    private final Query query;
    private final Bytes payload;
    private final Map<String, Value> parameters;
    private final Evaluator evaluator;
    private final Rows rows;
    private final Optional<Aggregation> aggregation;
    private final Optional<Projection> projection;
    private final List<Expression> sortValues;

    /**
     * Fails with BAD_REQUEST for what can never run.
     *
     * @param query that of the statement, or the one around it
     * @param evaluator with the parameters of the statement
     */
    SqlProgram(Query query, SqlStatement statement, Evaluator evaluator) {
        this.query = query;
        this.payload = statement.encoded().payload();
        this.parameters = statement.parameters();
        this.evaluator = evaluator;
        this.rows = new Rows(evaluator, query.from(), query.where());
        boolean aggregates = query.isGrouped();
        this.aggregation =
                aggregates ? Optional.of(new Aggregation(evaluator, query)) : Optional.empty();
        this.projection =
                aggregates ? Optional.empty() : Optional.of(new Projection(evaluator, query));
        // Groups sort by their keys, and by themselves.
        this.sortValues =
                aggregates || query.orderBy().isEmpty()
                        ? List.of()
                        : query.orderBy().get().items().stream()
                                .map(item -> evaluator.compile(item.value()))
                                .toList();
    }

    @Override
    public ProgramRun start(Effort effort) {
        return new Run(effort);
    }

    @Override
    public Bytes binding() {
        return QueryBinding.of(query, payload, parameters, evaluator, "");
    }

    private final class Run implements ProgramRun {
        private final Effort effort;
        private final @Nullable GroupTable groups;
        private Iterator<Bindings> rest = Collections.emptyIterator();
        private Bindings row = Bindings.empty();

        Run(Effort effort) {
            this.effort = effort;
            this.groups = aggregation.isPresent() ? new Table(aggregation.get().start()) : null;
        }

        @Override
        public void open(Value item) {
            rest = rows.of(item, effort);
        }

        @Override
        public boolean hasNext() {
            return rest.hasNext();
        }

        @Override
        public void next() {
            row = rest.next();
        }

        @Override
        public boolean matches() {
            return rows.accepts(row);
        }

        @Override
        public Optional<Value> result() {
            return projection.orElseThrow().apply(row);
        }

        @Override
        public List<Value> sortValues() {
            List<Value> values = new ArrayList<>(sortValues.size());
            for (Expression value : sortValues) {
                values.add(value.evaluate(row));
            }
            return values;
        }

        @Override
        public GroupTable groups() {
            if (groups == null) {
                throw new IllegalStateException("the query does not group");
            }
            return groups;
        }

        private final class Table implements GroupTable {
            private final Groups table;

            Table(Groups table) {
                this.table = table;
            }

            @Override
            public void add() {
                table.add(row);
            }

            @Override
            public int size() {
                return table.size();
            }

            @Override
            public long sizeBytes() {
                return table.sizeBytes();
            }

            @Override
            public Iterator<Bytes> states() {
                return table.states();
            }

            @Override
            public void merge(Bytes state) {
                table.merge(state);
            }

            @Override
            public Iterator<Value> results() {
                return table.results();
            }

            @Override
            public GroupList list() {
                return table.list();
            }
        }
    }
}
