package orrery.query.mongo.aggregate;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import orrery.document.BsonCodec;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.OrreryException;
import orrery.model.codec.MalformedRecordException;
import orrery.query.dialect.GroupList;
import orrery.query.dialect.GroupTable;
import orrery.query.mongo.ValuePlaces;
import orrery.query.mongo.expression.Variables;

/** The groups of {@code $group}, by the names of their ids, as they came. */
final class Groups implements GroupTable {
    private final GroupSpec spec;
    private final Supplier<Variables> document;
    private final Map<Bytes, Group> groups = new LinkedHashMap<>();
    private final StageMemory memory = new StageMemory("$group");

    /**
     * @param document the present one
     */
    Groups(GroupSpec spec, Supplier<Variables> document) {
        this.spec = spec;
        this.document = document;
    }

    @Override
    public void add() {
        Variables variables = document.get();
        Value id = spec.id().evaluate(variables);
        grow(group(id.isDefined() ? id : Value.Null.NULL).add(variables));
    }

    private Group group(Value id) {
        Bytes place = ValuePlaces.of(id, spec.context().order());
        Group present = groups.get(place);
        if (present != null) {
            return present;
        }
        Group made = new Group(id, spec.fields());
        groups.put(place, made);
        grow(made.emptyBytes() + place.length());
        return made;
    }

    private void grow(long bytes) {
        memory.add(bytes);
    }

    @Override
    public int size() {
        return groups.size();
    }

    @Override
    public long sizeBytes() {
        return memory.bytes();
    }

    @Override
    public Iterator<Bytes> states() {
        return groups.values().stream().map(Group::state).iterator();
    }

    @Override
    public void merge(Bytes state) {
        Map<String, Value> parts;
        try {
            parts = BsonCodec.read(state).properties();
        } catch (OrreryException damaged) {
            throw new MalformedRecordException("the state of a group is no document");
        }
        try {
            grow(group(Group.id(parts)).merge(parts));
        } catch (IllegalArgumentException
                | IllegalStateException
                | ClassCastException
                | IndexOutOfBoundsException damaged) {
            throw new MalformedRecordException("the state of a group is damaged");
        }
    }

    @Override
    public Iterator<Value> results() {
        return groups.values().stream().map(Group::result).map(Value.class::cast).iterator();
    }

    @Override
    public GroupList list() {
        return ValuePlaces.list(groups, Group::result);
    }
}
