package orrery.partition.machine;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.RequestId;
import orrery.model.metering.Charge;
import orrery.model.metering.RequestCharge;
import orrery.partition.api.CreationPlace;
import orrery.partition.api.StepResult;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;
import orrery.query.index.IndexUse;
import orrery.query.sql.SqlStatement;
import orrery.query.write.Evaluation;
import orrery.query.write.Images;

/** The messages of writes to many items, which say how far a walk has come. */
final class WalkSamples {
    private WalkSamples() {}

    static WriteRequest.ChangeMany request() {
        return new WriteRequest.ChangeMany(
                new PartitionId(7, 2),
                new RequestId(1, 2),
                SqlStatement.parse("SELECT * FROM c", Map.of()).encoded(),
                3,
                KeyRange.FULL,
                Optional.of(PartitionKey.ofText("north")),
                new WriteAction.Evaluate(
                        3, new Evaluation(4, 1, Bytes.ofHex("0102")), false, Images.NONE),
                Optional.of(new CreationPlace(7, 20, List.of(9L, 12L))),
                256,
                1 << 20);
    }

    static WriteResponse.ManyChanged response() {
        return new WriteResponse.ManyChanged(
                2,
                1,
                Optional.of(new StepResult.Refused(ErrorCode.TOO_LARGE, "Too large.", Charge.NONE)),
                Optional.of(new CreationPlace(300, 1000, List.of())),
                9,
                RequestCharge.delete(0, 0));
    }

    static WriteResponse.Searched searched() {
        return new WriteResponse.Searched(
                response(),
                new IndexUse(
                        List.of("/a/?"),
                        List.of(List.of("/a ASC", "/b DESC")),
                        List.of(),
                        List.of()));
    }
}
