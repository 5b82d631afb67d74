package orrery.partition.api;

import java.util.Optional;
import java.util.OptionalInt;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.SizeLimits;
import orrery.model.Violation;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.model.metering.Charge;

/**
 * An answer of a replica set. The messages are records in the files of their groups, each with its
 * byte form beside it; {@link ResponseKind} lists them all.
 */
public sealed interface PartitionResponse permits PartitionResponse.Charged, ControlResponse {
    ResponseKind kind();

    /** Writes the fields. The kind stands before them. */
    void write(BinaryWriter out);

    /**
     * The answer to a request about items. It has a charge, whether the request was done or
     * refused.
     */
    sealed interface Charged extends PartitionResponse
            permits ReadResponse, WriteResponse, TransactedResponse, Failed {
        Charge charge();

        Charged withCharge(Charge other);
    }

    /**
     * @param languageCode the number that the language of the request has for the failure
     * @param violation the rule of the container that the request does not meet, if clients are
     *     told
     * @param retryAfterMillis when to come back, 0 where waiting does not help
     */
    record Failed(
            ErrorCode code,
            OptionalInt languageCode,
            Optional<Violation> violation,
            String text,
            long retryAfterMillis,
            long headLsn,
            Charge charge)
            implements Charged {
        /** A failure that every language words in the same way. */
        public Failed(
                ErrorCode code, String text, long retryAfterMillis, long headLsn, Charge charge) {
            this(
                    code,
                    OptionalInt.empty(),
                    Optional.empty(),
                    text,
                    retryAfterMillis,
                    headLsn,
                    charge);
        }

        @Override
        public Failed withCharge(Charge other) {
            return new Failed(
                    code, languageCode, violation, text, retryAfterMillis, headLsn, other);
        }

        @Override
        public ResponseKind kind() {
            return ResponseKind.FAILED;
        }

        @Override
        public void write(BinaryWriter out) {
            writeCode(out, code);
            Violation.write(out.optionalU32(languageCode), violation);
            out.string(text).u64(retryAfterMillis).u64(headLsn);
            charge.write(out);
        }

        static Failed read(BinaryReader in) {
            return new Failed(
                    readCode(in),
                    in.optionalU32(),
                    Violation.read(in),
                    in.string(),
                    in.u64(),
                    in.u64(),
                    Charge.read(in));
        }

        static void writeCode(BinaryWriter out, ErrorCode code) {
            out.string(code.name());
        }

        /** By name, so that a newer peer may add codes between ours. */
        static ErrorCode readCode(BinaryReader in) {
            return ErrorCode.named(in.string());
        }
    }

    int VERSION = 1;

    /** Throws if the response is too large to be sent. */
    static Bytes encode(PartitionResponse response) {
        BinaryWriter out = new BinaryWriter(256).u8(VERSION);
        ResponseKind.write(out, response);
        return SizeLimits.checkMessage(out.toBytes());
    }

    static PartitionResponse decode(Bytes bytes) {
        BinaryReader in = new BinaryReader(bytes);
        if (in.u8() != VERSION) {
            throw new MalformedRecordException("unknown version of a partition response");
        }
        PartitionResponse response = ResponseKind.read(in);
        in.expectEnd();
        return response;
    }
}
