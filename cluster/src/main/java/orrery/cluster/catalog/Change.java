package orrery.cluster.catalog;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import orrery.model.Bytes;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.model.resource.ClientEncryptionKey;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.model.resource.Offer;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.Permission;
import orrery.model.resource.Script;
import orrery.model.resource.TableServiceProperties;
import orrery.model.resource.User;
import orrery.storage.format.Keys;

/** A record of the catalog to write or, where {@code value} is null, to remove. */
sealed interface Change {
    /** The kinds of records, in the order of their codes in the store. */
    enum Kind {
        ACCOUNT(AccountRecord.VERSION),
        DATABASE(Database.VERSION),
        CONTAINER(Container.VERSION),
        PARTITION_MAP(PartitionMap.VERSION),
        OFFER(2),
        RESHAPE(2),
        EVENTS(2),
        SCRIPT(2),
        REQUEST(RequestRecord.VERSION),
        HISTORY(DefinitionHistory.VERSION),
        NODE(NodeRecord.VERSION),
        REPLICA_SET(SetRecord.VERSION),
        USER(1),
        PERMISSION(1),
        CLIENT_ENCRYPTION_KEY(1),
        TABLE_POLICIES(TablePolicies.VERSION),
        TABLE_SERVICE(1);

        private final int version;

        Kind(int version) {
            this.version = version;
        }

        byte[] key(int number) {
            return Keys.catalog(ordinal(), number);
        }
    }

    Kind kind();

    int number();

    record Account(AccountRecord value) implements Change {
        @Override
        public Kind kind() {
            return Kind.ACCOUNT;
        }

        @Override
        public int number() {
            return 0;
        }
    }

    record OfDatabase(int number, @Nullable Database value) implements Change {
        @Override
        public Kind kind() {
            return Kind.DATABASE;
        }
    }

    record OfContainer(int number, @Nullable Container value) implements Change {
        @Override
        public Kind kind() {
            return Kind.CONTAINER;
        }
    }

    record OfMap(int number, @Nullable PartitionMap value) implements Change {
        @Override
        public Kind kind() {
            return Kind.PARTITION_MAP;
        }
    }

    record OfOffer(int number, @Nullable Offer value) implements Change {
        @Override
        public Kind kind() {
            return Kind.OFFER;
        }
    }

    record OfReshape(int number, @Nullable Reshape value) implements Change {
        @Override
        public Kind kind() {
            return Kind.RESHAPE;
        }
    }

    record OfEvents(int number, @Nullable ReshapeEvents value) implements Change {
        @Override
        public Kind kind() {
            return Kind.EVENTS;
        }
    }

    record OfScript(int number, @Nullable Script value) implements Change {
        @Override
        public Kind kind() {
            return Kind.SCRIPT;
        }
    }

    record OfRequest(int number, @Nullable RequestRecord value) implements Change {
        @Override
        public Kind kind() {
            return Kind.REQUEST;
        }
    }

    record OfHistory(int number, @Nullable DefinitionHistory value) implements Change {
        @Override
        public Kind kind() {
            return Kind.HISTORY;
        }
    }

    record OfNode(NodeRecord value) implements Change {
        @Override
        public Kind kind() {
            return Kind.NODE;
        }

        @Override
        public int number() {
            return value.number();
        }
    }

    record OfSet(SetRecord value) implements Change {
        @Override
        public Kind kind() {
            return Kind.REPLICA_SET;
        }

        @Override
        public int number() {
            return value.number();
        }
    }

    record OfUser(int number, @Nullable User value) implements Change {
        @Override
        public Kind kind() {
            return Kind.USER;
        }
    }

    record OfPermission(int number, @Nullable Permission value) implements Change {
        @Override
        public Kind kind() {
            return Kind.PERMISSION;
        }
    }

    record OfClientEncryptionKey(int number, @Nullable ClientEncryptionKey value)
            implements Change {
        @Override
        public Kind kind() {
            return Kind.CLIENT_ENCRYPTION_KEY;
        }
    }

    record OfTablePolicies(int number, @Nullable TablePolicies value) implements Change {
        @Override
        public Kind kind() {
            return Kind.TABLE_POLICIES;
        }
    }

    record OfTableService(TableServiceProperties value) implements Change {
        @Override
        public Kind kind() {
            return Kind.TABLE_SERVICE;
        }

        @Override
        public int number() {
            return 0;
        }
    }

    default byte[] key() {
        return kind().key(number());
    }

    /**
     * Encodes the record; null where it is removed.
     *
     * @param extensions stay behind it
     */
    default byte @Nullable [] encode(Bytes extensions) {
        BinaryWriter out = new BinaryWriter(256);
        boolean isPresent =
                switch (this) {
                    case Account(AccountRecord value) -> put(value, out, AccountRecord::write);
                    case OfDatabase(int _, Database value) -> put(value, out, Database::write);
                    case OfContainer(int _, Container value) -> put(value, out, Container::write);
                    case OfMap(int _, PartitionMap value) -> put(value, out, PartitionMap::write);
                    case OfOffer(int _, Offer value) -> put(value, out, Offer::write);
                    case OfReshape(int _, Reshape value) -> put(value, out, Reshape::write);
                    case OfEvents(int _, ReshapeEvents value) ->
                            put(value, out, ReshapeEvents::write);
                    case OfScript(int _, Script value) -> put(value, out, Script::write);
                    case OfRequest(int _, RequestRecord value) ->
                            put(value, out, RequestRecord::write);
                    case OfHistory(int _, DefinitionHistory value) ->
                            put(value, out, DefinitionHistory::write);
                    case OfNode(NodeRecord value) -> put(value, out, NodeRecord::write);
                    case OfSet(SetRecord value) -> put(value, out, SetRecord::write);
                    case OfUser(int _, User value) -> put(value, out, User::write);
                    case OfPermission(int _, Permission value) ->
                            put(value, out, Permission::write);
                    case OfClientEncryptionKey(int _, ClientEncryptionKey value) ->
                            put(value, out, ClientEncryptionKey::write);
                    case OfTablePolicies(int _, TablePolicies value) ->
                            put(value, out, TablePolicies::write);
                    case OfTableService(TableServiceProperties value) ->
                            put(value, out, TableServiceProperties::write);
                };
        return isPresent
                ? new BinaryWriter(8 + out.length() + extensions.length())
                        .u8(kind().version)
                        .bytes(out.toBytes())
                        .raw(extensions)
                        .toArray()
                : null;
    }

    private static <T> boolean put(
            @Nullable T value, BinaryWriter out, BiConsumer<T, BinaryWriter> write) {
        if (value == null) {
            return false;
        }
        write.accept(value, out);
        return true;
    }

    /** Returns the change that wrote a row. */
    static Change decode(byte[] key, byte[] row) {
        BinaryReader keyIn = new BinaryReader(key, 1, key.length - 1);
        Kind kind = keyIn.enumeration(Kind.class);
        int number = keyIn.u32();
        BinaryReader whole = new BinaryReader(row);
        if (whole.u8() != kind.version) {
            throw new MalformedRecordException("unknown version of a catalog record");
        }
        BinaryReader in = new BinaryReader(whole.bytes());
        Change change =
                switch (kind) {
                    case ACCOUNT -> new Account(AccountRecord.read(in));
                    case DATABASE -> new OfDatabase(number, Database.read(in));
                    case CONTAINER -> new OfContainer(number, Container.read(in));
                    case PARTITION_MAP -> new OfMap(number, PartitionMap.read(in));
                    case OFFER -> new OfOffer(number, Offer.read(in));
                    case RESHAPE -> new OfReshape(number, Reshape.read(in));
                    case EVENTS -> new OfEvents(number, ReshapeEvents.read(in));
                    case SCRIPT -> new OfScript(number, Script.read(in));
                    case REQUEST -> new OfRequest(number, RequestRecord.read(in));
                    case HISTORY -> new OfHistory(number, DefinitionHistory.read(in));
                    case NODE -> new OfNode(NodeRecord.read(in));
                    case REPLICA_SET -> new OfSet(SetRecord.read(in));
                    case USER -> new OfUser(number, User.read(in));
                    case PERMISSION -> new OfPermission(number, Permission.read(in));
                    case CLIENT_ENCRYPTION_KEY ->
                            new OfClientEncryptionKey(number, ClientEncryptionKey.read(in));
                    case TABLE_POLICIES -> new OfTablePolicies(number, TablePolicies.read(in));
                    case TABLE_SERVICE -> new OfTableService(TableServiceProperties.read(in));
                };
        in.expectEnd();
        return change;
    }

    /** Returns the bytes behind the record, which this release does not know. */
    static Bytes extensions(byte[] row) {
        BinaryReader in = new BinaryReader(row);
        in.u8();
        in.bytes();
        return Bytes.wrap(in.rest());
    }
}
