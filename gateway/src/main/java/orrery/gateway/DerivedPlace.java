package orrery.gateway;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import orrery.model.Bytes;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.query.evaluate.ValueHash;
import orrery.query.execute.KeyMark;

/**
 * How far a query over the results of another has come. Everything was given that comes of the
 * inner results before a place, and of some behind it. Those are named: a split or merge of
 * partitions changes the order in which they come.
 *
 * @param inner the place of the inner query
 * @param taken the inner results behind it of which something was given
 */
record DerivedPlace(QueryToken inner, List<Taken> taken) {
    DerivedPlace {
        taken = List.copyOf(taken);
    }

    /**
     * An inner result. Its rows come in an order that depends on nothing else.
     *
     * @param rows how many of its rows were given, or {@link #ALL}
     */
    record Taken(ValueHash name, long rows) {
        static final long ALL = Long.MAX_VALUE;

        private void write(BinaryWriter out) {
            name.write(out);
            out.varint(rows == ALL ? 0 : rows);
        }

        private static Taken read(BinaryReader in) {
            ValueHash name = ValueHash.read(in);
            long rows = in.varint();
            return new Taken(name, rows == 0 ? ALL : rows);
        }
    }

    Bytes encode() {
        return new BinaryWriter(128)
                .bytes(inner.encode())
                .list(taken, (w, each) -> each.write(w))
                .toBytes();
    }

    /** Fails with BAD_REQUEST for what is no place. */
    static DerivedPlace read(Bytes place, Function<KeyMark, Optional<Bytes>> finder) {
        try {
            BinaryReader in = new BinaryReader(place);
            BinaryReader token = new BinaryReader(in.bytes());
            QueryToken inner = QueryToken.read(token, finder);
            token.expectEnd();
            DerivedPlace read = new DerivedPlace(inner, in.list(Taken::read));
            in.expectEnd();
            return read;
        } catch (MalformedRecordException e) {
            throw Continuations.invalid();
        }
    }
}
