package orrery.gateway.api;

import java.util.Optional;
import orrery.model.ContainerDefinition;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.ResourceId;
import orrery.model.Throughput;
import orrery.model.ThroughputBuckets;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.model.resource.Offer;
import orrery.model.resource.PartitionMap;

/**
 * The resources that items live in: databases, containers, their throughput and their scripts; and
 * those of a database besides: users, permissions and client encryption keys. Every failure is an
 * {@link orrery.model.OrreryException}.
 */
public interface Resources {
    Database createDatabase(RequestContext context, String name, Optional<Throughput> throughput);

    Database readDatabase(RequestContext context, ResourceRef database);

    void deleteDatabase(RequestContext context, ResourceRef database, Precondition precondition);

    Page<Database> listDatabases(RequestContext context, PageRequest page);

    /**
     * Answers when every partition of the container is open.
     *
     * @param database as {@link #resolve(RequestContext, ResourceRef)} has found it
     */
    Container createContainer(
            RequestContext context,
            Database database,
            String name,
            ContainerDefinition definition,
            Optional<Throughput> throughput);

    default Container createContainer(
            RequestContext context,
            ResourceRef database,
            String name,
            ContainerDefinition definition,
            Optional<Throughput> throughput) {
        return createContainer(context, resolve(context, database), name, definition, throughput);
    }

    Container readContainer(RequestContext context, ContainerRef container);

    /**
     * Finds the database that owns what a request is about. A missing one is {@code
     * OWNER_NOT_FOUND}, where {@link #readDatabase} says {@code NOT_FOUND}.
     */
    Database resolve(RequestContext context, ResourceRef database);

    /**
     * Finds a container for the calls that follow, so that none of them looks it up again. It is
     * part of another request and counts as none itself.
     */
    ContainerRef.Resolved resolve(
            RequestContext context, ContainerRef.Addressed container, ContainerRef.Role role);

    /** Changes what may change; a different name, key or unique key is refused. */
    Container replaceContainer(
            RequestContext context,
            ContainerRef container,
            ContainerDefinition definition,
            Precondition precondition);

    void deleteContainer(RequestContext context, ContainerRef container, Precondition precondition);

    /**
     * Gives a container the name of another one of its database, which is deleted at the same
     * moment: who asks for the name finds one or the other.
     *
     * @param replaced the container that has the name; absent if nobody may have it
     * @throws orrery.model.OrreryException PRECONDITION_FAILED if somebody else has it by now
     */
    Container takeName(
            RequestContext context,
            ContainerRef container,
            String name,
            Optional<ContainerRef> replaced);

    Page<Container> listContainers(RequestContext context, Database database, PageRequest page);

    PartitionMap readPartitionMap(RequestContext context, ContainerRef container);

    /**
     * Returns the layout of the container over its partitions.
     *
     * @param keys how many of the largest and hottest keys of each partition are wanted
     */
    ContainerReport inspect(RequestContext context, ContainerRef container, int keys);

    /** Counts over all partitions of the container. */
    ContainerUsage readUsage(RequestContext context, ContainerRef container);

    Offer readOffer(RequestContext context, ResourceId offer);

    Page<Offer> listOffers(RequestContext context, PageRequest page);

    /** The offer of a container or database, if it has throughput of its own. */
    Optional<Offer> findOffer(RequestContext context, ResourceId resource);

    /**
     * Returns at once; more partitions than there are come in the background.
     *
     * @param buckets absent where they stay as they are
     */
    Offer replaceOffer(
            RequestContext context,
            ResourceId offer,
            Throughput throughput,
            Optional<ThroughputBuckets> buckets,
            Precondition precondition);

    default Offer replaceOffer(
            RequestContext context,
            ResourceId offer,
            Throughput throughput,
            Precondition precondition) {
        return replaceOffer(context, offer, throughput, Optional.empty(), precondition);
    }

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

    /** Indexes that clients know by name, as those of MongoDB. */
    Indexes indexes();

    /** Stored procedures, triggers and user-defined functions. */
    Scripts scripts();

    Users users();

    Permissions permissions();

    ClientEncryptionKeys clientEncryptionKeys();

    /** Stored access policies, and the properties of the Table service. */
    TableSettings tableSettings();
}
