package orrery.partition.machine;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import orrery.model.Bytes;
import orrery.model.DocumentViolation;
import orrery.model.ErrorCode;
import orrery.model.PartitionId;
import orrery.model.metering.RequestCharge;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.PartitionEnvelope;
import orrery.partition.api.PartitionResponse;

/** Samples of messages about the validator of a container. */
final class ValidationSamples {
    private ValidationSamples() {}

    static PartitionEnvelope envelope(boolean isUnchecked) {
        return PartitionEnvelope.ofNode(
                        0,
                        new ControlRequest.Describe(new PartitionId(7, 2)),
                        Duration.ofSeconds(30))
                .withUnchecked(isUnchecked);
    }

    static PartitionResponse response() {
        return new PartitionResponse.Failed(
                ErrorCode.BAD_REQUEST,
                OptionalInt.of(121),
                Optional.of(new DocumentViolation(Bytes.ofHex("0500000000"))),
                "Unfit.",
                0,
                9,
                RequestCharge.refusedWrite(300));
    }
}
