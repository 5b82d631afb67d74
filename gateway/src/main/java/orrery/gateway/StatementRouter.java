package orrery.gateway;

import java.util.Optional;
import orrery.gateway.api.FoundStatement;
import orrery.gateway.api.ItemAnswer;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.RequestContext;
import orrery.model.Statement;
import orrery.model.metering.Charge;
import orrery.model.resource.Container;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.WriteResponse;

/** Looks for a statement of a session in all partitions of a container. */
final class StatementRouter {
    private final Resolver resolver;
    private final PartitionCalls partitions;

    StatementRouter(Resolver resolver, PartitionCalls partitions) {
        this.resolver = resolver;
        this.partitions = partitions;
    }

    /** Asks all partitions again when one of them was split or merged. */
    FoundStatement find(RequestContext context, Container container, Statement statement) {
        return resolver.routed(context, container, map -> find(context, container, map, statement));
    }

    private FoundStatement find(
            RequestContext context, Container container, PartitionMap map, Statement statement) {
        Sum sum = new Sum();
        FanOut.run(
                map.partitions(),
                partition -> find(context, container, partition, statement),
                sum::add);
        return new FoundStatement(sum.answer, sum.charge);
    }

    private FoundStatement find(
            RequestContext context,
            Container container,
            PhysicalPartition partition,
            Statement statement) {
        try {
            ItemAnswer answer =
                    ItemRouter.answer(
                            container,
                            partition,
                            (WriteResponse.Remembered)
                                    partitions.call(
                                            context,
                                            partition,
                                            new ReadRequest.FindStatement(
                                                    container.partition(partition), statement)));
            return new FoundStatement(Optional.of(answer), answer.charge());
        } catch (OrreryException missing) {
            if (missing.code() != ErrorCode.NOT_FOUND) {
                throw missing;
            }
            return new FoundStatement(Optional.empty(), missing.charge());
        }
    }

    /** The joint answer of the partitions: one of them at most has the statement. */
    private static final class Sum {
        private Optional<ItemAnswer> answer = Optional.empty();
        private Charge charge = Charge.NONE;

        void add(FoundStatement part) {
            answer = answer.or(part::answer);
            charge = charge.plus(part.charge());
        }
    }
}
