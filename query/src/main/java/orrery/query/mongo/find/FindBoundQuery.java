package orrery.query.mongo.find;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import orrery.document.IndexPath;
import orrery.document.PropertyNames;
import orrery.document.TypeOrder;
import orrery.document.ValueTag;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.TermRules;
import orrery.query.BoundQuery;
import orrery.query.Statement;
import orrery.query.dialect.Program;
import orrery.query.dialect.ReadNames;
import orrery.query.dialect.RowLimit;
import orrery.query.dialect.SortOrder;
import orrery.query.evaluate.ComputedProperties;
import orrery.query.execute.PreparedQuery;
import orrery.query.index.IndexFilter;
import orrery.query.index.ValueRanges;
import orrery.query.mongo.FieldPath;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.match.Condition;

/** A read, for a container with some computed properties. */
record FindBoundQuery(FindStatement query, ComputedProperties computed) implements BoundQuery {
    @Override
    public Statement statement() {
        return query;
    }

    @Override
    public PreparedQuery prepare(boolean isPart, TermRules rules) {
        Condition condition = query.matcher().condition();
        IndexFilter bounds =
                IndexHint.of(
                        query.options().hint(), FilterBounds.of(condition, rules, query.order()));
        boolean isExact = condition instanceof Condition.And(List<Condition> all) && all.isEmpty();
        return new PreparedQuery(
                program(),
                query.answer(),
                bounds,
                isExact,
                query.answer().isGrouped() ? SortOrder.NONE : order(rules),
                isPart ? limit().ofPart(false) : limit(),
                isPart,
                query.projection().isEmpty() && !query.answer().isGrouped()
                        ? PreparedQuery.RowForm.ITEM
                        : PreparedQuery.RowForm.RESULT,
                names(),
                computed);
    }

    private SortOrder order(TermRules rules) {
        List<SortSpec.Column> columns = query.sort().columns();
        if (columns.isEmpty()) {
            return SortOrder.NONE;
        }
        List<SortOrder.Column> indexed = new ArrayList<>();
        List<IndexFilter.OnPath> elsewhere = new ArrayList<>();
        for (SortSpec.Column column : columns) {
            IndexPath path = IndexPath.of(column.path().parts().toArray(String[]::new));
            elsewhere.add(
                    new IndexFilter.OnPath(
                            path,
                            spoilers(columns.size() > 1, query.order().isSimple()),
                            Optional.empty(),
                            rules));
            elsewhere.addAll(FilterBounds.throughArrays(column.path(), rules));
            indexed.add(new SortOrder.Column(path, column.isDescending()));
        }
        ValueRanges within = ValueRanges.EVERY;
        if (columns.size() == 1) {
            FieldPath path = columns.getFirst().path();
            within =
                    FilterBounds.ofScalars(query.matcher().condition(), path, rules, query.order());
            if (path.equals(FindStatement.ID)) {
                within = within.intersect(ValueBounds.PRESENT); // items have one
            }
        }
        return new SortOrder(
                indexed,
                TypeOrder.MONGODB,
                false,
                false,
                Optional.of(
                        new SortOrder.ByElements(
                                elsewhere,
                                within,
                                IndexHint.mayGiveOrder(query.options().hint(), columns),
                                MongoCode.QUERY_EXCEEDED_MEMORY.number())));
    }

    /**
     * The values whose places in an index are not those in the order. A composite index has arrays
     * and objects among the absent values, and tells these from null. Under a collation the places
     * of strings are others, and those of objects, which may hold strings.
     */
    private static ValueRanges spoilers(boolean isComposite, boolean isSimple) {
        List<ValueRanges> types = new ArrayList<>();
        types.add(ValueBounds.type(ValueTag.UNDEF));
        types.add(ValueBounds.type(ValueTag.ARRAY));
        if (isComposite) {
            types.add(ValueBounds.type(ValueTag.NULL));
        }
        if (isComposite || !isSimple) {
            types.add(ValueBounds.type(ValueTag.OBJECT));
        }
        if (!isSimple) {
            types.add(ValueRanges.TEXTS);
            types.add(ValueBounds.type(ValueTag.SCOPED_CODE));
        }
        return ValueRanges.union(types);
    }

    private ReadNames names() {
        Set<String> candidates = new HashSet<>();
        if (!ReadFields.collect(query.matcher().condition(), candidates)) {
            return ReadNames.ANY;
        }
        query.sort().columns().forEach(column -> candidates.add(column.path().first()));
        Optional<Set<String>> results = resultNames();
        if (results.isEmpty()) {
            return ReadNames.ANY;
        }
        Set<String> matches = results.get();
        candidates.addAll(matches);
        return new ReadNames(
                Optional.of(new PropertyNames(candidates)),
                Optional.of(new PropertyNames(matches)));
    }

    /** The names that results are made of; whole items are not read for it. */
    private Optional<Set<String>> resultNames() {
        return switch (query.options().answer()) {
            case FindOptions.Answer.Count() -> Optional.of(Set.of());
            case FindOptions.Answer.Distinct(String key) ->
                    Optional.of(Set.of(FieldPath.of(key).first()));
            case FindOptions.Answer.Documents() ->
                    query.projection().isEmpty()
                            ? Optional.of(Set.of())
                            : query.projection()
                                    .get()
                                    .names()
                                    .map(
                                            names -> {
                                                Set<String> all = new HashSet<>(names);
                                                all.add(Projection.ID);
                                                return all;
                                            });
        };
    }

    @Override
    public Program program() {
        return new FindProgram(query);
    }

    @Override
    public RowLimit limit() {
        return query.limit();
    }

    @Override
    public Optional<List<PartitionKey>> keys(PartitionKeyDefinition definition, Encoding encoding) {
        return encoding == Encoding.BSON ? query.keys(definition) : Optional.empty();
    }

    @Override
    public Bytes binding(String keys) {
        return FindProgram.binding(query, keys);
    }

    @Override
    public boolean isRowByRow() {
        return !query.answer().isGrouped() && limit().isNone();
    }

    @Override
    public Optional<Derived> derived() {
        return Optional.empty();
    }
}
