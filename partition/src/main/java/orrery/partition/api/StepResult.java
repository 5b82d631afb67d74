package orrery.partition.api;

import java.util.Optional;
import java.util.OptionalInt;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.Violation;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.model.metering.Charge;

/** The result of one step of a batch, in the order of the request. */
public sealed interface StepResult {
    Charge charge();

    /**
     * @param item its body is empty unless it was read, or the partition made it and the step asked
     *     for it. Absent after a delete.
     * @param before the version that was replaced or deleted, if the step asked for it. Its etag is
     *     zero if an earlier step wrote it, because that version never was in the store.
     */
    record Done(StepOutcome outcome, Optional<Item> item, Optional<Item> before, Charge charge)
            implements StepResult {}

    /**
     * @param languageCode the number that the language of the step has for the refusal
     * @param violation the rule of the container that the step does not meet, if clients are told
     */
    record Refused(
            ErrorCode code,
            OptionalInt languageCode,
            Optional<Violation> violation,
            String text,
            Charge charge)
            implements StepResult {
        /** A refusal that every language words in the same way. */
        public Refused(ErrorCode code, String text, Charge charge) {
            this(code, OptionalInt.empty(), Optional.empty(), text, charge);
        }
    }

    default void write(BinaryWriter out) {
        switch (this) {
            case Done(var outcome, var item, var before, Charge charge) -> {
                out.u8(1)
                        .enumeration(outcome)
                        .optional(item, (w, each) -> each.write(w))
                        .optional(before, (w, each) -> each.write(w));
                charge.write(out);
            }
            case Refused(
                            ErrorCode code,
                            OptionalInt languageCode,
                            var violation,
                            String text,
                            Charge charge) -> {
                out.u8(2);
                PartitionResponse.Failed.writeCode(out, code);
                Violation.write(out.optionalU32(languageCode), violation);
                out.string(text);
                charge.write(out);
            }
        }
    }

    static StepResult read(BinaryReader in) {
        return switch (in.u8()) {
            case 1 ->
                    new Done(
                            in.enumeration(StepOutcome.class),
                            in.optional(Item::read),
                            in.optional(Item::read),
                            Charge.read(in));
            case 2 ->
                    new Refused(
                            PartitionResponse.Failed.readCode(in),
                            in.optionalU32(),
                            Violation.read(in),
                            in.string(),
                            Charge.read(in));
            default -> throw new MalformedRecordException("unknown result of a batch step");
        };
    }
}
