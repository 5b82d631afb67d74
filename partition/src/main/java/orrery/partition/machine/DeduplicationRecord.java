package orrery.partition.machine;

import java.util.List;
import orrery.model.Bytes;
import orrery.model.EffectiveKey;
import orrery.model.RequestId;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.storage.format.Extensions;

/**
 * The requests one log entry carried out and what became of them. One row per entry rather than per
 * request: it is written with every entry and hardly ever read.
 *
 * @param timeMillis time of the entry; the record counts for a minute from then
 */
record DeduplicationRecord(long timeMillis, List<Answered> requests) {
    private static final int VERSION = 2;

    /** Type of an extension: the answer that the sender wanted to be kept. */
    private static final int ANSWER = 1;

    /** The key lets a move pick out the requests of the range that moves. */
    record Answered(RequestId id, int container, EffectiveKey epk, Outcome outcome, Bytes answer) {
        private Bytes encode() {
            BinaryWriter out = new BinaryWriter(128 + answer.length());
            id.write(out);
            out.u32(container).bytes(epk.bytes());
            Outcome.write(out, outcome);
            if (!answer.isEmpty()) {
                out.raw(Extensions.NONE.and(ANSWER, answer).encoded());
            }
            return out.toBytes();
        }

        private static Answered decode(Bytes bytes) {
            BinaryReader in = new BinaryReader(bytes);
            RequestId id = RequestId.read(in);
            int container = in.u32();
            EffectiveKey epk = new EffectiveKey(in.bytes());
            Outcome outcome = Outcome.read(in);
            Bytes answer = Extensions.read(in, in.remaining()).find(ANSWER).orElse(Bytes.EMPTY);
            return new Answered(id, container, epk, outcome, answer);
        }
    }

    DeduplicationRecord {
        requests = List.copyOf(requests);
    }

    byte[] encode() {
        return new BinaryWriter(64 + 128 * requests.size())
                .u8(VERSION)
                .u64(timeMillis)
                .list(requests, (w, request) -> w.bytes(request.encode()))
                .toArray();
    }

    static DeduplicationRecord decode(byte[] bytes) {
        BinaryReader in = new BinaryReader(bytes);
        if (in.u8() != VERSION) {
            throw new MalformedRecordException("unknown version of a deduplication record");
        }
        DeduplicationRecord record =
                new DeduplicationRecord(in.u64(), in.list(r -> Answered.decode(r.bytes())));
        in.expectEnd();
        return record;
    }
}
