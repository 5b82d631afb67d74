package orrery.query.mongo.find;

import java.util.List;
import java.util.Optional;
import orrery.document.HeapSize;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.codec.BinaryWriter;
import orrery.query.dialect.Effort;
import orrery.query.dialect.GroupTable;
import orrery.query.dialect.Program;
import orrery.query.dialect.ProgramRun;
import orrery.query.evaluate.ValueHash;
import orrery.query.mongo.FieldPath;

/** One row for each document. */
final class FindProgram implements Program {
    private static final int REPORTED_BYTES = 16 << 10;

    private final FindStatement query;

    FindProgram(FindStatement query) {
        this.query = query;
    }

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

    /** A place is one of this read only, among these keys. */
    static Bytes binding(FindStatement query, String keys) {
        ValueHash hash =
                ValueHash.of(
                        new Value.Array(
                                List.of(
                                        Value.of(MongoDialect.NAME),
                                        Value.of(keys),
                                        Value.of(query.encoded().payload().toHex()))));
        return new BinaryWriter().u64(hash.low()).toBytes();
    }

    private final class Run implements ProgramRun {
        private final Effort effort;
        private final Optional<GroupTable> groups;
        private Value.Obj document = FindOptions.NONE;
        private boolean hasNext;

        Run(Effort effort) {
            this.effort = effort;
            this.groups =
                    switch (query.options().answer()) {
                        case FindOptions.Answer.Documents() -> Optional.empty();
                        case FindOptions.Answer.Count() ->
                                Optional.of(new CountTable(query.options()));
                        case FindOptions.Answer.Distinct(String key) ->
                                Optional.of(
                                        new DistinctTable(
                                                FieldPath.of(key), query.order(), this::document));
                    };
        }

        private Value.Obj document() {
            return document;
        }

        @Override
        public void open(Value next) {
            document = next instanceof Value.Obj object ? object : FindOptions.NONE;
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
            return query.matches(document, effort);
        }

        @Override
        public Optional<Value> result() {
            Value.Obj made = query.projected(document);
            long bytes = HeapSize.of(made);
            if (bytes > REPORTED_BYTES) {
                effort.holds(bytes);
            }
            return Optional.of(made);
        }

        @Override
        public List<Value> sortValues() {
            effort.add(query.sort().columns().size());
            return query.sort().values(document);
        }

        @Override
        public GroupTable groups() {
            return groups.orElseThrow(() -> new IllegalStateException("the read does not group"));
        }
    }
}
