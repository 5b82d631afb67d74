package orrery.partition.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
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
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;

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

    /** Version 1 knew no limit of a partition; all else is the same. */
    @Test
    void messagesOfTheFirstVersionAreRead() {
        Bytes definition =
                Bytes.ofHex(
                        "00000007000000020000000101"
                                + "0102706B000200000101022F2A010A2F225F65746167222F3F"
                                + "000000042F5F747300000000000500000000");
        Command command = Command.decode(Bytes.ofHex("0102" + definition.toHex()));
        assertThat(((Command.SetDefinition) command).definition().logicalPartitionMaxBytes())
                .isEqualTo(20L << 30);
        assertThat(((Command.SetDefinition) command).definition().partitionMaxBytes()).isZero();
        PartitionRequest request =
                PartitionRequest.decode(Bytes.ofHex("0107" + definition.toHex()));
        assertThat(((PartitionRequest.SetDefinition) request).definition().partitionMaxBytes())
                .isZero();
        assertThat(PartitionRequest.decode(Bytes.ofHex("01050000000700000002")))
                .isEqualTo(MessageSamples.requests().get("describe"));
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

        new Golden().add("deduplication", record.encode()).verify("deduplication.hex");
        assertThat(DeduplicationRecord.decode(record.encode())).isEqualTo(record);
    }

    @Test
    void requests() {
        Golden golden = new Golden();
        MessageSamples.requests()
                .forEach(
                        (name, request) -> {
                            Bytes encoded = PartitionRequest.encode(request);
                            golden.add(name, encoded);
                            assertThat(PartitionRequest.decode(encoded)).isEqualTo(request);
                        });
        golden.verify("requests.hex");
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
        PartitionRequest.BatchStep north = read("north");
        PartitionRequest.BatchStep south = read("south");

        assertThat(batch(Collections.nCopies(100, north)).steps()).hasSize(100);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> batch(Collections.nCopies(101, north)));
        assertThatIllegalArgumentException().isThrownBy(() -> batch(List.of(north, south)));
        assertThatIllegalArgumentException().isThrownBy(() -> batch(List.of()));
    }

    private static PartitionRequest.Batch batch(List<PartitionRequest.BatchStep> steps) {
        return new PartitionRequest.Batch(new PartitionId(7, 0), new RequestId(1, 1), steps, 0);
    }

    private static PartitionRequest.BatchStep read(String key) {
        return new PartitionRequest.BatchStep.Read(
                remove(key).key(), new Precondition.Impossible());
    }

    @Test
    void aPageHasRoomForAnItem() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                new PartitionRequest.ReadFeed(
                                        new PartitionId(7, 0),
                                        KeyRange.FULL,
                                        Optional.empty(),
                                        Optional.empty(),
                                        0,
                                        1,
                                        0));
    }

    private static Command.ItemChange remove(String key) {
        return new Command.ItemChange.Remove(
                new ItemKey(EffectiveKey.MIN, PartitionKey.ofText(key), RowKey.ofText("id")),
                Precondition.NONE);
    }
}
