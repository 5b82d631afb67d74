package orrery.gateway;

import java.util.List;
import java.util.Optional;
import orrery.cluster.api.Catalog;
import orrery.gateway.api.ContainerUsage;
import orrery.gateway.api.Redistribution;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.Throughput;
import orrery.model.ThroughputBuckets;
import orrery.model.resource.Container;
import orrery.model.resource.Offer;
import orrery.model.resource.PartitionMap;

/** Changes of throughput: what is permitted, and whom they concern. */
final class OfferRouter {
    private final Catalog catalog;
    private final Resolver resolver;
    private final ServiceQuotas quotas;
    private final ContainerSurvey survey;

    OfferRouter(Catalog catalog, Resolver resolver, ServiceQuotas quotas, ContainerSurvey survey) {
        this.catalog = catalog;
        this.resolver = resolver;
        this.quotas = quotas;
        this.survey = survey;
    }

    /**
     * Returns at once; more partitions than there are come in the background.
     *
     * @param buckets absent where they stay as they are
     */
    Offer replace(
            RequestContext context,
            Offer offer,
            Throughput throughput,
            Optional<ThroughputBuckets> buckets,
            Precondition precondition) {
        buckets.ifPresent(wanted -> checkBuckets(offer, wanted));
        // Throughput that is there stays, whatever the rules would say to it today.
        boolean isOfBuckets = buckets.isPresent() && throughput.equals(offer.throughput());
        if (!isOfBuckets) {
            check(context, offer, throughput);
            quotas.countThroughputChange(catalog.settings());
        }
        if (buckets.filter(wanted -> !wanted.equals(offer.buckets())).isPresent()) {
            quotas.countBucketChange(catalog.settings(), offer.number());
        }
        return catalog.replaceOffer(context, offer, throughput, buckets, precondition);
    }

    private static void checkBuckets(Offer offer, ThroughputBuckets wanted) {
        if (offer.container() == 0 && !wanted.isEmpty()) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "Throughput buckets are parts of one container's throughput, and this is the"
                            + " throughput of a database. Set them for a container that has"
                            + " throughput of its own.");
        }
    }

    private void check(RequestContext context, Offer offer, Throughput throughput) {
        ThroughputHolder holder = holder(context, offer);
        rules().check(throughput, holder);
        int needed = catalog.settings().partitionsFor(throughput.ceiling());
        if (needed > 1
                && holder.kind() == ThroughputHolder.Kind.DATABASE
                && holder.sharingContainers() == 0) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "More than "
                            + catalog.settings().partitionMaxThroughput()
                            + " RU/s need at least one container that shares the database's"
                            + " throughput. Create one first.");
        }
        if (catalog.isScaling(offer)) {
            throw scaling();
        }
        rules().checkPerMinute(throughput, Math.max(needed, partitionCount(offer)));
    }

    private static OrreryException scaling() {
        return new OrreryException(
                ErrorCode.OFFER_REPLACE_IN_PROGRESS,
                "Another offer replace operation is in progress: partitions are being split."
                        + " Retry when it is done.");
    }

    /** The least throughput the offer may be set to. */
    int minimum(RequestContext context, Offer offer) {
        return rules().minimum(offer.throughput().mode(), holder(context, offer));
    }

    /** Switches between throughput that is set and throughput that scales. */
    Offer migrate(RequestContext context, Offer offer, Throughput.Mode target) {
        if (offer.throughput().mode() == target) {
            return offer;
        }
        if (offer.throughput() instanceof Throughput.Manual(int _, boolean perMinute)
                && perMinute) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "Throughput that scales by itself has no budget per minute. Switch that off"
                            + " first.");
        }
        // Judged by what the offer is now: whoever changes it meanwhile goes first.
        return replace(
                context,
                offer,
                rules().migrated(offer.throughput(), target, holder(context, offer)),
                Optional.empty(),
                new Precondition.Matches(offer.etag()));
    }

    /** Divides the throughput of a container over its ranges. */
    PartitionMap redistribute(RequestContext context, Container container, Redistribution wanted) {
        Offer offer =
                catalog.findContainerOffer(container.number())
                        .orElseThrow(
                                () ->
                                        new OrreryException(
                                                ErrorCode.BAD_REQUEST,
                                                "The container shares the throughput of its"
                                                        + " database, whose parts are equal. Only"
                                                        + " throughput of a container is"
                                                        + " redistributed."));
        if (catalog.isScaling(offer)) {
            throw scaling();
        }
        PartitionMap map = catalog.partitionMap(container);
        return catalog.redistribute(
                context, container, map, rules().shares(map, offer.throughput()).of(wanted));
    }

    private ThroughputHolder holder(RequestContext context, Offer offer) {
        if (offer.container() == 0) {
            List<Container> sharing = sharing(offer.database());
            return new ThroughputHolder(
                    ThroughputHolder.Kind.DATABASE,
                    offer.highestEver(),
                    sharing.stream().mapToLong(c -> storedBytes(context, c)).sum(),
                    sharing.size());
        }
        Container container = resolver.container(offer);
        int unlimitedMinimum = catalog.settings().ruleSet().manual().unlimitedMinimum();
        ThroughputHolder.Kind kind;
        if (container.fixed()) {
            kind = ThroughputHolder.Kind.FIXED;
        } else if (offer.highestEver() >= unlimitedMinimum || partitionCount(offer) > 1) {
            kind = ThroughputHolder.Kind.UNLIMITED;
        } else {
            kind = ThroughputHolder.Kind.GROWING;
        }
        return new ThroughputHolder(kind, offer.highestEver(), storedBytes(context, container), 0);
    }

    private List<Container> sharing(int database) {
        return catalog.containers(database, 0, Integer.MAX_VALUE).stream()
                .filter(container -> catalog.findContainerOffer(container.number()).isEmpty())
                .toList();
    }

    private long storedBytes(RequestContext context, Container container) {
        if (container.state() == Container.State.CREATING) {
            return 0; // its partitions may not be there yet
        }
        ContainerUsage usage = survey.usage(context, container);
        return usage.itemBytes() + usage.indexBytes();
    }

    /**
     * A database's containers share its ranges, so the largest of them tells how many there are.
     */
    private int partitionCount(Offer offer) {
        if (offer.container() != 0) {
            return resolver.map(resolver.container(offer)).partitions().size();
        }
        return Math.max(
                catalog.settings().partitionsFor(offer.throughput().ceiling()),
                sharing(offer.database()).stream()
                        .mapToInt(c -> catalog.partitionMap(c).partitions().size())
                        .max()
                        .orElse(1));
    }

    private ThroughputRules rules() {
        return new ThroughputRules(catalog.settings());
    }
}
