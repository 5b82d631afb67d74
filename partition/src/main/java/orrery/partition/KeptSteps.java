package orrery.partition;

import java.util.List;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.Item;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/**
 * The part of a batch's answer that neither its request nor its outcome tells: what its reads found
 * and what its evaluations made.
 */
record KeptSteps(List<Step> steps) {
    private static final int VERSION = 2;

    /**
     * @param seen the version that a read found in the store
     * @param before the version that the step replaced or deleted, if it was asked for
     * @param body what the step made of the item, or read of what the batch had made of it
     */
    record Step(Optional<Item> seen, Optional<Item> before, Optional<Bytes> body) {}

    KeptSteps {
        steps = List.copyOf(steps);
    }

    static KeptSteps of(List<BatchEvaluation.Planned> planned) {
        return new KeptSteps(
                planned.stream()
                        .map(step -> new Step(step.seen(), step.before(), step.body()))
                        .toList());
    }

    Bytes encode() {
        return new BinaryWriter()
                .u8(VERSION)
                .list(
                        steps,
                        (w, step) ->
                                w.optional(step.seen(), (x, item) -> item.write(x))
                                        .optional(step.before(), (x, item) -> item.write(x))
                                        .optional(step.body(), BinaryWriter::bytes))
                .toBytes();
    }

    static KeptSteps decode(Bytes bytes) {
        BinaryReader in = new BinaryReader(bytes);
        if (in.u8() != VERSION) {
            throw new MalformedRecordException("unknown version of a batch's answer");
        }
        return new KeptSteps(
                in.list(
                        r ->
                                new Step(
                                        r.optional(Item::read),
                                        r.optional(Item::read),
                                        r.optional(BinaryReader::bytes))));
    }
}
