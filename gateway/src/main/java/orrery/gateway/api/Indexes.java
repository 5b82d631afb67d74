package orrery.gateway.api;

import java.util.List;
import java.util.function.UnaryOperator;
import orrery.model.NamedIndex;
import orrery.model.RequestContext;
import orrery.model.resource.Container;

/**
 * The indexes of a container that clients know by name. They are in the container's definition
 * ({@code container.definition().indexes()}), and {@link orrery.model.NamedIndexes} says what the
 * engine makes of them. MongoDB's commands come to these calls:
 *
 * <ul>
 *   <li>{@code create}: {@code NamedIndexes.define(definition of kind MONGODB, List.of())} is the
 *       definition of a new collection; {@link Resources#createContainer} takes it, with indexes as
 *       well.
 *   <li>{@code listIndexes}: {@code _id_}, which is in no list, and then {@code indexes()}. What
 *       the engine does not look at comes back in {@code NamedIndex.options()} as it was given.
 *   <li>{@code createIndexes}, {@code dropIndexes}, {@code collMod} of an index: one {@link
 *       #change}. The function gets the list of that moment and returns the new one; it may throw,
 *       and that is where a name or a key that is taken already becomes a refusal (85, 86), or one
 *       that is not there (27).
 *   <li>{@code currentOp}: {@link Resources#readUsage} has the percentage of the data that the
 *       present indexes cover; it is less than 100 while one is being built.
 * </ul>
 */
public interface Indexes {
    /**
     * Puts the result of a function in place of the indexes that a container has. The call returns
     * when new writes follow the new list; earlier items do so in the background, and queries use
     * an index of a partition only when it is whole there.
     *
     * <p>A unique index is waited for: it holds for new writes at once, and then earlier items are
     * looked at. If two of them have the same key, the index is taken back and the call fails with
     * {@code UNIQUE_KEY_VIOLATION}; {@link orrery.model.OrreryException#violation} has its name and
     * the key (11000). So do writes that such an index refuses. If the time of the request is over
     * first, the call fails with {@code TIMEOUT} and the index goes on in the background. A unique
     * index holds within a logical partition, so it has the fields of the partition key among its
     * own. An item with arrays at two of its fields is refused (171).
     *
     * <p>Where an index has {@code expireAfterSeconds}, items end so long after the first date in
     * its field; other seconds hold for all items at once. With {@code _ts} as the field it is the
     * lifetime of the container's items since their last write, and an item's own {@code ttl}
     * counts before it.
     *
     * @param change may be called more than once, if somebody else changes the container meanwhile
     * @return the container as it is then
     */
    Container change(
            RequestContext context, ContainerRef container, UnaryOperator<List<NamedIndex>> change);
}
