package orrery.cluster.catalog;

import orrery.model.Precondition;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.resource.ClientEncryptionKeyDefinition;
import orrery.model.resource.PermissionDefinition;

/** A change to users, permissions and client encryption keys. */
public sealed interface AccessCommand extends CatalogCommand {
    /**
     * @param upsert true if one that has the name is written anew, under the precondition
     */
    record CreateUser(int database, String name, boolean upsert, Precondition precondition)
            implements AccessCommand {
        @Override
        public CatalogCommandKind kind() {
            return CatalogCommandKind.CREATE_USER;
        }

        @Override
        public void write(BinaryWriter out) {
            out.u32(database).string(name).bool(upsert);
            Precondition.write(out, precondition);
        }

        static CreateUser read(BinaryReader in) {
            return new CreateUser(in.u32(), in.string(), in.bool(), Precondition.read(in));
        }
    }

    record ReplaceUser(int user, String name, Precondition precondition) implements AccessCommand {
        @Override
        public CatalogCommandKind kind() {
            return CatalogCommandKind.REPLACE_USER;
        }

        @Override
        public void write(BinaryWriter out) {
            out.u32(user).string(name);
            Precondition.write(out, precondition);
        }

        static ReplaceUser read(BinaryReader in) {
            return new ReplaceUser(in.u32(), in.string(), Precondition.read(in));
        }
    }

    /** The user's permissions go with it. */
    record DeleteUser(int user, Precondition precondition) implements AccessCommand {
        @Override
        public CatalogCommandKind kind() {
            return CatalogCommandKind.DELETE_USER;
        }

        @Override
        public void write(BinaryWriter out) {
            out.u32(user);
            Precondition.write(out, precondition);
        }

        static DeleteUser read(BinaryReader in) {
            return new DeleteUser(in.u32(), Precondition.read(in));
        }
    }

    /**
     * @param upsert true if one that has the name is replaced, under the precondition
     */
    record CreatePermission(
            int user, PermissionDefinition definition, boolean upsert, Precondition precondition)
            implements AccessCommand {
        @Override
        public CatalogCommandKind kind() {
            return CatalogCommandKind.CREATE_PERMISSION;
        }

        @Override
        public void write(BinaryWriter out) {
            out.u32(user);
            definition.write(out);
            out.bool(upsert);
            Precondition.write(out, precondition);
        }

        static CreatePermission read(BinaryReader in) {
            return new CreatePermission(
                    in.u32(), PermissionDefinition.read(in), in.bool(), Precondition.read(in));
        }
    }

    record ReplacePermission(
            int permission, PermissionDefinition definition, Precondition precondition)
            implements AccessCommand {
        @Override
        public CatalogCommandKind kind() {
            return CatalogCommandKind.REPLACE_PERMISSION;
        }

        @Override
        public void write(BinaryWriter out) {
            out.u32(permission);
            definition.write(out);
            Precondition.write(out, precondition);
        }

        static ReplacePermission read(BinaryReader in) {
            return new ReplacePermission(
                    in.u32(), PermissionDefinition.read(in), Precondition.read(in));
        }
    }

    record DeletePermission(int permission, Precondition precondition) implements AccessCommand {
        @Override
        public CatalogCommandKind kind() {
            return CatalogCommandKind.DELETE_PERMISSION;
        }

        @Override
        public void write(BinaryWriter out) {
            out.u32(permission);
            Precondition.write(out, precondition);
        }

        static DeletePermission read(BinaryReader in) {
            return new DeletePermission(in.u32(), Precondition.read(in));
        }
    }

    record CreateClientEncryptionKey(int database, ClientEncryptionKeyDefinition definition)
            implements AccessCommand {
        @Override
        public CatalogCommandKind kind() {
            return CatalogCommandKind.CREATE_CLIENT_ENCRYPTION_KEY;
        }

        @Override
        public int sizeBytes() {
            return SMALL_BYTES + definition.sizeBytes();
        }

        @Override
        public void write(BinaryWriter out) {
            out.u32(database);
            definition.write(out);
        }

        static CreateClientEncryptionKey read(BinaryReader in) {
            return new CreateClientEncryptionKey(in.u32(), ClientEncryptionKeyDefinition.read(in));
        }
    }

    /** Wraps a key anew; its name and algorithm stay. */
    record ReplaceClientEncryptionKey(
            int key, ClientEncryptionKeyDefinition definition, Precondition precondition)
            implements AccessCommand {
        @Override
        public CatalogCommandKind kind() {
            return CatalogCommandKind.REPLACE_CLIENT_ENCRYPTION_KEY;
        }

        @Override
        public int sizeBytes() {
            return SMALL_BYTES + definition.sizeBytes();
        }

        @Override
        public void write(BinaryWriter out) {
            out.u32(key);
            definition.write(out);
            Precondition.write(out, precondition);
        }

        static ReplaceClientEncryptionKey read(BinaryReader in) {
            return new ReplaceClientEncryptionKey(
                    in.u32(), ClientEncryptionKeyDefinition.read(in), Precondition.read(in));
        }
    }
}
