package orrery.query.find;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import orrery.document.BsonCodec;
import orrery.document.IndexValue;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.codec.BinaryWriter;
import orrery.query.dialect.Effort;
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
        public Value save() {
            List<Value> saved = new ArrayList<>();
            for (Group group : groups.values()) {
                Map<String, Value> key =
                        group.key.isDefined() ? Map.of("key", group.key) : Map.of();
                saved.add(
                        new Value.Array(
                                List.of(
                                        Value.of(BsonCodec.write(new Value.Obj(key)).toHex()),
                                        Value.of(group.count),
                                        Value.of(group.sum))));
            }
            return new Value.Array(saved);
        }

        @Override
        public void merge(Value saved) {
            for (Value each : ((Value.Array) saved).elements()) {
                List<Value> parts = ((Value.Array) each).elements();
                String hex = ((Value.Text) parts.get(0)).value();
                Value key =
                        BsonCodec.read(Bytes.ofHex(hex))
                                .properties()
                                .getOrDefault("key", Value.Undefined.UNDEFINED);
                add(key, ((Value.Int) parts.get(1)).value(), ((Value.Int) parts.get(2)).value());
            }
        }

        @Override
        public Iterator<Value> results() {
            return groups.values().stream().map(Group::result).iterator();
        }
    }

    private static final class Group {
        private final Value key;
        private long count;
        private long sum;

        Group(Value key) {
            this.key = key;
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
