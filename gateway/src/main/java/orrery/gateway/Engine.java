package orrery.gateway;

import java.util.Optional;
import orrery.model.ChangedItem;
import orrery.model.ContainerDefinition;
import orrery.model.ItemVersion;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.ResourceId;
import orrery.model.Throughput;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.model.resource.Offer;
import orrery.model.resource.PartitionMap;
import orrery.query.QueryRequest;

/**
 * Everything a front-end can ask of the engine: blocking, protocol-free, the same for all APIs.
 * Every failure is an {@link orrery.model.OrreryException}.
 */
public interface Engine {
    Database createDatabase(RequestContext context, String name, Optional<Throughput> throughput);

    Database readDatabase(RequestContext context, ResourceRef database);

    void deleteDatabase(RequestContext context, ResourceRef database, Precondition precondition);

    Page<Database> listDatabases(RequestContext context, PageRequest page);

    /** Answers when every partition of the container is open. */
    Container createContainer(
            RequestContext context,
            ResourceRef database,
            String name,
            ContainerDefinition definition,
            Optional<Throughput> throughput);

    Container readContainer(RequestContext context, ContainerRef container);

    /**
     * The database that owns what a request is about. A missing one is {@code OWNER_NOT_FOUND},
     * where {@link #readDatabase} says {@code NOT_FOUND}.
     */
    Database readOwner(RequestContext context, ResourceRef database);

    /** The container that owns what a request is about, likewise. */
    Container readOwner(RequestContext context, ContainerRef container);

    /** Changes what may change; a different name, key or unique key is refused. */
    Container replaceContainer(
            RequestContext context,
            ContainerRef container,
            ContainerDefinition definition,
            Precondition precondition);

    void deleteContainer(RequestContext context, ContainerRef container, Precondition precondition);

    Page<Container> listContainers(RequestContext context, ResourceRef database, PageRequest page);

    PartitionMap readPartitionMap(RequestContext context, ContainerRef container);

    /**
     * Returns the layout of the container over its partitions.
     *
     * @param keys how many of the largest and hottest keys of each partition are wanted
     */
    ContainerReport inspect(RequestContext context, ContainerRef container, int keys);

    /** Cuts a range in two and returns the map with its children. */
    PartitionMap splitPartition(RequestContext context, ContainerRef container, int range);

    /** Joins a range with its right neighbour and returns the map with the result. */
    PartitionMap mergePartitions(RequestContext context, ContainerRef container, int left);

    /** Lets a range whose partition has failed take writes again. */
    void repairPartition(RequestContext context, ContainerRef container, int range);

    /**
     * Divides the throughput of a container over its ranges and returns the map with the new parts.
     * They stay until they are changed, or the throughput needs another number of ranges.
     */
    PartitionMap redistribute(
            RequestContext context, ContainerRef container, Redistribution wanted);

    /**
     * Makes requests for items of a container fail as told, or lets them be, until a restart or the
     * end of the container. For the laboratory: how an application bears it is learnt best on
     * purpose.
     */
    void setFault(RequestContext context, ContainerRef container, Optional<Fault> fault);

    /** The fault of a container with what is left of it. */
    Optional<Fault> findFault(RequestContext context, ContainerRef container);

    /** Counts over all partitions of the container. */
    ContainerUsage readUsage(RequestContext context, ContainerRef container);

    Offer readOffer(RequestContext context, ResourceId offer);

    Page<Offer> listOffers(RequestContext context, PageRequest page);

    /** The offer of a container or database, if it has throughput of its own. */
    Optional<Offer> findOffer(RequestContext context, ResourceId resource);

    /** Returns at once; more partitions than there are come in the background. */
    Offer replaceOffer(
            RequestContext context,
            ResourceId offer,
            Throughput throughput,
            Precondition precondition);

    default Offer replaceOffer(RequestContext context, ResourceId offer, Throughput throughput) {
        return replaceOffer(context, offer, throughput, Precondition.NONE);
    }

    /** Returns true if partitions are still being split for the throughput of an offer. */
    boolean isReplacePending(RequestContext context, Offer offer);

    /**
     * Switches between throughput that is set and throughput that scales. How much it then is, the
     * engine decides; an offer of that mode stays as it is.
     */
    Offer migrateOffer(RequestContext context, ResourceId offer, Throughput.Mode target);

    /** The least throughput the offer may be set to. */
    int minimumThroughput(RequestContext context, Offer offer);

    /** Stored procedures, triggers and user-defined functions. */
    Scripts scripts();

    /** A missing item is an {@code OrreryException} with {@code NOT_FOUND}. */
    ItemAnswer readItem(
            RequestContext context, ContainerRef container, PartitionKey key, ItemRef item);

    ItemAnswer writeItem(RequestContext context, ContainerRef container, ItemWrite write);

    /**
     * Several operations at once. The answer tells of each, also where it is refused; only what
     * concerns the request as a whole is an exception.
     */
    BatchAnswer batch(RequestContext context, ContainerRef container, ItemBatch batch);

    /**
     * Deletes all items of a key, or of all keys that begin with this part of a hierarchical one.
     * From the answer on nobody sees them; what is written later under the key stays.
     */
    KeyDeleteAnswer deleteItems(RequestContext context, ContainerRef container, PartitionKey key);

    /** A page of items in key order, at most 4 MB; follow its continuation for the rest. */
    ItemPage readItems(
            RequestContext context, ContainerRef container, FeedScope scope, PageRequest page);

    /**
     * A page of the results of a query, at most 4 MB, put together from as many partitions as it
     * concerns. Fails with {@code CROSS_PARTITION_QUERY_NOT_SERVABLE} where there are too many
     * groups or distinct results for that.
     */
    QueryPage query(
            RequestContext context,
            ContainerRef container,
            FeedScope scope,
            QueryRequest query,
            PageRequest page);

    /**
     * A page of items in the order of their last changes, at most 4 MB or one LSN. A scope that
     * names a range hears {@code RANGE_GONE} once it is split or merged; its continuation is then
     * good for what has taken its place.
     */
    ChangePage<ChangedItem> readChanges(
            RequestContext context, ContainerRef container, FeedScope scope, ChangeRequest request);

    /**
     * A page of every version and every delete, of which a container keeps those of its change
     * retention. It starts from now or from a continuation; a continuation that is older than what
     * is kept is refused.
     */
    ChangePage<ItemVersion> readVersions(
            RequestContext context, ContainerRef container, FeedScope scope, ChangeRequest request);
}
