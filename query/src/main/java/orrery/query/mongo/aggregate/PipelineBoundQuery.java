package orrery.query.mongo.aggregate;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import orrery.document.PropertyNames;
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
import orrery.query.execute.PreparedQuery;
import orrery.query.mongo.find.ReadFields;

/**
 * A pipeline for a container. The read inside says how documents are found.
 *
 * @param find the read
 */
record PipelineBoundQuery(PipelineStatement query, BoundQuery find) implements BoundQuery {
    @Override
    public Statement statement() {
        return query;
    }

    @Override
    public PreparedQuery prepare(boolean isPart, TermRules rules) {
        PreparedQuery found = find.prepare(isPart, rules);
        boolean isGrouped = query.answer().isGrouped();
        return new PreparedQuery(
                program(),
                query.answer(),
                found.filter(),
                found.isExact() && query.chain().isOneOfEach(),
                isGrouped ? SortOrder.NONE : found.order(),
                found.limit(),
                isPart,
                PreparedQuery.RowForm.RESULT,
                names(),
                found.computed());
    }

    private ReadNames names() {
        Set<String> candidates = new HashSet<>();
        Optional<Set<String>> results = query.readNames();
        if (results.isEmpty()
                || !ReadFields.collect(query.find().matcher().condition(), candidates)) {
            return ReadNames.ANY;
        }
        query.find().sort().columns().forEach(column -> candidates.add(column.path().first()));
        candidates.addAll(results.get());
        return new ReadNames(
                Optional.of(new PropertyNames(candidates)),
                Optional.of(new PropertyNames(results.get())));
    }

    @Override
    public Program program() {
        return new PipelineProgram(query);
    }

    @Override
    public RowLimit limit() {
        return find.limit();
    }

    @Override
    public Optional<List<PartitionKey>> keys(PartitionKeyDefinition definition, Encoding encoding) {
        return find.keys(definition, encoding);
    }

    @Override
    public Bytes binding(String keys) {
        return PipelineProgram.binding(query, keys);
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
