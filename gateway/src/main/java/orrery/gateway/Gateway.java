package orrery.gateway;

import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;
import orrery.cluster.api.Catalog;
import orrery.document.IndexPlan;
import orrery.model.ContainerDefinition;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.ResourceId;
import orrery.model.Throughput;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.model.resource.Offer;
import orrery.model.resource.PartitionMap;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.PartitionService;

/** The engine behind the door: resources from the catalog, items from the partitions. */
public final class Gateway implements Engine {
    private static final int DEFAULT_RESOURCES_PER_PAGE = 100;
    private static final int MAX_RESOURCES_PER_PAGE = 1000;

    private final Catalog catalog;
    private final Resolver resolver;
    private final PartitionCalls partitions;
    private final ItemRouter items;
    private final FeedRouter feeds;
    private final Continuations continuations;
    private final ServiceQuotas quotas;

    public Gateway(Catalog catalog, PartitionService service, SecureRandom random) {
        this.catalog = catalog;
        this.resolver = new Resolver(catalog);
        this.partitions = new PartitionCalls(service);
        this.continuations = new Continuations(catalog.sealingKey());
        this.items = new ItemRouter(resolver, partitions, random);
        this.feeds = new FeedRouter(resolver, partitions, continuations);
        this.quotas = new ServiceQuotas(System::nanoTime);
    }

    @Override
    public Database createDatabase(
            RequestContext context, String name, Optional<Throughput> throughput) {
        Access.requireWrite(context);
        throughput.ifPresent(value -> ThroughputRules.check(value, ThroughputRules.FLOOR));
        quotas.countCreate(catalog.limits());
        return catalog.createDatabase(context, name, throughput);
    }

    @Override
    public Database readDatabase(RequestContext context, ResourceRef database) {
        quotas.countMetadata(catalog.limits());
        return resolver.database(database);
    }

    @Override
    public void deleteDatabase(
            RequestContext context, ResourceRef database, Precondition precondition) {
        Access.requireWrite(context);
        catalog.deleteDatabase(context, resolver.database(database), precondition);
    }

    @Override
    public Page<Database> listDatabases(RequestContext context, PageRequest page) {
        quotas.countMetadata(catalog.limits());
        return page("databases", page, catalog::databases, Database::number);
    }

    @Override
    public Container createContainer(
            RequestContext context,
            ResourceRef database,
            String name,
            ContainerDefinition definition,
            Optional<Throughput> throughput) {
        Access.requireWrite(context);
        Database owner = resolver.database(database);
        boolean shares =
                throughput.isEmpty() && catalog.findDatabaseOffer(owner.number()).isPresent();
        Optional<Throughput> own =
                shares ? Optional.empty() : Optional.of(throughput.orElse(ThroughputRules.DEFAULT));
        own.ifPresent(value -> ThroughputRules.check(value, ThroughputRules.FLOOR));
        ContainerRules.checkCreate(definition, own, shares);
        // Compiling tells whether we can honour the policy, before anything is written.
        IndexPlan.compile(definition.indexingPolicy());
        quotas.countCreate(catalog.limits());
        return catalog.createContainer(context, owner, name, definition, own);
    }

    @Override
    public Container readContainer(RequestContext context, ContainerRef container) {
        quotas.countMetadata(catalog.limits());
        return resolver.container(container);
    }

    @Override
    public Container replaceContainer(
            RequestContext context,
            ContainerRef container,
            ContainerDefinition definition,
            Precondition precondition) {
        Access.requireWrite(context);
        Container present = resolver.container(container);
        ContainerRules.checkReplace(present.definition(), definition);
        IndexPlan.compile(definition.indexingPolicy());
        return catalog.replaceContainer(context, present, definition, precondition);
    }

    @Override
    public void deleteContainer(
            RequestContext context, ContainerRef container, Precondition precondition) {
        Access.requireWrite(context);
        catalog.deleteContainer(context, resolver.container(container), precondition);
    }

    @Override
    public Page<Container> listContainers(
            RequestContext context, ResourceRef database, PageRequest page) {
        quotas.countMetadata(catalog.limits());
        int owner = resolver.database(database).number();
        return page(
                "containers of " + owner,
                page,
                (after, limit) -> catalog.containers(owner, after, limit),
                Container::number);
    }

    @Override
    public PartitionMap readPartitionMap(RequestContext context, ContainerRef container) {
        return catalog.partitionMap(resolver.container(container));
    }

    @Override
    public ContainerUsage readUsage(RequestContext context, ContainerRef ref) {
        Container container = resolver.container(ref);
        long items = 0;
        long itemBytes = 0;
        long indexBytes = 0;
        long indexedItems = 0;
        for (var partition : catalog.partitionMap(container).partitions()) {
            PartitionResponse response =
                    partitions.call(
                            context,
                            partition,
                            new PartitionRequest.Describe(
                                    new PartitionId(container.number(), partition.range())));
            if (response instanceof PartitionResponse.Description description) {
                items += description.items();
                itemBytes += description.itemBytes();
                indexBytes += description.indexBytes();
                indexedItems += description.items() * description.reindexPercent() / 100;
            }
        }
        return new ContainerUsage(
                items,
                itemBytes,
                indexBytes,
                items == 0 ? 100 : (int) (indexedItems * 100 / items));
    }

    @Override
    public Offer readOffer(RequestContext context, ResourceId offer) {
        quotas.countMetadata(catalog.limits());
        return resolver.offer(offer);
    }

    @Override
    public Page<Offer> listOffers(RequestContext context, PageRequest page) {
        quotas.countMetadata(catalog.limits());
        return page("offers", page, catalog::offers, Offer::number);
    }

    @Override
    public Optional<Offer> findOffer(RequestContext context, ResourceId resource) {
        if (resource.container().isPresent()) {
            return catalog.findContainerOffer(resource.container().getAsInt());
        }
        return resource.database().isPresent()
                ? catalog.findDatabaseOffer(resource.database().getAsInt())
                : Optional.empty();
    }

    @Override
    public Offer replaceOffer(RequestContext context, ResourceId rid, Throughput throughput) {
        Access.requireWrite(context);
        Offer offer = resolver.offer(rid);
        ThroughputRules.check(throughput, minimumThroughput(context, offer));
        int needed = catalog.limits().partitionsFor(throughput.ceiling());
        int present = partitionCount(offer);
        if (needed > present) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    throughput.ceiling()
                            + " RU/s need "
                            + needed
                            + " physical partitions and there are "
                            + present
                            + ". Splitting partitions of an existing container is not available"
                            + " yet; stay within "
                            + (long) present * catalog.limits().partitionMaxThroughput()
                            + " RU/s or create a new container.");
        }
        quotas.countThroughputChange(catalog.limits());
        return catalog.replaceOffer(context, offer, throughput);
    }

    @Override
    public int minimumThroughput(RequestContext context, Offer offer) {
        return ThroughputRules.minimum(offer.throughput(), offer.highestEver());
    }

    @Override
    public ItemAnswer readItem(
            RequestContext context, ContainerRef container, PartitionKey key, ItemRef item) {
        return items.read(context, container, key, item);
    }

    @Override
    public ItemAnswer writeItem(RequestContext context, ContainerRef container, ItemWrite write) {
        Access.requireWrite(context);
        return items.write(context, container, write);
    }

    @Override
    public ItemPage readItems(
            RequestContext context, ContainerRef container, FeedScope scope, PageRequest page) {
        return feeds.read(context, container, scope, page);
    }

    /**
     * A database's containers share its ranges, so the largest of them tells how many there are.
     */
    private int partitionCount(Offer offer) {
        if (offer.container() != 0) {
            return resolver.map(offer.database(), offer.container()).partitions().size();
        }
        return Math.max(
                catalog.limits().partitionsFor(offer.throughput().ceiling()),
                catalog.containers(offer.database(), 0, Integer.MAX_VALUE).stream()
                        .filter(c -> catalog.findContainerOffer(c.number()).isEmpty())
                        .mapToInt(c -> catalog.partitionMap(c).partitions().size())
                        .max()
                        .orElse(1));
    }

    private interface Listing<T> {
        List<T> after(int number, int limit);
    }

    private <T> Page<T> page(
            String feed, PageRequest request, Listing<T> listing, ToIntFunction<T> numberOf) {
        int limit =
                Math.min(
                        MAX_RESOURCES_PER_PAGE,
                        request.maxItems().orElse(DEFAULT_RESOURCES_PER_PAGE));
        int after =
                request.continuation().map(text -> continuations.openNumber(feed, text)).orElse(0);
        List<T> found = listing.after(after, limit + 1);
        if (found.size() <= limit) {
            return new Page<>(found, Optional.empty());
        }
        List<T> page = found.subList(0, limit);
        return new Page<>(
                page,
                Optional.of(continuations.sealNumber(feed, numberOf.applyAsInt(page.getLast()))));
    }
}
