package orrery.frontend.mongo.wire;

import java.util.List;
import orrery.model.Bytes;

/** A request as a frame holds it; the documents in it have not been looked at. */
public sealed interface Message {
    int requestId();

    /** Returns the compression of the frame, in which its reply may come. */
    Compressor compressor();

    /**
     * OP_MSG.
     *
     * @param moreToCome nobody waits for a reply
     * @param hasChecksum its reply has one too
     * @param sequences arrays of the command that stand beside its document
     */
    record Msg(
            int requestId,
            Compressor compressor,
            boolean moreToCome,
            boolean hasChecksum,
            Bytes body,
            List<Sequence> sequences)
            implements Message {
        public Msg {
            sequences = List.copyOf(sequences);
        }
    }

    /**
     * OP_QUERY, which today only asks for the first hello.
     *
     * @param collection its full name
     */
    record Query(int requestId, Compressor compressor, String collection, Bytes query)
            implements Message {}

    /** The documents of an argument that is an array. */
    record Sequence(String name, List<Bytes> documents) {
        public Sequence {
            documents = List.copyOf(documents);
        }
    }
}
