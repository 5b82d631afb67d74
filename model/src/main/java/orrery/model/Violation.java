package orrery.model;

import java.util.Optional;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/** The rule of its container that a write does not meet, for clients that are told which. */
public sealed interface Violation permits KeyViolation, DocumentViolation {
    /** More is not told: an answer must fit its message, and may tell of many writes. */
    int MAX_BYTES = 16 << 10;

    static void write(BinaryWriter out, Optional<Violation> violation) {
        switch (violation.orElse(null)) {
            case null -> out.u8(0);
            case KeyViolation taken -> taken.write(out.u8(1));
            case DocumentViolation(Bytes details) -> out.u8(2).bytes(details);
        }
    }

    static Optional<Violation> read(BinaryReader in) {
        return switch (in.u8()) {
            case 0 -> Optional.empty();
            case 1 -> Optional.of(KeyViolation.read(in));
            case 2 -> Optional.of(new DocumentViolation(in.bytes()));
            default -> throw new MalformedRecordException("unknown kind of a violation");
        };
    }
}
