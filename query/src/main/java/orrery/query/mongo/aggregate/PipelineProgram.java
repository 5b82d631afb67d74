package orrery.query.mongo.aggregate;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
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
import orrery.query.mongo.expression.Variables;

/** Rows of documents: as many as the stages make of each, and one where they make none. */
final class PipelineProgram implements Program {
    private static final int REPORTED_BYTES = 16 << 10;

    private final PipelineStatement query;

    PipelineProgram(PipelineStatement query) {
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

    /** A place is one of this statement only, among these keys. */
    static Bytes binding(PipelineStatement query, String keys) {
        ValueHash hash =
                ValueHash.of(
                        new Value.Array(
                                List.of(
                                        Value.of(PipelineDialect.NAME),
                                        Value.of(keys),
                                        Value.of(query.encoded().payload().toHex()))));
        return new BinaryWriter().u64(hash.low()).toBytes();
    }

    /**
     * A document that the filter does not accept, and one of which the stages make nothing, has one
     * row that does not match. So rows are counted alike whoever has looked at the filter.
     */
    private final class Run implements ProgramRun {
        private static final Value.Obj EMPTY = new Value.Obj(Map.of());

        private final Effort effort;
        private final Optional<GroupTable> groups;

        /** Then a row is made only if somebody wants it: most that are sorted are left out. */
        private final boolean isOneOfEach = query.chain().isOneOfEach();

        private Value.Obj document = EMPTY;
        private boolean hasBegun;

        /** The rows behind the present one; absent before any was made. */
        private @Nullable Iterator<Value.Obj> rest;

        /** Absent where no row was made, or none is there. */
        private Value.@Nullable Obj row;

        Run(Effort effort) {
            this.effort = effort;
            this.groups = query.group().map(spec -> new Groups(spec, this::variables));
        }

        private Variables variables() {
            return query.context().variables(present());
        }

        @Override
        public void open(Value next) {
            document = next instanceof Value.Obj object ? object : EMPTY;
            hasBegun = false;
            rest = null;
            row = null;
        }

        @Override
        public boolean hasNext() {
            return !hasBegun || (!isOneOfEach && filtered().hasNext());
        }

        @Override
        public void next() {
            if (hasBegun) {
                row = filtered().next();
            }
            hasBegun = true;
        }

        @Override
        public boolean matches() {
            if (isOneOfEach) {
                return query.find().matches(document, effort);
            }
            filtered();
            return row != null;
        }

        /** Makes the first row, if the filter accepts the document; returns those behind it. */
        private Iterator<Value.Obj> filtered() {
            Iterator<Value.Obj> present = rest;
            if (present != null) {
                return present;
            }
            if (query.find().matches(document, effort)) {
                return begin();
            }
            rest = Collections.emptyIterator();
            return rest;
        }

        private Iterator<Value.Obj> begin() {
            Iterator<Value.Obj> made = query.chain().rows(document, effort);
            row = made.hasNext() ? made.next() : null;
            rest = made;
            return made;
        }

        /** The engine may know without the filter that a document matches. */
        private Value.Obj present() {
            if (rest == null) {
                begin();
            }
            if (row == null) {
                throw new IllegalStateException("there is no row");
            }
            return row;
        }

        @Override
        public Optional<Value> result() {
            Value.Obj made = present();
            long bytes = HeapSize.of(made);
            if (bytes > REPORTED_BYTES) {
                effort.holds(bytes);
            }
            return Optional.of(made);
        }

        @Override
        public List<Value> sortValues() {
            effort.add(query.find().sort().columns().size());
            return query.find().sort().values(document);
        }

        @Override
        public GroupTable groups() {
            return groups.orElseThrow(() -> new IllegalStateException("the query does not group"));
        }
    }
}
