package orrery.gateway;

import java.util.ArrayList;
import java.util.List;
import orrery.model.Bytes;
import orrery.model.KeyRange;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The progress of a reader of changes: for each range of keys that it reads, the LSN after which it
 * goes on. It names keys and not partitions, so it outlives splits and merges: LSNs of children are
 * above those of their parents, and each LSN is only ever compared with those of its own range of
 * keys.
 *
 * @param parts in the order in which they are to be read
 */
record ChangeCursor(List<Part> parts) {
    record Part(KeyRange keys, long afterLsn) {
        void write(BinaryWriter out) {
            keys.write(out);
            out.u64(afterLsn);
        }

        static Part read(BinaryReader in) {
            return new Part(KeyRange.read(in), in.u64());
        }
    }

    ChangeCursor {
        parts = List.copyOf(parts);
    }

    Bytes toBytes() {
        return new BinaryWriter(256).list(parts, (w, part) -> part.write(w)).toBytes();
    }

    static ChangeCursor read(BinaryReader in) {
        return new ChangeCursor(in.list(Part::read));
    }

    /** The same place with neighbours of one LSN joined. */
    ChangeCursor joined() {
        List<Part> joined = new ArrayList<>();
        for (Part part : parts) {
            Part last = joined.isEmpty() ? null : joined.getLast();
            if (last != null
                    && last.afterLsn() == part.afterLsn()
                    && last.keys().max().equals(part.keys().min())) {
                KeyRange keys = new KeyRange(last.keys().min(), part.keys().max());
                joined.set(joined.size() - 1, new Part(keys, part.afterLsn()));
            } else {
                joined.add(part);
            }
        }
        return new ChangeCursor(joined);
    }
}
