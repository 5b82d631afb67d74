package orrery.gateway.api;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.ChangedItem;
import orrery.model.ItemVersion;
import orrery.model.KeyTransaction;
import orrery.model.PartitionKey;
import orrery.model.RequestContext;
import orrery.model.Statement;
import orrery.query.QueryCall;

/**
 * The items of containers: reads, writes, batches, queries, feeds and the procedures that run over
 * them. Blocking, protocol-free, the same for all APIs. Every failure is an {@link
 * orrery.model.OrreryException}.
 */
public interface Items {
    /** A missing item is an {@code OrreryException} with {@code NOT_FOUND}. */
    ItemAnswer readItem(
            RequestContext context, ContainerRef container, PartitionKey key, ItemRef item);

    /**
     * Reads many items, each with the consistency and for the price of a read of its own. The
     * answer has about 4 MB at most and tells which items have to be asked for again.
     */
    LookupAnswer readMany(
            RequestContext context, ContainerRef container, List<ItemAddress> addresses);

    default ItemAnswer writeItem(RequestContext context, ContainerRef container, ItemWrite write) {
        return writeItem(context, container, write, Optional.empty());
    }

    /**
     * @param statement the name that a session has for the write: it is carried out once, and a
     *     write that comes again is answered as the first was. A write that changed nothing is not
     *     remembered.
     */
    ItemAnswer writeItem(
            RequestContext context,
            ContainerRef container,
            ItemWrite write,
            Optional<Statement> statement);

    /**
     * Looks in all partitions for the answer to a statement that is sought: its sender does not
     * know the partition key, and may no longer find the item by what it knows of it.
     */
    FoundStatement findStatement(
            RequestContext context, ContainerRef container, Statement statement);

    /** A write and its triggers, all of it at once or not at all. */
    TriggeredAnswer writeItem(
            RequestContext context, ContainerRef container, ItemWrite write, TriggerNames triggers);

    /**
     * Runs a stored procedure for the items of one key. What it writes, it writes at once or not at
     * all.
     *
     * @param arguments JSON array; empty for none
     * @param logs whether what it writes to its console is wanted
     */
    ProcedureAnswer execute(
            RequestContext context,
            ContainerRef container,
            PartitionKey key,
            ResourceRef procedure,
            Bytes arguments,
            boolean logs);

    /**
     * Writes the first item of a key that a search finds. {@code NOT_FOUND} if there is none and
     * the write cannot create one.
     */
    ItemAnswer writeFirst(RequestContext context, ContainerRef container, FirstWrite write);

    /**
     * Writes all items that a search finds, each once, and tells how many: also where the write
     * ends early, because an item cannot be written or the budget or the time is used up. If it
     * could not even begin, that is an exception.
     */
    ManyAnswer changeMany(RequestContext context, ContainerRef container, ManyWrite write);

    /**
     * Begins a transaction of several requests on one key: whatever is read afterwards, an atomic
     * batch that expects this LSN is carried out only if no item of the key was written meanwhile.
     * The call holds nothing open. Items that expire are not written.
     */
    KeyAnswer readKey(RequestContext context, ContainerRef container, PartitionKey key);

    /**
     * Makes all writes of a transaction, whose operations were requests with it in their contexts,
     * or none: then {@code KEY_CHANGED}, because somebody else has written the key. Neither an open
     * transaction nor one that is never committed holds anything.
     *
     * @param statement the name that a session has for the transaction: a commit that comes again
     *     within half an hour is answered as done
     */
    CommitAnswer commit(RequestContext context, KeyTransaction transaction, Statement statement);

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

    /**
     * A page of items, at most 4 MB: partition by partition, in each in the order of their
     * creation. Follow its continuation for the rest.
     */
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
            QueryCall query,
            PageRequest page);

    /**
     * Tells how a query is answered. It costs what was done for that.
     *
     * @param page the size of the pages in which the answer is read
     * @param runs whether the query is run, and not only planned
     */
    QueryExplanation explain(
            RequestContext context,
            ContainerRef container,
            FeedScope scope,
            QueryCall query,
            PageRequest page,
            boolean runs);

    /**
     * A page of the items that have one of several values at a path, at most 4 MB: partition by
     * partition, within each in the order of the index. A continuation is good for the same look-up
     * only.
     */
    MatchPage findItems(
            RequestContext context,
            ContainerRef container,
            FeedScope scope,
            ValueLookup lookup,
            PageRequest page);

    /**
     * Returns once all changes up to a time have been made: a later one gets a later time. A time
     * that lies ahead is waited for, as long as the request may take.
     */
    TimeReached awaitTime(RequestContext context, ContainerRef container, Instant time);

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
