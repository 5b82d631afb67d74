package orrery.model.resource;

import orrery.model.Etag;
import orrery.model.ResourceId;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * A wrapped key of a database, for clients that encrypt properties. Its number is unique in the
 * account and never reused.
 */
public record ClientEncryptionKey(
        int number,
        int database,
        ClientEncryptionKeyDefinition definition,
        Etag etag,
        long timestampMillis) {
    public String name() {
        return definition.name();
    }

    public ResourceId rid() {
        return ResourceId.ofClientEncryptionKey(database, number);
    }

    public void write(BinaryWriter out) {
        out.u32(number).u32(database);
        definition.write(out);
        etag.write(out);
        out.u64(timestampMillis);
    }

    public static ClientEncryptionKey read(BinaryReader in) {
        return new ClientEncryptionKey(
                in.u32(),
                in.u32(),
                ClientEncryptionKeyDefinition.read(in),
                Etag.read(in),
                in.u64());
    }
}
