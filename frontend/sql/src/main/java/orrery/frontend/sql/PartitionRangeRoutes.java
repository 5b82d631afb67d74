package orrery.frontend.sql;

import orrery.frontend.http.HttpReply;
import orrery.frontend.sql.Addresses.ContainerAddress;
import orrery.gateway.api.Resources;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.RequestContext;
import orrery.model.ResourceId;
import orrery.model.metering.RequestCharge;
import orrery.model.resource.Container;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;

/**
 * {@code …/pkranges}: where a container's partitions lie. Clients poll it with the etag they got
 * until they are told that nothing changed; without the 304 they would never stop.
 */
final class PartitionRangeRoutes {
    private final Resources resources;

    PartitionRangeRoutes(Resources resources) {
        this.resources = resources;
    }

    private record Ranges(Container container, PartitionMap map) {
        /** Tells maps of one container apart, and those of another container of the same name. */
        String etag() {
            return "\"" + container.number() + "-" + map.epoch() + "\"";
        }
    }

    HttpReply feed(SqlRequest request, RequestContext context, ContainerAddress address) {
        requireGet(request);
        Ranges ranges = read(context, address);
        if (request.alreadyHas(ranges.etag())) {
            return new SqlReply(request, 304)
                    .charge(RequestCharge.METADATA)
                    .header(SqlHeaders.ETAG, ranges.etag())
                    .build();
        }
        // All ranges, also to a client that knows an older map: it merges them by id and drops
        // every range that another names as its parent.
        return ResourceFeed.envelope(
                        request,
                        ranges.container().rid().toString(),
                        "PartitionKeyRanges",
                        PartitionRangeJson.write(ranges.container(), ranges.map()))
                .header(SqlHeaders.ETAG, ranges.etag())
                .build();
    }

    /** One range, by its id or by its rid. */
    HttpReply entity(
            SqlRequest request, RequestContext context, ContainerAddress address, String id) {
        requireGet(request);
        Ranges ranges = read(context, address);
        PhysicalPartition partition =
                ranges.map().partitions().stream()
                        .filter(candidate -> isCalled(ranges.container(), candidate, id))
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        new OrreryException(
                                                ErrorCode.NOT_FOUND,
                                                "Resource Not Found. There is no partition key"
                                                        + " range '"
                                                        + id
                                                        + "'."));
        return new SqlReply(request, 200)
                .charge(RequestCharge.METADATA)
                .body(PartitionRangeJson.write(ranges.container(), ranges.map(), partition))
                .build();
    }

    private Ranges read(RequestContext context, ContainerAddress address) {
        return new Ranges(address.container(), resources.readPartitionMap(context, address.ref()));
    }

    private static boolean isCalled(Container container, PhysicalPartition candidate, String id) {
        return Integer.toString(candidate.range()).equals(id)
                || ResourceId.ofPartition(
                                container.database(), container.number(), candidate.range())
                        .toString()
                        .equals(id);
    }

    private static void requireGet(SqlRequest request) {
        if (!request.method().equals("GET")) {
            throw SqlEndpoint.methodNotAllowed(request);
        }
    }
}
