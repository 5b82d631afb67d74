package orrery.query.mongo;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import orrery.document.CanonicalValue;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.codec.BinaryWriter;
import orrery.query.dialect.GroupList;
import orrery.query.evaluate.ValueHash;

/** Names of values, one for all that are equal. Groups have the order of their names. */
public final class ValuePlaces {
    /** Places are in continuations, so a long value is named by its beginning and a hash. */
    private static final int MAX_PLACE = 64;

    private ValuePlaces() {}

    /** Returns the name of a value among those that are equal in an order. */
    public static Bytes of(Value value, MongoOrder order) {
        Bytes canonical = CanonicalValue.of(order.key(value));
        if (canonical.length() <= MAX_PLACE) {
            return canonical;
        }
        ValueHash hash = ValueHash.of(Value.of(canonical.toHex()));
        BinaryWriter out = new BinaryWriter(MAX_PLACE + 16);
        out.raw(Bytes.copyOf(canonical.unsafeArray(), 0, MAX_PLACE));
        hash.write(out);
        return out.toBytes();
    }

    /**
     * Returns groups in the order of their names.
     *
     * @param result of a group
     */
    public static <G> GroupList list(Map<Bytes, G> groups, Function<G, Value> result) {
        List<Bytes> places = new ArrayList<>(groups.keySet());
        Collections.sort(places);
        return new GroupList() {
            @Override
            public int size() {
                return places.size();
            }

            @Override
            public Optional<Value> result(int at) {
                return Optional.of(
                        result.apply(Objects.requireNonNull(groups.get(places.get(at)))));
            }

            @Override
            public Bytes place(int at) {
                return places.get(at);
            }

            @Override
            public int upTo(Bytes place) {
                int found = Collections.binarySearch(places, place);
                return found < 0 ? -found - 1 : found + 1;
            }
        };
    }
}
