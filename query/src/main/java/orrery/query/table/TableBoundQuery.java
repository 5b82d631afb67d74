package orrery.query.table;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import orrery.document.IndexPath;
import orrery.document.PropertyNames;
import orrery.document.TypeOrder;
import orrery.document.edm.StoredNames;
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

/** A query over a table, for a container with some computed properties. */
record TableBoundQuery(TableStatement query, ComputedProperties computed) implements BoundQuery {
    static final IndexPath PARTITION_KEY = IndexPath.of(StoredNames.STORED_PARTITION_KEY);
    static final IndexPath ROW_KEY = IndexPath.of(StoredNames.STORED_ROW_KEY);

    /** The property of the service with the seconds of the last write. */
    static final String WRITE_TIME = "_ts";

    private static final SortOrder ORDER =
            new SortOrder(
                    List.of(
                            new SortOrder.Column(PARTITION_KEY, false),
                            new SortOrder.Column(ROW_KEY, false)),
                    TypeOrder.SQL,
                    false,
                    true);

    @Override
    public Statement statement() {
        return query;
    }

    @Override
    public PreparedQuery prepare(boolean isPart, TermRules rules) {
        Optional<PropertyNames> names = Optional.of(names());
        return new PreparedQuery(
                program(),
                query.answer(),
                TableBounds.of(query.filter(), rules),
                false,
                ORDER,
                RowLimit.NONE,
                isPart,
                query.select().isPresent()
                        ? PreparedQuery.RowForm.RESULT
                        : PreparedQuery.RowForm.ITEM_AND_ETAG,
                new ReadNames(names, names),
                computed);
    }

    /** The properties that are compared, sorted by or returned; whole items are not read for it. */
    private PropertyNames names() {
        Set<String> names = new HashSet<>();
        names.add(StoredNames.STORED_PARTITION_KEY);
        names.add(StoredNames.STORED_ROW_KEY);
        collect(query.filter(), names);
        if (names.contains(StoredNames.ETAG)) {
            // The index has the time of writes, and candidates are held to what led to them.
            names.add(WRITE_TIME);
        }
        if (query.select().isPresent()) {
            names.addAll(TableProgram.selected(query.select().get()));
        }
        return new PropertyNames(names);
    }

    private static void collect(TableFilter filter, Set<String> names) {
        switch (filter) {
            case TableFilter.Comparison(String property, _, _) -> names.add(stored(property));
            case TableFilter.Flag(String property) -> names.add(stored(property));
            case TableFilter.Not(TableFilter inner) -> collect(inner, names);
            case TableFilter.And(List<TableFilter> all) ->
                    all.forEach(each -> collect(each, names));
            case TableFilter.Or(List<TableFilter> any) -> any.forEach(each -> collect(each, names));
            case TableFilter.Constant _ -> {}
        }
    }

    /** Returns the name in an item of any property, keys and time among them. */
    static String stored(String property) {
        return switch (property) {
            case StoredNames.PARTITION_KEY -> StoredNames.STORED_PARTITION_KEY;
            case StoredNames.ROW_KEY -> StoredNames.STORED_ROW_KEY;
            case StoredNames.TIMESTAMP -> StoredNames.ETAG;
            default -> StoredNames.stored(property);
        };
    }

    @Override
    public Program program() {
        return new TableProgram(query);
    }

    @Override
    public RowLimit limit() {
        return RowLimit.NONE;
    }

    @Override
    public Optional<List<PartitionKey>> keys(PartitionKeyDefinition definition, Encoding encoding) {
        return TableKeys.of(query.filter(), definition);
    }

    @Override
    public Bytes binding(String keys) {
        return TableProgram.binding(keys);
    }

    @Override
    public boolean isRowByRow() {
        return true;
    }

    @Override
    public Optional<Derived> derived() {
        return Optional.empty();
    }
}
