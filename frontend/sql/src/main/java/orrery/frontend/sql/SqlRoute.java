package orrery.frontend.sql;

import java.util.List;
import java.util.Optional;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.ScriptDefinition;

/** The resource that a path addresses. Ids are kept as in the path: names, or rids. */
sealed interface SqlRoute {
    /** Something that lies in a container. */
    sealed interface InContainer extends SqlRoute {
        String database();

        String container();
    }

    /** Something that lies in a database beside its containers. */
    sealed interface InDatabase extends SqlRoute {
        String database();
    }

    record Account() implements SqlRoute {}

    record Databases() implements SqlRoute {}

    record Database(String database) implements SqlRoute {}

    record Containers(String database) implements SqlRoute {}

    record Container(String database, String container) implements SqlRoute {}

    record Items(String database, String container) implements InContainer {}

    record Item(String database, String container, String item) implements InContainer {}

    /** Deletes all items of the partition key that a header names. */
    record KeyDelete(String database, String container) implements InContainer {}

    record PartitionRanges(String database, String container) implements InContainer {}

    record PartitionRange(String database, String container, String range) implements InContainer {}

    record Scripts(String database, String container, ScriptDefinition.Kind kind)
            implements InContainer {}

    record Script(String database, String container, ScriptDefinition.Kind kind, String script)
            implements InContainer {}

    record Conflicts(String database, String container) implements InContainer {}

    record Conflict(String database, String container, String conflict) implements InContainer {}

    record Offers() implements SqlRoute {}

    record Offer(String offer) implements SqlRoute {}

    record Users(String database) implements InDatabase {}

    record User(String database, String user) implements InDatabase {}

    record Permissions(String database, String user) implements InDatabase {}

    record Permission(String database, String user, String permission) implements InDatabase {}

    record ClientEncryptionKeys(String database) implements InDatabase {}

    record ClientEncryptionKey(String database, String key) implements InDatabase {}

    /** The path on which a client in direct mode asks for the replicas of a partition. */
    record Replicas() implements SqlRoute {}

    /** Empty where the API has no such path. */
    static Optional<SqlRoute> of(SqlPath path) {
        List<String> segments = path.segments();
        if (segments.isEmpty()) {
            return Optional.of(new Account());
        }
        if (segments.stream().anyMatch(String::isEmpty)) {
            return Optional.empty();
        }
        return switch (segments.getFirst()) {
            case "dbs" -> underDatabases(segments);
            case "offers" ->
                    switch (segments.size()) {
                        case 1 -> Optional.of(new Offers());
                        case 2 -> Optional.of(new Offer(segments.get(1)));
                        default -> throw notAnOffer();
                    };
            case "addresses" -> Optional.of(new Replicas());
            default -> Optional.empty();
        };
    }

    /** Refuses a path below an offer: offers hold nothing, so the path is malformed. */
    private static OrreryException notAnOffer() {
        return new OrreryException(
                ErrorCode.BAD_REQUEST,
                "The path of the request is not valid: that of an offer is /offers/{rid}.");
    }

    private static Optional<SqlRoute> underDatabases(List<String> segments) {
        int size = segments.size();
        if (size == 1) {
            return Optional.of(new Databases());
        }
        String database = segments.get(1);
        if (size == 2) {
            return Optional.of(new Database(database));
        }
        return switch (segments.get(2)) {
            case "colls" -> underContainers(segments);
            case "users" -> underUsers(segments);
            case "clientencryptionkeys" ->
                    switch (size) {
                        case 3 -> Optional.of(new ClientEncryptionKeys(database));
                        case 4 -> Optional.of(new ClientEncryptionKey(database, segments.get(3)));
                        default -> Optional.empty();
                    };
            default -> Optional.empty();
        };
    }

    private static Optional<SqlRoute> underUsers(List<String> segments) {
        int size = segments.size();
        String database = segments.get(1);
        if (size == 3) {
            return Optional.of(new Users(database));
        }
        String user = segments.get(3);
        if (size == 4) {
            return Optional.of(new User(database, user));
        }
        if (size > 6 || !segments.get(4).equals("permissions")) {
            return Optional.empty();
        }
        return Optional.of(
                size == 5
                        ? new Permissions(database, user)
                        : new Permission(database, user, segments.get(5)));
    }

    private static Optional<SqlRoute> underContainers(List<String> segments) {
        int size = segments.size();
        String database = segments.get(1);
        if (size == 3) {
            return Optional.of(new Containers(database));
        }
        String container = segments.get(3);
        if (size == 4) {
            return Optional.of(new Container(database, container));
        }
        if (size > 6) {
            return Optional.empty();
        }
        boolean isFeed = size == 5;
        return switch (segments.get(4)) {
            case "docs" ->
                    Optional.of(
                            isFeed
                                    ? new Items(database, container)
                                    : new Item(database, container, segments.get(5)));
            case "pkranges" ->
                    Optional.of(
                            isFeed
                                    ? new PartitionRanges(database, container)
                                    : new PartitionRange(database, container, segments.get(5)));
            case "sprocs" -> scripts(segments, ScriptDefinition.Kind.PROCEDURE);
            case "triggers" -> scripts(segments, ScriptDefinition.Kind.TRIGGER);
            case "udfs" -> scripts(segments, ScriptDefinition.Kind.FUNCTION);
            case "conflicts" ->
                    Optional.of(
                            isFeed
                                    ? new Conflicts(database, container)
                                    : new Conflict(database, container, segments.get(5)));
            case "operations" ->
                    !isFeed && segments.get(5).equals("partitionkeydelete")
                            ? Optional.of(new KeyDelete(database, container))
                            : Optional.empty();
            default -> Optional.empty();
        };
    }

    private static Optional<SqlRoute> scripts(List<String> segments, ScriptDefinition.Kind kind) {
        String database = segments.get(1);
        String container = segments.get(3);
        return Optional.of(
                segments.size() == 5
                        ? new Scripts(database, container, kind)
                        : new Script(database, container, kind, segments.get(5)));
    }
}
