package orrery.cluster.api;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.ScriptDefinition;
import orrery.model.Throughput;
import orrery.model.ThroughputBuckets;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.model.resource.Offer;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.ReshapeEvent;
import orrery.model.resource.Script;

/**
 * Databases, containers, offers, partition maps and scripts. Look-ups are answered from memory, but
 * for the bodies of scripts; changes are durable when they return. Containers that are being
 * deleted are not found any more.
 */
public interface Catalog {
    Optional<Database> findDatabase(String name);

    Optional<Database> findDatabase(int number);

    /** Databases with a number above {@code after}, in order of their numbers. */
    List<Database> databases(int after, int limit);

    Optional<Container> findContainer(int database, String name);

    Optional<Container> findContainer(int database, int number);

    List<Container> containers(int database, int after, int limit);

    /** Every container that exists has one. */
    PartitionMap partitionMap(Container container);

    /**
     * Waits until the container's map is newer than an epoch, or the container is gone; false when
     * the time is over first.
     */
    boolean awaitPartitionMap(Container container, long epoch, Duration timeout);

    /**
     * Waits until a condition on what databases and containers there are holds, which is looked at
     * whenever one comes or goes; false when the time is over first.
     */
    boolean awaitChange(BooleanSupplier condition, Duration timeout);

    /** The members of a replica set have had this many changes. */
    long setEpoch(int replicaSet);

    /** Cuts a range in two and returns the map with its children. */
    PartitionMap splitPartition(RequestContext context, Container container, int range);

    /** Joins a range with its right neighbour and returns the map with the result. */
    PartitionMap mergePartitions(RequestContext context, Container container, int left);

    /**
     * Divides the container's throughput over the ranges of a map and returns the new map. Refused
     * where it has another map by now.
     *
     * @param fractions one for each range, or none to give each the same
     */
    PartitionMap redistribute(
            RequestContext context, Container container, PartitionMap map, List<Double> fractions);

    /** The latest splits and merges, oldest first. */
    List<ReshapeEvent> reshapeEvents(Container container);

    /** Returns true if partitions are still being split for the throughput of an offer. */
    boolean isScaling(Offer offer);

    Optional<Offer> findOffer(int number);

    Optional<Offer> findContainerOffer(int container);

    Optional<Offer> findDatabaseOffer(int database);

    List<Offer> offers(int after, int limit);

    Database createDatabase(RequestContext context, String name, Optional<Throughput> throughput);

    void deleteDatabase(RequestContext context, Database database, Precondition precondition);

    /**
     * Lets new collections of MongoDB keep versions from their creation on, for the retention that
     * the account has. What is there stays as it is.
     *
     * @param database in which they are made; absent for any
     */
    void keepVersions(RequestContext context, Optional<Database> database);

    /** Returns true if collections of MongoDB that are made in any database will keep versions. */
    boolean keepsVersions();

    /** Returns when every partition of the container is open. */
    Container createContainer(
            RequestContext context,
            Database database,
            String name,
            ContainerDefinition definition,
            Optional<Throughput> throughput);

    /**
     * Returns when every partition is open of a container that another request is creating; at once
     * for one that is there.
     */
    Container awaitCreation(Container container);

    /** Returns when every partition has the new definition. */
    Container replaceContainer(
            RequestContext context,
            Container container,
            ContainerDefinition definition,
            Precondition precondition);

    /**
     * Waits until unique indexes of these names hold for all items of a container. Throws
     * UNIQUE_KEY_VIOLATION for one that was taken back because two items have the same key.
     *
     * @return the container as it is then
     */
    Container awaitIndexes(RequestContext context, Container container, List<String> names);

    /**
     * Gives a container the name of another, which is deleted at the same moment: who asks for the
     * name finds one or the other.
     *
     * @param replaced the container that has the name; absent if nobody may have it
     * @throws orrery.model.OrreryException PRECONDITION_FAILED if somebody else has it by now
     */
    Container takeName(
            RequestContext context, Container container, String name, Optional<Container> replaced);

    /** The name is free at once; the data goes in the background. */
    void deleteContainer(RequestContext context, Container container, Precondition precondition);

    /**
     * @param buckets absent where they stay as they are
     */
    Offer replaceOffer(
            RequestContext context,
            Offer offer,
            Throughput throughput,
            Optional<ThroughputBuckets> buckets,
            Precondition precondition);

    Optional<Script> findScript(Container container, ScriptDefinition.Kind kind, String name);

    Optional<Script> findScript(Container container, ScriptDefinition.Kind kind, int number);

    /** Scripts with a number above {@code after}, in order of their numbers, without bodies. */
    List<Script.Head> scripts(
            Container container, ScriptDefinition.Kind kind, int after, int limit);

    int countScripts(Container container, ScriptDefinition.Kind kind);

    Script createScript(RequestContext context, Container container, ScriptDefinition definition);

    /** Name and kind stay what they are. */
    Script replaceScript(
            RequestContext context,
            Script script,
            ScriptDefinition definition,
            Precondition precondition);

    void deleteScript(RequestContext context, Script script, Precondition precondition);

    /** Users, permissions and client encryption keys. */
    AccessCatalog access();

    /** Stored access policies and the properties of the Table service. */
    TableCatalog tables();

    /** Made once per account: the key that seals what clients carry for us. */
    Bytes sealingKey();

    AccountSettings settings();
}
