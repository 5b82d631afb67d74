package orrery.query.execute;

import java.util.List;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.query.index.EntryCondition;
import orrery.query.index.IndexFilter.OnPath;
import orrery.query.index.PathValues;
import orrery.query.index.ValueRanges;

/**
 * One way through the index to items that may match: the entries of one index, as far as they lie
 * in some ranges, whose items also have other entries.
 *
 * @param prefix what the terms of the index begin with
 * @param ranges what they go on with
 * @param driver the condition that the ranges come from; none where they come from several
 * @param probes terms that the items have besides
 * @param conditions all that is asked of an item here
 */
record Branch(
        Bytes prefix,
        ValueRanges ranges,
        Optional<EntryCondition> driver,
        List<Bytes> probes,
        List<EntryCondition> conditions) {
    Branch {
        probes = List.copyOf(probes);
        conditions = List.copyOf(conditions);
    }

    /** Returns true if an item is found here, as far as the item itself can tell. */
    boolean matches(PathValues item) {
        return conditions.stream().allMatch(condition -> condition.first(item).isPresent());
    }

    /** Returns true if the entries are those of one term, and so in the order of docids. */
    boolean isPoint() {
        return driver.isPresent() && driver.get() instanceof OnPath && ranges.isPoint();
    }

    /** Returns true if an item may have several entries in the ranges. */
    boolean meetsItemsTwice() {
        return driver.isPresent() && driver.get().meetsItemsTwice();
    }

    Bytes from() {
        return join(prefix, ranges.ranges().getFirst().from());
    }

    Bytes to() {
        return join(prefix, ranges.ranges().getLast().to());
    }

    static Bytes join(Bytes prefix, Bytes value) {
        byte[] joined =
                java.util.Arrays.copyOf(prefix.unsafeArray(), prefix.length() + value.length());
        System.arraycopy(value.unsafeArray(), 0, joined, prefix.length(), value.length());
        return Bytes.wrap(joined);
    }
}
