package orrery.query.mongo.find;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.query.dialect.GroupList;
import orrery.query.dialect.GroupTable;

/** Counts the documents that match: one group, which is there without any of them. */
final class CountTable implements GroupTable {
    private static final long SIZE_BYTES = 64;
    private static final Bytes PLACE = Bytes.wrap(new byte[] {0});

    private final FindOptions options;
    private long count;

    CountTable(FindOptions options) {
        this.options = options;
    }

    @Override
    public void add() {
        count++;
    }

    @Override
    public int size() {
        return 1;
    }

    @Override
    public long sizeBytes() {
        return SIZE_BYTES;
    }

    @Override
    public Iterator<Bytes> states() {
        return List.of(new BinaryWriter().varint(count).toBytes()).iterator();
    }

    @Override
    public void merge(Bytes state) {
        BinaryReader in = new BinaryReader(state);
        count += in.varint();
        in.expectEnd();
    }

    private Value result() {
        long behind = Math.max(0, count - options.skip());
        long counted = options.limit() == 0 ? behind : Math.min(behind, options.limit());
        return new Value.Obj(Map.of("n", Value.of(counted)));
    }

    @Override
    public Iterator<Value> results() {
        return Collections.singleton(result()).iterator();
    }

    @Override
    public GroupList list() {
        return new GroupList() {
            @Override
            public int size() {
                return 1;
            }

            @Override
            public Optional<Value> result(int at) {
                return Optional.of(CountTable.this.result());
            }

            @Override
            public Bytes place(int at) {
                return PLACE;
            }

            @Override
            public int upTo(Bytes place) {
                if (!place.equals(PLACE)) {
                    throw new MalformedRecordException("a count has one place");
                }
                return 1;
            }
        };
    }
}
