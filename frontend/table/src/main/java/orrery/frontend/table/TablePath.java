package orrery.frontend.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import orrery.frontend.rest.PercentText;

/**
 * The path of a request. It has one segment, or two if the first is the name of an account: no key
 * can hold a slash, so the two forms cannot be confused.
 *
 * @param sent the path as the client sent it, which is what it signed
 * @param account the segment that names the account; empty where the host does, or nothing
 */
public record TablePath(String sent, Optional<String> account, Target target) {
    /** The resource that a path addresses. */
    public sealed interface Target {}

    /** The root: properties and statistics of the service. */
    public record Service() implements Target {}

    /** {@code Tables}. */
    public record Tables() implements Target {}

    /** {@code Tables('T')}. */
    public record Table(String name) implements Target {}

    /** {@code T} and {@code T()}: the entities of a table, or its access policies. */
    public record Entities(String table) implements Target {}

    /** {@code T(PartitionKey='..',RowKey='..')}. */
    public record Entity(String table, String partitionKey, String rowKey) implements Target {}

    /** {@code $batch}. */
    public record Batch() implements Target {}

    private static final String TABLES = "tables";
    private static final String BATCH = "$batch";

    /**
     * @param path raw, beginning with a slash
     * @param isOfService says that the query names the service itself: some clients then leave out
     *     the slash behind the account
     */
    public static TablePath parse(String path, boolean isOfService) {
        List<String> segments = new ArrayList<>(2);
        for (String segment : path.split("/", -1)) {
            // Clients join endpoint and path carelessly.
            if (!segment.isEmpty()) {
                segments.add(segment);
            }
        }
        boolean namesAccount = segments.size() == 2 || (segments.size() == 1 && isOfService);
        if (segments.size() > 2 || (segments.size() == 2 && isOfService)) {
            throw new TableException(TableErrorCode.INVALID_URI);
        }
        Optional<String> account =
                namesAccount ? Optional.of(decoded(segments.getFirst())) : Optional.empty();
        boolean isRoot = isOfService || segments.isEmpty();
        return new TablePath(
                path, account, isRoot ? new Service() : target(decoded(segments.getLast())));
    }

    /** The table that the path is about, if it is about one. */
    public Optional<String> table() {
        return switch (target) {
            case Table(String name) -> Optional.of(name);
            case Entities(String table) -> Optional.of(table);
            case Entity(String table, String _, String _) -> Optional.of(table);
            case Service _, Tables _, Batch _ -> Optional.empty();
        };
    }

    private static String decoded(String segment) {
        return PercentText.decode(segment)
                .orElseThrow(
                        () ->
                                TableException.of(
                                        TableErrorCode.INVALID_URI,
                                        "Names and keys in a path are UTF-8, percent-encoded."));
    }

    private static Target target(String segment) {
        int open = segment.indexOf('(');
        String name = open < 0 ? segment : segment.substring(0, open);
        String lower = name.toLowerCase(Locale.ROOT);
        if (open < 0) {
            return switch (lower) {
                case TABLES -> new Tables();
                case BATCH -> new Batch();
                default -> new Entities(name);
            };
        }
        KeyPredicate keys = KeyPredicate.parse(segment, open);
        return switch (keys) {
            case KeyPredicate.Nothing _ -> lower.equals(TABLES) ? new Tables() : new Entities(name);
            case KeyPredicate.Name(String table) when lower.equals(TABLES) -> new Table(table);
            case KeyPredicate.Keys(String partitionKey, String rowKey) when !lower.equals(TABLES) ->
                    new Entity(name, partitionKey, rowKey);
            default -> throw new TableException(TableErrorCode.INVALID_URI);
        };
    }
}
