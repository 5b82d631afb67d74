package orrery.query.find;

import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import orrery.document.BsonCodec;
import orrery.document.IndexValue;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.query.dialect.Effort;
import orrery.query.dialect.GroupList;
import orrery.query.dialect.GroupTable;
import orrery.query.dialect.Program;
import orrery.query.dialect.ProgramRun;

/** One row for each item, which is an object of the wanted fields. */
record FindProgram(FindQuery query) implements Program {
    @Override
    public ProgramRun start(Effort effort) {
        return new Run(effort);
    }

    @Override
    public Encoding encoding() {
        return Encoding.BSON;
    }

    @Override
    public Bytes binding() {
        return binding(query, "");
    }

    static Bytes binding(FindQuery query, String keys) {
        return new BinaryWriter().u64(Objects.hash(query.encoded().payload(), keys)).toBytes();
    }

    private final class Run implements ProgramRun {
        private final Effort effort;
        private final Groups groups = new Groups(this);
        private Value item = Value.Undefined.UNDEFINED;
        private boolean hasNext;

        Run(Effort effort) {
            this.effort = effort;
        }

        @Override
        public void open(Value next) {
            item = next;
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
            effort.add(query.filter().size());
            return query.filter().stream().allMatch(condition -> condition.matches(item));
        }

        @Override
        public Optional<Value> result() {
            Map<String, Value> found = new LinkedHashMap<>();
            for (String field : query.fields()) {
                Value value = new FindPath(field).of(item);
                if (value.isDefined()) {
                    found.put(field, value);
                }
            }
            return Optional.of(new Value.Obj(found));
        }

        @Override
        public List<Value> sortValues() {
            return query.sort().stream().map(each -> new FindPath(each.path()).of(item)).toList();
        }

        @Override
        public GroupTable groups() {
            return groups;
        }
    }

    /** A group by the index form of its key, which tells values apart as the language does. */
    private final class Groups implements GroupTable {
        private final Run run;
        private final Map<Bytes, Group> groups = new LinkedHashMap<>();

        Groups(Run run) {
            this.run = run;
        }

        @Override
        public void add() {
            FindQuery.Grouping grouping = query.grouping().orElseThrow();
            Value number = new FindPath(grouping.sum()).of(run.item);
            add(
                    new FindPath(grouping.key()).of(run.item),
                    1,
                    number instanceof Value.Int(long value) ? value : 0);
        }

        private void add(Value key, long count, long sum) {
            Group group = groups.computeIfAbsent(IndexValue.encodeWhole(key), _ -> new Group(key));
            group.count += count;
            group.sum += sum;
        }

        @Override
        public int size() {
            return groups.size();
        }

        @Override
        public long sizeBytes() {
            return 256L * groups.size();
        }

        @Override
        public Iterator<Bytes> states() {
            return groups.values().stream().map(Group::state).iterator();
        }

        @Override
        public void merge(Bytes state) {
            BinaryReader in = new BinaryReader(state);
            Value key =
                    BsonCodec.read(in.bytes())
                            .properties()
                            .getOrDefault("key", Value.Undefined.UNDEFINED);
            add(key, in.u64(), in.u64());
            in.expectEnd();
        }

        @Override
        public Iterator<Value> results() {
            return groups.values().stream().map(Group::result).iterator();
        }

        @Override
        public GroupList list() {
            return new InOrder(new TreeMap<>(groups));
        }
    }

    /** Groups in the order of the index form of their keys. */
    private static final class InOrder implements GroupList {
        private final List<Bytes> keys;
        private final List<Group> groups;

        InOrder(SortedMap<Bytes, Group> groups) {
            this.keys = List.copyOf(groups.keySet());
            this.groups = List.copyOf(groups.values());
        }

        @Override
        public int size() {
            return groups.size();
        }

        @Override
        public Optional<Value> result(int at) {
            return Optional.of(groups.get(at).result());
        }

        @Override
        public Bytes place(int at) {
            return keys.get(at);
        }

        @Override
        public int upTo(Bytes place) {
            int found = Collections.binarySearch(keys, place);
            return found < 0 ? -found - 1 : found + 1;
        }
    }

    private static final class Group {
        private final Value key;
        private long count;
        private long sum;

        Group(Value key) {
            this.key = key;
        }

        Bytes state() {
            Map<String, Value> named = key.isDefined() ? Map.of("key", key) : Map.of();
            return new BinaryWriter()
                    .bytes(BsonCodec.write(new Value.Obj(named)))
                    .u64(count)
                    .u64(sum)
                    .toBytes();
        }

        Value result() {
            Map<String, Value> members = new LinkedHashMap<>();
            if (key.isDefined()) {
                members.put("key", key);
            }
            members.put("count", Value.of(count));
            members.put("sum", Value.of(sum));
            return new Value.Obj(members);
        }
    }
}
