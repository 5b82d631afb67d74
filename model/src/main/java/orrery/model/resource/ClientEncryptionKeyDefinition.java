package orrery.model.resource;

import orrery.model.Bytes;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * A client's definition of a key with which it encrypts properties. The server never sees the key
 * itself: it keeps the key in the form in which a key store of the client has wrapped it.
 *
 * @param name unique among the keys of its database
 * @param algorithm with which the client encrypts properties
 */
public record ClientEncryptionKeyDefinition(
        String name, String algorithm, Bytes wrappedKey, WrapMetadata metadata) {
    /**
     * The way in which a client finds the key that has wrapped this one.
     *
     * @param type the kind of key store
     * @param value where the key is in that store
     */
    public record WrapMetadata(String type, String name, String value, String algorithm) {}

    public void write(BinaryWriter out) {
        out.string(name).string(algorithm).bytes(wrappedKey);
        out.string(metadata.type())
                .string(metadata.name())
                .string(metadata.value())
                .string(metadata.algorithm());
    }

    public static ClientEncryptionKeyDefinition read(BinaryReader in) {
        return new ClientEncryptionKeyDefinition(
                in.string(),
                in.string(),
                in.bytes(),
                new WrapMetadata(in.string(), in.string(), in.string(), in.string()));
    }
}
