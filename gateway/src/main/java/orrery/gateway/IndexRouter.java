package orrery.gateway;

import java.util.List;
import java.util.function.UnaryOperator;
import orrery.cluster.api.Catalog;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.Indexes;
import orrery.model.ContainerDefinition;
import orrery.model.ErrorCode;
import orrery.model.NamedIndex;
import orrery.model.NamedIndexes;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.resource.Container;

/** Changes the named indexes of containers, each time on top of those that are there. */
final class IndexRouter implements Indexes {
    private final Catalog catalog;
    private final Doorkeeper door;

    IndexRouter(Catalog catalog, Doorkeeper door) {
        this.catalog = catalog;
        this.door = door;
    }

    @Override
    public Container change(
            RequestContext context, ContainerRef ref, UnaryOperator<List<NamedIndex>> change) {
        Container found = door.subject(context, ref, Action.CHANGE_CONTAINER);
        while (true) {
            // A reference that was resolved earlier has the definition of that time.
            Container present =
                    catalog.findContainer(found.database(), found.number())
                            .orElseThrow(
                                    () ->
                                            new OrreryException(
                                                    ErrorCode.NOT_FOUND, "Resource Not Found."));
            List<NamedIndex> wanted = change.apply(present.definition().indexes());
            if (wanted.equals(present.definition().indexes())) {
                return present;
            }
            ContainerDefinition next = NamedIndexes.define(present.definition(), wanted);
            ContainerRules.checkIndexes(next);
            try {
                return catalog.replaceContainer(
                        context, present, next, new Precondition.Matches(present.etag()));
            } catch (OrreryException failure) {
                if (failure.code() != ErrorCode.PRECONDITION_FAILED) {
                    throw failure;
                }
            }
        }
    }
}
