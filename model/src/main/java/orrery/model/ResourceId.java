package orrery.model;

import java.util.Base64;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The hierarchical {@code _rid}: four bytes for the database, four more for the container (top bit
 * set), eight more for a child of the container, whose last half-byte is its type. Offers stand
 * apart with three bytes. Written in Base64 with {@code -} in place of {@code /}.
 */
public record ResourceId(Bytes bytes) {
    private static final int OFFER_LENGTH = 3;
    private static final int DATABASE_LENGTH = 4;
    private static final int CONTAINER_LENGTH = 8;
    private static final int CHILD_LENGTH = 16;
    private static final int ITEM_TYPE = 0x0;
    private static final int PARTITION_TYPE = 0x5;

    public static ResourceId ofDatabase(int database) {
        byte[] id = new byte[DATABASE_LENGTH];
        putDatabase(id, database);
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
        return OptionalInt.of(
                (bytes.at(0) & 0xFF)
                        | (bytes.at(1) & 0xFF) << 8
                        | (bytes.at(2) & 0xFF) << 16
                        | (bytes.at(3) & 0xFF) << 24);
    }

    /** Number of the container in the id; empty where there is none. */
    public OptionalInt container() {
        if (bytes.length() < CONTAINER_LENGTH || (bytes.at(4) & 0x80) == 0) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(
                (bytes.at(4) & 0x7F) << 24
                        | (bytes.at(5) & 0xFF) << 16
                        | (bytes.at(6) & 0xFF) << 8
                        | (bytes.at(7) & 0xFF));
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
        return bytes.length() == CONTAINER_LENGTH && container().isPresent();
    }

    /**
     * The {@code _self} of a database, a container or an offer: a path of rids that ends with a
     * slash. What a container holds hangs below the link of the container.
     */
    public String link() {
        return switch (bytes.length()) {
            case OFFER_LENGTH -> "offers/" + this + "/";
            case DATABASE_LENGTH -> "dbs/" + this + "/";
            case CONTAINER_LENGTH -> {
                Bytes database = Bytes.copyOf(bytes.unsafeArray(), 0, DATABASE_LENGTH);
                yield new ResourceId(database).link() + "colls/" + this + "/";
            }
            default -> throw new IllegalStateException("hangs below the link of its container");
        };
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

    private OptionalLong child(int type) {
        if (bytes.length() != CHILD_LENGTH || (bytes.at(15) & 0xF0) >>> 4 != type) {
            return OptionalLong.empty();
        }
        long number = 0;
        for (int i = 0; i < 8; i++) {
            number |= (bytes.at(8 + i) & 0xFFL) << (8 * i);
        }
        return OptionalLong.of(number & 0x0FFF_FFFF_FFFF_FFFFL);
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

    private static void putDatabase(byte[] id, int database) {
        for (int i = 0; i < 4; i++) {
            id[i] = (byte) (database >>> (8 * i));
        }
    }

    private static void putContainer(byte[] id, int database, int container) {
        putDatabase(id, database);
        id[4] = (byte) (0x80 | container >>> 24);
        id[5] = (byte) (container >>> 16);
        id[6] = (byte) (container >>> 8);
        id[7] = (byte) container;
    }
}
