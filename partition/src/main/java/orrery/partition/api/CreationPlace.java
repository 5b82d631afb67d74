package orrery.partition.api;

import java.util.List;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * How far a walk over the items of some keys has come, in the order of their creation. Items keep
 * their docids, so a place stays good when they are changed, and when their partition is split or
 * merged.
 *
 * @param after docid up to which all items are done
 * @param before the first docid that was free when the walk began: it does not go on to items that
 *     were created since
 * @param ahead docids of items behind {@code after} that are done as well, in rising order; no more
 *     than one page has
 */
public record CreationPlace(long after, long before, List<Long> ahead) {
    public CreationPlace {
        ahead = List.copyOf(ahead);
    }

    void write(BinaryWriter out) {
        out.u64(after).u64(before).list(ahead, (w, docid) -> w.u64(docid));
    }

    static CreationPlace read(BinaryReader in) {
        return new CreationPlace(in.u64(), in.u64(), in.list(BinaryReader::u64));
    }
}
