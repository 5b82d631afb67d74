package orrery.gateway;

import java.util.List;
import java.util.Optional;
import orrery.cluster.api.Catalog;
import orrery.gateway.Authorizer.Reach;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.StreamPage;
import orrery.gateway.api.StreamRequest;
import orrery.gateway.api.StreamScope;
import orrery.gateway.api.Streams;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.resource.Container;
import orrery.model.resource.Database;

/**
 * The part of the door for streams of changes: checks who asks, and sees to it that what is watched
 * is kept.
 */
final class StreamDoor implements Streams {
    private final Catalog catalog;
    private final Doorkeeper door;
    private final Faults faults;
    private final StreamRouter streams;

    StreamDoor(Catalog catalog, Doorkeeper door, Faults faults, StreamRouter streams) {
        this.catalog = catalog;
        this.door = door;
        this.faults = faults;
        this.streams = streams;
    }

    /** New containers come first: one that is made meanwhile is then among those that are there. */
    @Override
    public void watch(RequestContext context, StreamScope scope) {
        Optional<Database> database = streams.sources().database(scope);
        boolean isOfMany =
                !(scope instanceof StreamScope.OneContainer)
                        || streams.sources().find(scope).isEmpty();
        if (isOfMany && !catalog.keepsVersions()) {
            if (!(scope instanceof StreamScope.Everything) && database.isEmpty()) {
                throw new OrreryException(
                        ErrorCode.OWNER_NOT_FOUND, "The database does not exist.");
            }
            if (database.filter(one -> one.keptMinutes() > 0).isEmpty()) {
                door.check(context, Action.CHANGE_RESOURCES);
                catalog.keepVersions(context, database);
            }
        }
        for (StreamSources.Found found : streams.sources().find(scope).values()) {
            keep(context, catalog.awaitCreation(found.container()), true);
        }
    }

    @Override
    public Container keepVersions(RequestContext context, ContainerRef ref, boolean isKept) {
        return keep(context, door.subject(context, ref, Action.CHANGE_CONTAINER), isKept);
    }

    private Container keep(RequestContext context, Container found, boolean isKept) {
        Container present = found;
        while (present.definition().changeRetentionMinutes() > 0 != isKept) {
            door.check(context, Action.CHANGE_CONTAINER, new Reach.Whole(present));
            int minutes = isKept ? catalog.settings().mongoChangeRetention() : 0;
            try {
                return catalog.replaceContainer(
                        context,
                        present,
                        present.definition().withChangeRetention(minutes),
                        new Precondition.Matches(present.etag()));
            } catch (OrreryException overtaken) {
                if (overtaken.code() != ErrorCode.PRECONDITION_FAILED) {
                    throw overtaken;
                }
            }
            Optional<Container> now = catalog.findContainer(found.database(), found.number());
            if (now.isEmpty()) {
                return found; // dropped meanwhile, which who reads hears
            }
            present = now.get();
        }
        return present;
    }

    @Override
    public StreamPage read(RequestContext context, StreamRequest request) {
        admit(context, request.scope());
        return streams.read(context, request);
    }

    @Override
    public List<String> split(
            RequestContext context, StreamScope.OneContainer scope, StreamRequest.Start start) {
        admit(context, scope);
        if (streams.sources().find(scope).isEmpty()) {
            throw new OrreryException(ErrorCode.OWNER_NOT_FOUND, "The container does not exist.");
        }
        return streams.split(context, scope, start);
    }

    private void admit(RequestContext context, StreamScope scope) {
        if (!(scope instanceof StreamScope.OneContainer)) {
            door.check(context, Action.READ_RESOURCES);
        }
        for (StreamSources.Found found : streams.sources().find(scope).values()) {
            door.check(context, Action.READ_ITEMS, new Reach.Whole(found.container()));
            faults.check(found.container());
        }
    }
}
