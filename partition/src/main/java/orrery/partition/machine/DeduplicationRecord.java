package orrery.partition.machine;

import java.util.List;
import orrery.model.EffectiveKey;
import orrery.model.RequestId;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/**
 * The requests one log entry carried out and what became of them. One row per entry rather than per
 * request: it is written with every entry and hardly ever read.
 *
 * @param timeMillis time of the entry; the record counts for a minute from then
 */
record DeduplicationRecord(long timeMillis, List<Answered> requests) {
    private static final int VERSION = 1;

    /** The key lets a move pick out the requests of the range that moves. */
    record Answered(RequestId id, int container, EffectiveKey epk, Outcome outcome) {}

    DeduplicationRecord {
        requests = List.copyOf(requests);
    }

    byte[] encode() {
        BinaryWriter out = new BinaryWriter(64 + 128 * requests.size()).u8(VERSION).u64(timeMillis);
        out.list(
                requests,
                (w, request) -> {
                    request.id().write(w);
                    w.u32(request.container()).bytes(request.epk().bytes());
                    Outcome.write(w, request.outcome());
                });
        return out.toArray();
    }

    static DeduplicationRecord decode(byte[] bytes) {
        BinaryReader in = new BinaryReader(bytes);
        if (in.u8() != VERSION) {
            throw new MalformedRecordException("unknown version of a deduplication record");
        }
        DeduplicationRecord record =
                new DeduplicationRecord(
                        in.u64(),
                        in.list(
                                r ->
                                        new Answered(
                                                RequestId.read(r),
                                                r.u32(),
                                                new EffectiveKey(r.bytes()),
                                                Outcome.read(r))));
        in.expectEnd();
        return record;
    }
}
