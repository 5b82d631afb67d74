package orrery.query.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.Value;
import orrery.document.edm.EdmValue;
import orrery.document.edm.StoredNames;
import orrery.model.Bytes;
import orrery.model.Etag;
import orrery.model.FileTime;
import orrery.model.Item;
import orrery.model.codec.BinaryWriter;
import orrery.query.dialect.Effort;
import orrery.query.dialect.GroupTable;
import orrery.query.dialect.Program;
import orrery.query.dialect.ProgramRun;
import orrery.query.evaluate.ValueHash;

/** One row for each entity: the item, or the selected properties of it. */
final class TableProgram implements Program {
    private final TableFilter filter;
    private final StoredFilter stored;
    private final List<String> selected;

    TableProgram(TableStatement query) {
        this.filter = query.filter();
        this.stored = new StoredFilter(query.filter());
        this.selected = query.select().map(TableProgram::selected).orElse(List.of());
    }

    /** Returns the names in items of what a row has if these properties are selected. */
    static List<String> selected(List<String> properties) {
        List<String> names = new ArrayList<>();
        names.add(StoredNames.STORED_PARTITION_KEY);
        names.add(StoredNames.STORED_ROW_KEY);
        for (String property : properties) {
            String name = TableBoundQuery.stored(property);
            if (!names.contains(name) && !name.equals(StoredNames.ETAG)) {
                names.add(name);
            }
        }
        names.add(StoredNames.ETAG);
        return names;
    }

    @Override
    public ProgramRun start(Effort effort) {
        return new Run(effort);
    }

    @Override
    public Bytes binding() {
        return binding("");
    }

    /** A place in the order is one for every filter, but only among these keys. */
    static Bytes binding(String keys) {
        ValueHash hash = ValueHash.of(Value.of(TableDialect.NAME + ' ' + keys));
        return new BinaryWriter().u64(hash.low()).toBytes();
    }

    private final class Run implements ProgramRun {
        private final Effort effort;
        private final StoredFilter.Look look = stored.look();
        private Map<String, Value> item = Map.of();
        private boolean hasNext;

        Run(Effort effort) {
            this.effort = effort;
        }

        @Override
        public boolean mayMatch(Item next) {
            return look.mayMatch(next.body(), effort);
        }

        @Override
        public void open(Value next) {
            item = next instanceof Value.Obj(Map<String, Value> properties) ? properties : Map.of();
            hasNext = true;
        }

        @Override
        public boolean hasNext() {
            return hasNext;
        }

        @Override
        public void next() {
            hasNext = false;
        }

        @Override
        public boolean matches() {
            return find(StoredNames.STORED_PARTITION_KEY) instanceof Value.Text
                    && find(StoredNames.STORED_ROW_KEY) instanceof Value.Text
                    && matches(filter);
        }

        private boolean matches(TableFilter condition) {
            return switch (condition) {
                case TableFilter.Comparison(
                                String property,
                                TableFilter.Operator operator,
                                EdmValue constant) -> {
                    Optional<EdmValue> value = value(property);
                    yield value.isPresent() && EdmComparison.holds(value.get(), operator, constant);
                }
                case TableFilter.And(List<TableFilter> all) -> {
                    for (TableFilter each : all) {
                        if (!matches(each)) {
                            yield false;
                        }
                    }
                    yield true;
                }
                case TableFilter.Or(List<TableFilter> any) -> {
                    for (TableFilter each : any) {
                        if (matches(each)) {
                            yield true;
                        }
                    }
                    yield false;
                }
                case TableFilter.Not(TableFilter inner) -> !matches(inner);
                case TableFilter.Flag(String property) ->
                        value(property).equals(Optional.of(new EdmValue.Bool(true)));
                case TableFilter.Constant(boolean value) -> value;
            };
        }

        private Optional<EdmValue> value(String property) {
            Value stored = find(TableBoundQuery.stored(property));
            effort.add(stored instanceof Value.Text(String text) ? text.length() + 1 : 1);
            return switch (property) {
                case StoredNames.PARTITION_KEY, StoredNames.ROW_KEY ->
                        stored instanceof Value.Text(String text)
                                ? Optional.of(new EdmValue.Text(text))
                                : Optional.empty();
                case StoredNames.TIMESTAMP ->
                        stored instanceof Value.Text(String text)
                                ? Etag.parse(text)
                                        .flatMap(FileTime::ofEtag)
                                        .map(EdmValue.Moment::of)
                                : Optional.empty();
                default -> EdmValue.ofStored(stored);
            };
        }

        private Value find(String name) {
            return item.getOrDefault(name, Value.Undefined.UNDEFINED);
        }

        @Override
        public Optional<Value> result() {
            Map<String, Value> found = new LinkedHashMap<>();
            for (String name : selected) {
                Value value = find(name);
                if (value.isDefined()) {
                    found.put(name, value);
                }
            }
            return Optional.of(new Value.Obj(found));
        }

        @Override
        public List<Value> sortValues() {
            return List.of(
                    find(StoredNames.STORED_PARTITION_KEY), find(StoredNames.STORED_ROW_KEY));
        }

        @Override
        public GroupTable groups() {
            throw new IllegalStateException("the query does not group");
        }
    }
}
