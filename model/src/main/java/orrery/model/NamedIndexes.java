package orrery.model;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import orrery.model.ContainerDefinition.TimeToLive;
import orrery.model.IndexingPolicy.CompositePath;

/**
 * What the engine makes of named indexes. A container that has them has the indexing policy that
 * follows from them, and no other:
 *
 * <ul>
 *   <li>{@code _id} and the partition key are indexed always, and nothing else without an index.
 *   <li>A field {@code a.b} is the value there, through arrays at every step: {@code /a/b/?},
 *       {@code /a/[]/b/?}, and the elements of both. Its direction does not matter.
 *   <li>An index of several fields is a composite index, and besides each of its fields is indexed
 *       by itself: a composite index has no elements of arrays, so a query needs the others to find
 *       items by a field, and to learn whether an item has an array there.
 *   <li>{@code $**} is everything, {@code a.$**} everything at and below {@code a}.
 *   <li>{@code _ts} with an expiry is the lifetime of the container's items.
 * </ul>
 *
 * <p>{@code _id_} is no entry of the list: every container has it.
 */
public final class NamedIndexes {
    /** Limits of the service and our own. */
    public static final int MAX_INDEXES = 500;

    public static final int MAX_FIELDS = 8;
    public static final int MAX_DEPTH = 10;
    public static final int MAX_NAME_BYTES = 1024;

    /** Paths of the policy that follows from the indexes of a container. */
    public static final int MAX_PATHS = 4096;

    private static final String ID = "_id";

    /** The path that every policy shows as excluded. */
    private static final List<String> EXCLUDED = IndexingPolicy.DEFAULT.excludedPaths();

    private NamedIndexes() {}

    /** Returns the definition with these indexes in place of those it has. */
    public static ContainerDefinition define(
            ContainerDefinition definition, List<NamedIndex> indexes) {
        return definition
                .withIndexing(policy(definition.partitionKey(), indexes))
                .withIndexes(indexes)
                .withTimeToLive(timeToLive(indexes));
    }

    /** Returns the first reason why a container of this partition key cannot have these indexes. */
    public static Optional<String> fault(PartitionKeyDefinition key, List<NamedIndex> indexes) {
        if (indexes.size() > MAX_INDEXES) {
            return Optional.of("a container has at most " + MAX_INDEXES + " indexes");
        }
        Set<String> names = new HashSet<>();
        int lifetimes = 0;
        for (NamedIndex index : indexes) {
            Optional<String> fault = index.fault().or(() -> keyFault(key, index));
            if (fault.isPresent()) {
                return fault;
            }
            if (!names.add(index.name())) {
                return Optional.of("two indexes have the name '" + index.name() + "'");
            }
            lifetimes += index.isByLastWrite() ? 1 : 0;
        }
        if (lifetimes > 1) {
            return Optional.of("only one index can be that of the last write");
        }
        int paths = policy(key, indexes).includedPaths().size();
        return paths > MAX_PATHS
                ? Optional.of(
                        ("the indexes come to %d paths, with one for each place where an array "
                                        + "may be; at most %d are allowed")
                                .formatted(paths, MAX_PATHS))
                : Optional.empty();
    }

    /** Refuses a unique index that could only hold within each key, and not for all items. */
    private static Optional<String> keyFault(PartitionKeyDefinition key, NamedIndex index) {
        if (!index.unique() || key.systemKey()) {
            return Optional.empty();
        }
        List<List<String>> fields = index.key().stream().map(NamedIndex.Field::segments).toList();
        boolean hasKey = key.paths().stream().allMatch(path -> fields.contains(path.segments()));
        return hasKey
                ? Optional.empty()
                : Optional.of("a unique index has the fields of the partition key among its own");
    }

    public static IndexingPolicy policy(PartitionKeyDefinition key, List<NamedIndex> indexes) {
        Set<String> included = new LinkedHashSet<>();
        included.add("/" + ID + "/?");
        if (!key.systemKey()) {
            key.paths().forEach(path -> included.add(path(path.segments()) + "/?"));
        }
        Set<List<CompositePath>> composites = new LinkedHashSet<>();
        for (NamedIndex index : indexes) {
            if (index.isByLastWrite()) {
                continue; // always indexed
            }
            index.key().forEach(field -> include(field, included));
            if (index.key().size() > 1) {
                composites.add(index.key().stream().map(NamedIndexes::member).toList());
            }
        }
        boolean hasAll = included.remove("/*");
        List<String> paths = new ArrayList<>(included);
        if (hasAll) {
            paths.addFirst("/*");
        }
        return new IndexingPolicy(
                IndexingPolicy.Mode.CONSISTENT,
                true,
                paths,
                hasAll ? EXCLUDED : Stream.concat(Stream.of("/*"), EXCLUDED.stream()).toList(),
                List.copyOf(composites),
                List.of());
    }

    private static CompositePath member(NamedIndex.Field field) {
        return new CompositePath(
                path(field.segments()), field.order() == NamedIndex.Order.DESCENDING);
    }

    /** An array may stand at every step, and an element of it is found like the value itself. */
    private static void include(NamedIndex.Field field, Set<String> included) {
        boolean isSubtree = field.order() == NamedIndex.Order.WILDCARD;
        List<String> prefixes = List.of("");
        List<String> segments = field.segments();
        for (int i = 0; i < segments.size(); i++) {
            String name = "/" + quoted(segments.get(i));
            // Below a wildcard the elements of its last array are included anyway.
            boolean hasElements = !isSubtree || i + 1 < segments.size();
            List<String> longer = new ArrayList<>();
            for (String prefix : prefixes) {
                longer.add(prefix + name);
                if (hasElements) {
                    longer.add(prefix + name + "/[]");
                }
            }
            prefixes = longer;
        }
        prefixes.forEach(prefix -> included.add(prefix + (isSubtree ? "/*" : "/?")));
    }

    private static String path(List<String> segments) {
        StringBuilder text = new StringBuilder();
        segments.forEach(segment -> text.append('/').append(quoted(segment)));
        return text.toString();
    }

    /** The notation of policies, in which a backslash keeps a quote. */
    private static String quoted(String name) {
        boolean isPlain = name.codePoints().allMatch(c -> c == '_' || Character.isLetterOrDigit(c));
        return isPlain ? name : '"' + name.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private static TimeToLive timeToLive(List<NamedIndex> indexes) {
        for (NamedIndex index : indexes) {
            if (index.isByLastWrite()) {
                return new TimeToLive(index.expireAfterSeconds().orElseThrow());
            }
        }
        return TimeToLive.OFF;
    }
}
