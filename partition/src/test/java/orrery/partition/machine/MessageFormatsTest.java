package orrery.partition.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import orrery.model.Bytes;
import orrery.model.EffectiveKey;
import orrery.model.ItemKey;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.RequestId;
import orrery.model.RowKey;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.partition.api.BatchStep;
import orrery.partition.api.PartitionEnvelope;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.RequestKind;
import orrery.partition.api.ResponseKind;
import orrery.partition.api.WriteRequest;

/** Freezes what is in logs, in deduplication records and between nodes. */
class MessageFormatsTest {
    @Test
    void commands() {
        Golden golden = new Golden();
        MessageSamples.commands()
                .forEach(
                        (name, command) -> {
                            Bytes encoded = Command.encode(command);
                            golden.add(name, encoded);
                            assertThat(Command.decode(encoded)).isEqualTo(command);
                        });
        golden.verify("commands.hex");
    }

    @Test
    void outcomes() {
        Golden golden = new Golden();
        MessageSamples.outcomes()
                .forEach(
                        (name, outcome) -> {
                            BinaryWriter out = new BinaryWriter();
                            Outcome.write(out, outcome);
                            golden.add(name, out.toArray());
                            assertThat(Outcome.read(new BinaryReader(out.toArray())))
                                    .isEqualTo(outcome);
                        });
        golden.verify("outcomes.hex");
    }

    @Test
    void deduplicationRecords() {
        DeduplicationRecord record = MessageSamples.deduplication();

        SessionRecord session = MessageSamples.session();

        new Golden()
                .add("deduplication", record.encode())
                .add("session", session.encode())
                .add("session-sought", SessionSamples.sought().encode())
                .verify("deduplication.hex");
        assertThat(SessionRecord.decode(session.encode())).isEqualTo(session);
        assertThat(SessionRecord.decode(SessionSamples.sought().encode()))
                .isEqualTo(SessionSamples.sought());
        assertThat(DeduplicationRecord.decode(record.encode())).isEqualTo(record);
    }

    @Test
    void requests() {
        Golden golden = new Golden();
        MessageSamples.requests()
                .forEach(
                        (name, request) -> {
                            BinaryWriter out = new BinaryWriter();
                            RequestKind.write(out, request);
                            golden.add(name, out.toArray());
                            assertThat(RequestKind.read(new BinaryReader(out.toArray())))
                                    .isEqualTo(request);
                        });
        golden.verify("requests.hex");
    }

    @Test
    void envelopes() {
        Golden golden = new Golden();
        MessageSamples.envelopes()
                .forEach(
                        (name, envelope) -> {
                            Bytes encoded = envelope.encode();
                            golden.add(name, encoded);
                            assertThat(PartitionEnvelope.decode(encoded)).isEqualTo(envelope);
                        });
        golden.verify("envelopes.hex");
    }

    @Test
    void anEnvelopeOfAnotherVersionIsRefused() {
        PartitionEnvelope envelope = MessageSamples.envelopes().values().iterator().next();
        byte[] encoded = envelope.encode().unsafeArray().clone();
        encoded[0] = 3;

        assertThatThrownBy(() -> PartitionEnvelope.decode(Bytes.wrap(encoded)))
                .isInstanceOf(MalformedRecordException.class)
                .hasMessageContaining("version");
    }

    @Test
    void anUnknownKindIsRefused() {
        assertThatThrownBy(() -> RequestKind.read(new BinaryReader(new byte[] {(byte) 200, 0})))
                .isInstanceOf(MalformedRecordException.class)
                .hasMessageContaining("kind");
        assertThatThrownBy(
                        () ->
                                PartitionResponse.decode(
                                        Bytes.wrap(new byte[] {PartitionResponse.VERSION, 0})))
                .isInstanceOf(MalformedRecordException.class)
                .hasMessageContaining("kind");
    }

    /** Half a millisecond is not the end of a request. */
    @Test
    void theTimeLeftIsRoundedUp() {
        PartitionRequest request = MessageSamples.requests().values().iterator().next();

        assertThat(PartitionEnvelope.ofNode(0, request, Duration.ofNanos(1)).millisLeft())
                .isEqualTo(1);
        assertThat(PartitionEnvelope.ofNode(0, request, Duration.ofMillis(7)).timeout())
                .isEqualTo(Duration.ofMillis(7));
        assertThat(PartitionEnvelope.ofNode(0, request, Duration.ZERO).millisLeft()).isZero();
    }

    @Test
    void everyRequestIsRegisteredUnderAKindOfItsOwn() {
        Map<RequestKind, Class<?>> types = new EnumMap<>(RequestKind.class);
        for (PartitionRequest sample : MessageSamples.requests().values()) {
            assertThat(types.merge(sample.kind(), sample.getClass(), (first, _) -> first))
                    .isEqualTo(sample.getClass());
        }
        assertThat(types).containsOnlyKeys(RequestKind.values());
        assertThat(Set.copyOf(types.values())).isEqualTo(SealedTypes.of(PartitionRequest.class));
        assertThat(RequestKind.values()).extracting(RequestKind::number).doesNotHaveDuplicates();
    }

    @Test
    void everyResponseIsRegisteredUnderAKindOfItsOwn() {
        Map<ResponseKind, Class<?>> types = new EnumMap<>(ResponseKind.class);
        for (PartitionResponse sample : MessageSamples.responses().values()) {
            assertThat(types.merge(sample.kind(), sample.getClass(), (first, _) -> first))
                    .isEqualTo(sample.getClass());
        }
        assertThat(types).containsOnlyKeys(ResponseKind.values());
        assertThat(Set.copyOf(types.values())).isEqualTo(SealedTypes.of(PartitionResponse.class));
        assertThat(ResponseKind.values()).extracting(ResponseKind::number).doesNotHaveDuplicates();
    }

    @Test
    void responses() {
        Golden golden = new Golden();
        MessageSamples.responses()
                .forEach(
                        (name, response) -> {
                            Bytes encoded = PartitionResponse.encode(response);
                            golden.add(name, encoded);
                            assertThat(PartitionResponse.decode(encoded)).isEqualTo(response);
                        });
        golden.verify("responses.hex");
    }

    @Test
    void aWriteIsOfOneLogicalPartition() {
        PartitionId id = new PartitionId(7, 0);
        RequestId request = new RequestId(1, 1);
        Command.ItemChange north = remove("north");
        Command.ItemChange south = remove("south");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Command.WriteItems(id, request, 0, List.of(north, south)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Command.WriteItems(id, request, 0, List.of()));
    }

    @Test
    void aWriteChangesSomething() {
        Command.ItemChange check =
                new Command.ItemChange.Check(remove("north").key(), Precondition.NONE);

        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                new Command.WriteItems(
                                        new PartitionId(7, 0),
                                        new RequestId(1, 1),
                                        0,
                                        List.of(check)));
    }

    @Test
    void aBatchIsOfOneLogicalPartitionAndHasAHundredStepsAtMost() {
        BatchStep north = read("north");
        BatchStep south = read("south");

        assertThat(batch(Collections.nCopies(100, north)).steps()).hasSize(100);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> batch(Collections.nCopies(101, north)));
        assertThatIllegalArgumentException().isThrownBy(() -> batch(List.of(north, south)));
        assertThatIllegalArgumentException().isThrownBy(() -> batch(List.of()));
    }

    private static WriteRequest.Batch batch(List<BatchStep> steps) {
        return new WriteRequest.Batch(new PartitionId(7, 0), new RequestId(1, 1), steps, 0);
    }

    private static BatchStep read(String key) {
        return new BatchStep.Read(remove(key).key(), new Precondition.Impossible());
    }

    @Test
    void aPageHasRoomForAnItem() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                new ReadRequest.ReadFeed(
                                        new PartitionId(7, 0),
                                        KeyRange.FULL,
                                        Optional.empty(),
                                        Optional.empty(),
                                        0,
                                        1,
                                        0));
    }

    @Test
    void aListOfPartitionsIsBounded() {
        BinaryWriter tooMany = new BinaryWriter();
        tooMany.u8(RequestKind.LIST_LARGE.number()).u64(0).bool(false).u32(1001);

        assertThatThrownBy(() -> RequestKind.read(new BinaryReader(tooMany.toArray())))
                .isInstanceOf(MalformedRecordException.class);
    }

    private static Command.ItemChange remove(String key) {
        return new Command.ItemChange.Remove(
                new ItemKey(EffectiveKey.MIN, PartitionKey.ofText(key), RowKey.ofText("id")),
                Precondition.NONE);
    }
}
