package orrery.cluster.catalog;

import orrery.model.ErrorCode;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.model.resource.Offer;
import orrery.model.resource.Script;

/** The outcome of a catalog command. */
public sealed interface CatalogOutcome {
    record Done() implements CatalogOutcome {}

    record OfDatabase(Database database) implements CatalogOutcome {}

    record OfContainer(Container container) implements CatalogOutcome {}

    record OfOffer(Offer offer) implements CatalogOutcome {}

    record OfScript(Script script) implements CatalogOutcome {}

    record Rejected(ErrorCode code, String text) implements CatalogOutcome {}
}
