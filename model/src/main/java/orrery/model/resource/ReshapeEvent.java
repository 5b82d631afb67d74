package orrery.model.resource;

import java.util.List;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * A split or merge that has happened.
 *
 * @param before the ranges that ended
 * @param after those that took their place
 * @param reason storage, throughput, operator (a split that somebody asked for) or merge
 * @param durationMillis from the first step until the new map was published
 */
public record ReshapeEvent(
        List<Integer> before,
        List<Integer> after,
        String reason,
        long timeMillis,
        long durationMillis) {
    public ReshapeEvent {
        before = List.copyOf(before);
        after = List.copyOf(after);
    }

    public void write(BinaryWriter out) {
        out.list(before, (w, range) -> w.varint(range))
                .list(after, (w, range) -> w.varint(range))
                .string(reason)
                .u64(timeMillis)
                .u64(durationMillis);
    }

    public static ReshapeEvent read(BinaryReader in) {
        return new ReshapeEvent(
                in.list(BinaryReader::varint32),
                in.list(BinaryReader::varint32),
                in.string(),
                in.u64(),
                in.u64());
    }
}
