package orrery.partition.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import orrery.model.Bytes;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.partition.api.PartitionEnvelope;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.RequestKind;

/** Whatever bytes arrive, they are read or refused as malformed: nothing else comes of them. */
class MessageProperties {
    private static final List<Function<Bytes, ?>> DECODERS =
            List.of(
                    Command::decode,
                    PartitionEnvelope::decode,
                    bytes -> RequestKind.read(new BinaryReader(bytes)),
                    PartitionResponse::decode,
                    bytes -> DeduplicationRecord.decode(bytes.unsafeArray()),
                    bytes -> Outcome.read(new BinaryReader(bytes)));

    private static final List<Bytes> ENCODED = encoded();

    private static List<Bytes> encoded() {
        List<Bytes> all = new ArrayList<>();
        MessageSamples.commands().values().forEach(c -> all.add(Command.encode(c)));
        MessageSamples.envelopes().values().forEach(e -> all.add(e.encode()));
        for (PartitionRequest request : MessageSamples.requests().values()) {
            BinaryWriter out = new BinaryWriter();
            RequestKind.write(out, request);
            all.add(out.toBytes());
        }
        MessageSamples.responses().values().forEach(r -> all.add(PartitionResponse.encode(r)));
        for (Outcome outcome : MessageSamples.outcomes().values()) {
            BinaryWriter out = new BinaryWriter();
            Outcome.write(out, outcome);
            all.add(out.toBytes());
        }
        all.add(Bytes.wrap(MessageSamples.deduplication().encode()));
        return all;
    }

    @Property
    void randomBytes(@ForAll @Size(max = 300) byte[] bytes) {
        decodeWithAll(bytes);
    }

    /** Random bytes rarely get past the version; these do, and the kind as well. */
    @Property
    void randomBytesBehindAValidHead(
            @ForAll @IntRange(min = 1, max = 96) int kind, @ForAll @Size(max = 300) byte[] rest) {
        decodeWithAll(new BinaryWriter().u8(1).u8(kind).u32(7).u32(2).raw(rest).toArray());
        decodeWithAll(new BinaryWriter().u8(kind).u32(7).u32(2).raw(rest).toArray());
        decodeWithAll(
                new BinaryWriter().u8(PartitionResponse.VERSION).u8(kind).raw(rest).toArray());
    }

    @Property
    void damagedMessages(
            @ForAll @IntRange(max = 1000) int message,
            @ForAll @IntRange(max = 1000) int at,
            @ForAll byte value) {
        byte[] damaged = ENCODED.get(message % ENCODED.size()).unsafeArray().clone();
        damaged[at % damaged.length] = value;
        decodeWithAll(damaged);
    }

    @Property
    void truncatedMessages(
            @ForAll @IntRange(max = 1000) int message, @ForAll @IntRange(max = 1000) int length) {
        Bytes whole = ENCODED.get(message % ENCODED.size());
        decodeWithAll(Bytes.copyOf(whole.unsafeArray(), 0, length % whole.length()).unsafeArray());
    }

    @SuppressWarnings("ReturnValueIgnored")
    private static void decodeWithAll(byte[] bytes) {
        for (Function<Bytes, ?> decoder : DECODERS) {
            try {
                decoder.apply(Bytes.wrap(bytes));
            } catch (MalformedRecordException refused) {
                assertThat(refused).hasMessageNotContaining("null");
            }
        }
    }
}
