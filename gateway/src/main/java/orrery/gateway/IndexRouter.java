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
            List<String> built = built(present.definition().indexes(), wanted);
            ContainerDefinition next =
                    NamedIndexes.define(present.definition(), building(wanted, built));
            ContainerRules.checkIndexes(next);
            try {
                Container replaced =
                        catalog.replaceContainer(
                                context, present, next, new Precondition.Matches(present.etag()));
                return built.isEmpty() ? replaced : catalog.awaitIndexes(context, replaced, built);
            } catch (OrreryException failure) {
                if (failure.code() != ErrorCode.PRECONDITION_FAILED) {
                    throw failure;
                }
            }
        }
    }

    /** The names of unique indexes that earlier items have to be looked at for. */
    private static List<String> built(List<NamedIndex> present, List<NamedIndex> wanted) {
        List<NamedIndex> known =
                present.stream().filter(NamedIndex::unique).map(NamedIndex::constraint).toList();
        return wanted.stream()
                .filter(index -> index.unique() && !known.contains(index.constraint()))
                .map(NamedIndex::name)
                .toList();
    }

    private static List<NamedIndex> building(List<NamedIndex> wanted, List<String> names) {
        return wanted.stream()
                .map(
                        index ->
                                names.contains(index.name())
                                        ? index.withState(NamedIndex.State.BUILDING)
                                        : index)
                .toList();
    }
}
