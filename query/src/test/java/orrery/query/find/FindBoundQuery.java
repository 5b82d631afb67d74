package orrery.query.find;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import orrery.document.PropertyNames;
import orrery.document.TypeOrder;
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

/** A query of the test language, made ready. */
record FindBoundQuery(FindQuery query, ComputedProperties computed) implements BoundQuery {
    @Override
    public Statement statement() {
        return query;
    }

    @Override
    public PreparedQuery prepare(boolean isPart, TermRules rules) {
        return new PreparedQuery(
                program(),
                query.answer(),
                filter(rules),
                false,
                query.grouping().isPresent() ? SortOrder.NONE : order(),
                isPart ? query.limit().ofPart(query.isDistinct()) : query.limit(),
                isPart,
                PreparedQuery.RowForm.RESULT,
                new ReadNames(Optional.of(names()), Optional.of(names())),
                computed);
    }

    private IndexFilter filter(TermRules rules) {
        return switch (query.filter().size()) {
            case 0 -> new IndexFilter.Everything();
            case 1 -> query.filter().getFirst().bounds(rules);
            default ->
                    new IndexFilter.AllOf(
                            query.filter().stream().map(each -> each.bounds(rules)).toList());
        };
    }

    private SortOrder order() {
        return new SortOrder(
                query.sort().stream()
                        .map(
                                each ->
                                        new SortOrder.Column(
                                                new FindPath(each.path()).indexed(),
                                                each.isDescending()))
                        .toList(),
                TypeOrder.MONGODB,
                false);
    }

    private PropertyNames names() {
        Set<String> names = new HashSet<>(query.fields());
        query.filter().forEach(each -> names.add(new FindPath(each.path()).first()));
        query.sort().forEach(each -> names.add(new FindPath(each.path()).first()));
        query.grouping()
                .ifPresent(
                        each -> {
                            names.add(new FindPath(each.key()).first());
                            names.add(new FindPath(each.sum()).first());
                        });
        return new PropertyNames(names);
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
        return Optional.empty();
    }

    @Override
    public Bytes binding(String keys) {
        return FindProgram.binding(query, keys);
    }

    @Override
    public boolean isRowByRow() {
        return false;
    }

    @Override
    public Optional<Derived> derived() {
        return Optional.empty();
    }
}
