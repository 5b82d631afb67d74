package orrery.partition;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import orrery.document.BodyFormat;
import orrery.document.Patch;
import orrery.document.SystemProperties;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition.Geospatial;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.ItemRules;
import orrery.model.OrreryException;
import orrery.model.PartitionKeyDefinition;
import orrery.model.Precondition;
import orrery.model.ResourceId;
import orrery.model.SizeLimits;
import orrery.model.metering.RequestCharge;
import orrery.partition.api.WriteAction;
import orrery.partition.machine.OpenDefinition;
import orrery.query.PatchCondition;
import orrery.query.PlanningThreads;
import orrery.query.QueryRequest;

/** A patch that can be applied to one version of an item after another. */
final class PatchEvaluation {
    private final Patch patch;
    private final Optional<PatchCondition> condition;
    private final Precondition precondition;
    private final SystemProperties system;
    private final SizeLimits limits;

    /**
     * Throws BAD_REQUEST where the patch or its condition cannot be read.
     *
     * @param nowMillis the time for a condition that asks for it
     */
    PatchEvaluation(
            WriteAction.Patch action,
            Precondition precondition,
            int container,
            OpenDefinition definition,
            long nowMillis) {
        InstantSource clock = InstantSource.fixed(Instant.ofEpochMilli(nowMillis));
        Geospatial space = definition.current().definition().geospatial();
        this.patch = Patch.parse(action.patch());
        this.condition =
                patch.condition()
                        .map(
                                text ->
                                        PlanningThreads.ofProcess()
                                                .plan(
                                                        container,
                                                        new QueryRequest(text, Map.of()),
                                                        () ->
                                                                PatchCondition.parse(
                                                                        text,
                                                                        clock,
                                                                        space,
                                                                        ComputedCache.of(
                                                                                definition))));
        this.precondition = precondition;
        this.limits = definition.current().definition().kind().limits();
        this.system = new SystemProperties(ResourceId.ofContainer(action.database(), container));
    }

    /** The body that the patch makes of an item; throws where it must not or cannot be applied. */
    Bytes bodyAfter(Item present, PartitionKeyDefinition keyDefinition) {
        if (!Precondition.holds(precondition, present.etag())) {
            throw failed(present);
        }
        if (condition.isPresent() && !condition.get().matches(system.read(present, _ -> true))) {
            throw failed(present);
        }
        Bytes body = BodyFormat.of(present.encoding()).patch(present.body(), patch, keyDefinition);
        ItemRules.checkBody(limits, body);
        return body;
    }

    private static OrreryException failed(Item present) {
        return Refusals.of(
                ErrorCode.PRECONDITION_FAILED,
                RequestCharge.refusedWrite(Charges.billedBytes(present.body())));
    }
}
