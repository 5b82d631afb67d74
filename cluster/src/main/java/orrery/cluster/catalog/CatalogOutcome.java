package orrery.cluster.catalog;

import java.util.function.Function;
import orrery.model.ErrorCode;
import orrery.model.Etag;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.model.resource.ClientEncryptionKey;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.model.resource.Offer;
import orrery.model.resource.Permission;
import orrery.model.resource.User;
import orrery.model.resource.Written;

/** The outcome of a catalog command. It is kept for a minute, for senders that send it again. */
public sealed interface CatalogOutcome {
    Kind kind();

    /** Writes the fields, without the kind. */
    void writeFields(BinaryWriter out);

    /** All kinds, with their numbers. A number is never given to another kind. */
    enum Kind {
        DONE(1, _ -> new Done()),
        DATABASE(2, in -> new OfDatabase(Database.read(in))),
        CONTAINER(3, in -> new OfContainer(Container.read(in))),
        OFFER(4, in -> new OfOffer(Offer.read(in))),
        SCRIPT(5, in -> new OfScript(in.u32(), Etag.read(in), in.u64())),
        REJECTED(6, Rejected::read),
        USER(7, in -> new OfUser(written(in, User::read))),
        PERMISSION(8, in -> new OfPermission(written(in, Permission::read))),
        CLIENT_ENCRYPTION_KEY(9, in -> new OfClientEncryptionKey(ClientEncryptionKey.read(in)));

        private final int number;

        /** Holds no state: it is a function. */
        @SuppressWarnings("ImmutableEnumChecker")
        private final Function<BinaryReader, CatalogOutcome> reader;

        Kind(int number, Function<BinaryReader, CatalogOutcome> reader) {
            this.number = number;
            this.reader = reader;
        }

        public int number() {
            return number;
        }
    }

    record Done() implements CatalogOutcome {
        @Override
        public Kind kind() {
            return Kind.DONE;
        }

        @Override
        public void writeFields(BinaryWriter out) {
            // It has none.
        }
    }

    record OfDatabase(Database database) implements CatalogOutcome {
        @Override
        public Kind kind() {
            return Kind.DATABASE;
        }

        @Override
        public void writeFields(BinaryWriter out) {
            database.write(out);
        }
    }

    record OfContainer(Container container) implements CatalogOutcome {
        @Override
        public Kind kind() {
            return Kind.CONTAINER;
        }

        @Override
        public void writeFields(BinaryWriter out) {
            container.write(out);
        }
    }

    record OfOffer(Offer offer) implements CatalogOutcome {
        @Override
        public Kind kind() {
            return Kind.OFFER;
        }

        @Override
        public void writeFields(BinaryWriter out) {
            offer.write(out);
        }
    }

    /** All of a script that its sender does not know. The body would be large to keep. */
    record OfScript(int script, Etag etag, long timestampMillis) implements CatalogOutcome {
        @Override
        public Kind kind() {
            return Kind.SCRIPT;
        }

        @Override
        public void writeFields(BinaryWriter out) {
            out.u32(script);
            etag.write(out);
            out.u64(timestampMillis);
        }
    }

    record OfUser(Written<User> written) implements CatalogOutcome {
        @Override
        public Kind kind() {
            return Kind.USER;
        }

        @Override
        public void writeFields(BinaryWriter out) {
            written.resource().write(out);
            out.bool(written.isNew());
        }
    }

    record OfPermission(Written<Permission> written) implements CatalogOutcome {
        @Override
        public Kind kind() {
            return Kind.PERMISSION;
        }

        @Override
        public void writeFields(BinaryWriter out) {
            written.resource().write(out);
            out.bool(written.isNew());
        }
    }

    record OfClientEncryptionKey(ClientEncryptionKey key) implements CatalogOutcome {
        @Override
        public Kind kind() {
            return Kind.CLIENT_ENCRYPTION_KEY;
        }

        @Override
        public void writeFields(BinaryWriter out) {
            key.write(out);
        }
    }

    record Rejected(ErrorCode code, String text) implements CatalogOutcome {
        static Rejected exists(String kind, String name) {
            return exists(ErrorCode.CONFLICT, kind, name);
        }

        static Rejected exists(ErrorCode code, String kind, String name) {
            return new Rejected(
                    code, kind + " with the specified id or name already exists: " + name);
        }

        static Rejected missing() {
            return new Rejected(ErrorCode.NOT_FOUND, "Resource Not Found.");
        }

        static Rejected ownerMissing() {
            return new Rejected(ErrorCode.OWNER_NOT_FOUND, "Resource Not Found.");
        }

        static Rejected overtaken() {
            return new Rejected(
                    ErrorCode.PRECONDITION_FAILED,
                    "One of the specified pre-condition is not met.");
        }

        @Override
        public Kind kind() {
            return Kind.REJECTED;
        }

        @Override
        public void writeFields(BinaryWriter out) {
            out.string(code.name()).string(text);
        }

        private static Rejected read(BinaryReader in) {
            return new Rejected(ErrorCode.named(in.string()), in.string());
        }
    }

    private static <T> Written<T> written(BinaryReader in, Function<BinaryReader, T> resource) {
        return new Written<>(resource.apply(in), in.bool());
    }

    /** Writes the number of the kind, then the fields. */
    static void write(BinaryWriter out, CatalogOutcome outcome) {
        out.u8(outcome.kind().number);
        outcome.writeFields(out);
    }

    static CatalogOutcome read(BinaryReader in) {
        int number = in.u8();
        for (Kind kind : Kind.values()) {
            if (kind.number == number) {
                return kind.reader.apply(in);
            }
        }
        throw new MalformedRecordException("unknown kind of catalog outcome");
    }
}
