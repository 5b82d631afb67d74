package orrery.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import orrery.model.Bytes;
import orrery.model.KeyRange;
import orrery.model.VersionPlace;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The progress of a reader of changes: for each range of keys that it reads, the place behind which
 * it goes on. It names keys and not partitions, so it outlives splits and merges: LSNs of children
 * are above those of their parents, and each LSN is only ever compared with those of its own range
 * of keys.
 *
 * @param parts in the order in which they are to be read
 */
record ChangeCursor(List<Part> parts) {
    record Part(KeyRange keys, VersionPlace after) {
        void write(BinaryWriter out) {
            keys.write(out);
            after.write(out);
        }

        static Part read(BinaryReader in) {
            return new Part(KeyRange.read(in), VersionPlace.read(in));
        }
    }

    ChangeCursor {
        parts = List.copyOf(parts);
    }

    /** Returns the LSN that says it all, if there is one. */
    OptionalLong singleLsn() {
        boolean isSingle = parts.size() == 1 && parts.getFirst().after().within().isEmpty();
        return isSingle ? OptionalLong.of(parts.getFirst().after().lsn()) : OptionalLong.empty();
    }

    Bytes toBytes() {
        return new BinaryWriter(256).list(parts, (w, part) -> part.write(w)).toBytes();
    }

    static ChangeCursor read(BinaryReader in) {
        return new ChangeCursor(in.list(Part::read));
    }

    /** The same cursor with neighbours at one place joined. */
    ChangeCursor joined() {
        List<Part> joined = new ArrayList<>();
        for (Part part : parts) {
            Part last = joined.isEmpty() ? null : joined.getLast();
            if (last != null
                    && last.after().equals(part.after())
                    && last.keys().max().equals(part.keys().min())) {
                KeyRange keys = new KeyRange(last.keys().min(), part.keys().max());
                joined.set(joined.size() - 1, new Part(keys, part.after()));
            } else {
                joined.add(part);
            }
        }
        return new ChangeCursor(joined);
    }
}
