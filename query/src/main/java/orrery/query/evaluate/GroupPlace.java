package orrery.query.evaluate;

import java.util.List;
import java.util.Optional;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * Names a group in a continuation: by its keys, or by their hash where they are too long for one.
 *
 * @param keys absent if they are too long
 */
record GroupPlace(Optional<List<Value>> keys, ValueHash hash) {
    /** Clients and proxies refuse headers of some kilobytes; a continuation is one. */
    private static final int MAX_CARRIED_BYTES = 1024;

    static GroupPlace of(List<Value> keys) {
        BinaryWriter out = new BinaryWriter(64);
        Groups.writeKeys(out, keys);
        return new GroupPlace(
                Optional.of(keys).filter(_ -> out.length() <= MAX_CARRIED_BYTES),
                ValueHash.of(new Value.Array(keys)));
    }

    Bytes encode() {
        BinaryWriter out = new BinaryWriter(64).optional(keys, Groups::writeKeys);
        hash.write(out);
        return out.toBytes();
    }

    static GroupPlace decode(Bytes bytes) {
        BinaryReader in = new BinaryReader(bytes);
        GroupPlace place = new GroupPlace(in.optional(Groups::readKeys), ValueHash.read(in));
        in.expectEnd();
        return place;
    }

    static OrreryException lost() {
        return new OrreryException(
                ErrorCode.BAD_REQUEST,
                "Invalid Continuation Token. The last group of the previous page is gone, and its"
                        + " values are too long for a token. Start again without one.");
    }
}
