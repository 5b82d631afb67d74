package orrery.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.EffectiveKey;
import orrery.model.KeyRange;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The progress of a query or a feed over all partitions: ranges of keys that are under way, and the
 * key from which on nothing has been read. It knows keys, not partitions, so it outlives splits and
 * merges.
 *
 * @param skip results still to be left out, where all partitions together count
 * @param take results still to be given, likewise
 */
record QueryToken(List<Begun> begun, EffectiveKey from, long skip, long take) {
    static final QueryToken START = new QueryToken(List.of(), EffectiveKey.MIN, 0, Long.MAX_VALUE);

    /**
     * @param position where the partition was that had these keys; good for any that has some of
     *     them now
     */
    record Begun(KeyRange keys, Bytes position) {}

    QueryToken {
        begun = List.copyOf(begun);
    }

    /** A range of keys to go on with. */
    record Part(KeyRange keys, Optional<Bytes> position) {}

    /** Returns the parts that are left to do, in order. */
    List<Part> parts() {
        List<Part> parts = new ArrayList<>();
        begun.forEach(each -> parts.add(new Part(each.keys, Optional.of(each.position))));
        if (from.compareTo(EffectiveKey.MAX) < 0) {
            parts.add(new Part(new KeyRange(from, EffectiveKey.MAX), Optional.empty()));
        }
        return parts;
    }

    /** The keys that are to be read next. */
    KeyRange keys() {
        List<Part> parts = parts();
        return parts.isEmpty() ? KeyRange.FULL : parts.getFirst().keys();
    }

    static QueryToken of(List<Part> left) {
        List<Begun> begun = new ArrayList<>();
        EffectiveKey from = EffectiveKey.MAX;
        for (Part part : left) {
            if (part.position.isPresent()) {
                begun.add(new Begun(part.keys, part.position.get()));
            } else {
                from = part.keys.min();
            }
        }
        return new QueryToken(begun, from, 0, Long.MAX_VALUE);
    }

    /** The token of a page that ended in one of the parts, at this position. */
    static QueryToken at(List<Part> parts, int part, Optional<Bytes> position) {
        if (position.isEmpty()) {
            return of(left(parts, part));
        }
        List<Part> left = new ArrayList<>();
        left.add(new Part(parts.get(part).keys, position));
        left.addAll(left(parts, part + 1));
        return of(left);
    }

    /** Returns the parts that are left from one on. A part that has not begun is whole. */
    static List<Part> left(List<Part> parts, int from) {
        List<Part> left = new ArrayList<>();
        for (Part part : parts.subList(from, parts.size())) {
            if (part.position.isEmpty()) {
                left.add(
                        new Part(
                                new KeyRange(part.keys.min(), EffectiveKey.MAX), Optional.empty()));
                break;
            }
            left.add(part);
        }
        return left;
    }

    QueryToken withLimit(long newSkip, long newTake) {
        return new QueryToken(begun, from, newSkip, newTake);
    }

    Bytes encode() {
        BinaryWriter out = new BinaryWriter(128);
        out.list(
                begun,
                (w, each) -> {
                    each.keys.write(w);
                    w.bytes(each.position);
                });
        return out.bytes(from.bytes())
                .varint(skip)
                .varint(take == Long.MAX_VALUE ? 0 : take + 1)
                .toBytes();
    }

    static QueryToken read(BinaryReader in) {
        List<Begun> begun = in.list(r -> new Begun(KeyRange.read(r), r.bytes()));
        EffectiveKey from = new EffectiveKey(in.bytes());
        long skip = in.varint();
        long take = in.varint();
        return new QueryToken(begun, from, skip, take == 0 ? Long.MAX_VALUE : take - 1);
    }
}
