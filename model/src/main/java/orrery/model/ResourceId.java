package orrery.model;

import java.util.Base64;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The hierarchical {@code _rid}: four bytes for the database, four more for the container (top bit
 * set) or the user (top bit clear), eight more for a child of the container, whose last half-byte
 * is its type, or for a permission of the user. Client encryption keys have zeros in the place of
 * the user, then a number and a kind of four bytes each. Offers stand apart with three bytes.
 * Written in Base64 with {@code -} in place of {@code /}.
 */
public record ResourceId(Bytes bytes) {
    private static final int OFFER_LENGTH = 3;
    private static final int DATABASE_LENGTH = 4;
    private static final int CONTAINER_LENGTH = 8;
    private static final int CHILD_LENGTH = 16;
    private static final int ITEM_TYPE = 0x0;
    private static final int PARTITION_TYPE = 0x5;
    private static final int CLIENT_ENCRYPTION_KEY_KIND = 2;

    public static ResourceId ofDatabase(int database) {
        byte[] id = new byte[DATABASE_LENGTH];
        putNumber(id, 0, database);
        return new ResourceId(Bytes.wrap(id));
    }

    public static ResourceId ofContainer(int database, int container) {
        byte[] id = new byte[CONTAINER_LENGTH];
        putContainer(id, database, container);
        return new ResourceId(Bytes.wrap(id));
    }

    public static ResourceId ofItem(int database, int container, long docid) {
        return ofChild(database, container, docid, ITEM_TYPE);
    }

    /** Counts from one, so that the id of range 0 is not all zero behind the container's part. */
    public static ResourceId ofPartition(int database, int container, int range) {
        return ofChild(database, container, range + 1L, PARTITION_TYPE);
    }

    public static ResourceId ofScript(
            int database, int container, int script, ScriptDefinition.Kind kind) {
        return ofChild(database, container, script, type(kind));
    }

    public static ResourceId ofUser(int database, int user) {
        byte[] id = new byte[CONTAINER_LENGTH];
        putUser(id, database, user);
        return new ResourceId(Bytes.wrap(id));
    }

    public static ResourceId ofPermission(int database, int user, int permission) {
        byte[] id = new byte[CHILD_LENGTH];
        putUser(id, database, user);
        putNumber(id, 8, permission);
        return new ResourceId(Bytes.wrap(id));
    }

    public static ResourceId ofClientEncryptionKey(int database, int key) {
        byte[] id = new byte[CHILD_LENGTH];
        putNumber(id, 0, database);
        putNumber(id, 8, key);
        putNumber(id, 12, CLIENT_ENCRYPTION_KEY_KIND);
        return new ResourceId(Bytes.wrap(id));
    }

    public static ResourceId ofOffer(int offer) {
        return new ResourceId(
                Bytes.wrap(new byte[] {(byte) (offer >>> 16), (byte) (offer >>> 8), (byte) offer}));
    }

    /** Empty unless the text is well-formed and of a length that some resource has. */
    public static Optional<ResourceId> parse(String text) {
        if (text.isEmpty() || text.length() % 4 != 0) {
            return Optional.empty();
        }
        byte[] id;
        try {
            id = Base64.getDecoder().decode(text.replace('-', '/'));
        } catch (IllegalArgumentException notBase64) {
            return Optional.empty();
        }
        ResourceId parsed = new ResourceId(Bytes.wrap(id));
        // Base64 has several spellings of one value; only the one we print names a resource.
        return switch (id.length) {
            case OFFER_LENGTH, DATABASE_LENGTH, CONTAINER_LENGTH, CHILD_LENGTH ->
                    parsed.toString().equals(text) ? Optional.of(parsed) : Optional.empty();
            default -> Optional.empty();
        };
    }

    /** Number of the database at the head of the id; empty for an offer. */
    public OptionalInt database() {
        if (bytes.length() < DATABASE_LENGTH) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(number(0));
    }

    /** Number of the container in the id; empty where there is none. */
    public OptionalInt container() {
        return isOfContainer() ? OptionalInt.of(second()) : OptionalInt.empty();
    }

    /** Number of the user in the id; empty where there is none. */
    public OptionalInt user() {
        boolean hasUser = bytes.length() >= CONTAINER_LENGTH && !isOfContainer() && second() != 0;
        return hasUser ? OptionalInt.of(second()) : OptionalInt.empty();
    }

    /** Number of a permission. */
    public OptionalInt permission() {
        boolean isPermission =
                bytes.length() == CHILD_LENGTH && user().isPresent() && number(12) == 0;
        return isPermission ? OptionalInt.of(number(8)) : OptionalInt.empty();
    }

    /** Number of a client encryption key. */
    public OptionalInt clientEncryptionKey() {
        boolean isKey =
                bytes.length() == CHILD_LENGTH
                        && !isOfContainer()
                        && second() == 0
                        && number(12) == CLIENT_ENCRYPTION_KEY_KIND;
        return isKey ? OptionalInt.of(number(8)) : OptionalInt.empty();
    }

    /** Docid of an item's id; empty for everything else. */
    public OptionalLong docid() {
        return child(ITEM_TYPE);
    }

    /** Range id of a physical partition's id. */
    public OptionalInt partition() {
        OptionalLong child = child(PARTITION_TYPE);
        return child.isPresent()
                ? OptionalInt.of((int) child.getAsLong() - 1)
                : OptionalInt.empty();
    }

    /** Number of a script of this kind. */
    public OptionalInt script(ScriptDefinition.Kind kind) {
        OptionalLong child = child(type(kind));
        return child.isPresent() && child.getAsLong() <= Integer.MAX_VALUE
                ? OptionalInt.of((int) child.getAsLong())
                : OptionalInt.empty();
    }

    /** Number of an offer. */
    public OptionalInt offer() {
        if (bytes.length() != OFFER_LENGTH) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(
                (bytes.at(0) & 0xFF) << 16 | (bytes.at(1) & 0xFF) << 8 | (bytes.at(2) & 0xFF));
    }

    public boolean isDatabase() {
        return bytes.length() == DATABASE_LENGTH;
    }

    public boolean isContainer() {
        return bytes.length() == CONTAINER_LENGTH && isOfContainer();
    }

    public boolean isUser() {
        return bytes.length() == CONTAINER_LENGTH && user().isPresent();
    }

    /**
     * The {@code _self} of a database, a container, an offer, a user, a permission or a client
     * encryption key: a path of rids that ends with a slash. What a container holds hangs below the
     * link of the container.
     */
    public String link() {
        return switch (bytes.length()) {
            case OFFER_LENGTH -> "offers/" + this + "/";
            case DATABASE_LENGTH -> "dbs/" + this + "/";
            case CONTAINER_LENGTH ->
                    head(DATABASE_LENGTH).link()
                            + (isOfContainer() ? "colls/" : "users/")
                            + this
                            + "/";
            default -> childLink();
        };
    }

    private String childLink() {
        if (permission().isPresent()) {
            return head(CONTAINER_LENGTH).link() + "permissions/" + this + "/";
        }
        if (clientEncryptionKey().isPresent()) {
            return head(DATABASE_LENGTH).link() + "clientencryptionkeys/" + this + "/";
        }
        throw new IllegalStateException("hangs below the link of its container");
    }

    @Override
    public String toString() {
        return Base64.getEncoder().encodeToString(bytes.unsafeArray()).replace('/', '-');
    }

    private static int type(ScriptDefinition.Kind kind) {
        return switch (kind) {
            case FUNCTION -> 0x6;
            case TRIGGER -> 0x7;
            case PROCEDURE -> 0x8;
        };
    }

    private boolean isOfContainer() {
        return bytes.length() >= CONTAINER_LENGTH && (bytes.at(4) & 0x80) != 0;
    }

    /** The number at the second place, which stands in the order of its digits. */
    private int second() {
        return (bytes.at(4) & 0x7F) << 24
                | (bytes.at(5) & 0xFF) << 16
                | (bytes.at(6) & 0xFF) << 8
                | (bytes.at(7) & 0xFF);
    }

    /** Four bytes as a number, the last byte first. */
    private int number(int at) {
        return (bytes.at(at) & 0xFF)
                | (bytes.at(at + 1) & 0xFF) << 8
                | (bytes.at(at + 2) & 0xFF) << 16
                | (bytes.at(at + 3) & 0xFF) << 24;
    }

    private ResourceId head(int length) {
        return new ResourceId(Bytes.copyOf(bytes.unsafeArray(), 0, length));
    }

    private OptionalLong child(int type) {
        if (bytes.length() != CHILD_LENGTH
                || !isOfContainer()
                || (bytes.at(15) & 0xF0) >>> 4 != type) {
            return OptionalLong.empty();
        }
        long child = (number(8) & 0xFFFF_FFFFL) | (long) number(12) << 32;
        return OptionalLong.of(child & 0x0FFF_FFFF_FFFF_FFFFL);
    }

    private static ResourceId ofChild(int database, int container, long number, int type) {
        byte[] id = new byte[CHILD_LENGTH];
        putContainer(id, database, container);
        for (int i = 0; i < 8; i++) {
            id[8 + i] = (byte) (number >>> (8 * i));
        }
        id[15] = (byte) ((id[15] & 0x0F) | type << 4);
        return new ResourceId(Bytes.wrap(id));
    }

    private static void putNumber(byte[] id, int at, int number) {
        for (int i = 0; i < 4; i++) {
            id[at + i] = (byte) (number >>> (8 * i));
        }
    }

    private static void putContainer(byte[] id, int database, int container) {
        putUser(id, database, container);
        id[4] |= (byte) 0x80;
    }

    private static void putUser(byte[] id, int database, int user) {
        putNumber(id, 0, database);
        id[4] = (byte) (user >>> 24);
        id[5] = (byte) (user >>> 16);
        id[6] = (byte) (user >>> 8);
        id[7] = (byte) user;
    }
}
