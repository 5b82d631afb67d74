package orrery.model.resource;

import java.util.Optional;
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
    /** The most bytes that the wrapped key and what is said about it may have together. */
    public static final int MAX_BYTES = 16 << 10;

    /**
     * The way in which a client finds the key that has wrapped this one.
     *
     * @param type the kind of key store
     * @param value where the key is in that store
     * @param algorithm with which that key has wrapped this one; early clients do not say it
     */
    public record WrapMetadata(
            String type, String name, String value, Optional<String> algorithm) {}

    /** About how many bytes it takes, each character counted as if it were a large one. */
    public int sizeBytes() {
        int characters =
                name.length()
                        + algorithm.length()
                        + metadata.type().length()
                        + metadata.name().length()
                        + metadata.value().length()
                        + metadata.algorithm().map(String::length).orElse(0);
        return wrappedKey.length() + 3 * characters;
    }

    public void write(BinaryWriter out) {
        out.string(name).string(algorithm).bytes(wrappedKey);
        out.string(metadata.type())
                .string(metadata.name())
                .string(metadata.value())
                .optional(metadata.algorithm(), BinaryWriter::string);
    }

    public static ClientEncryptionKeyDefinition read(BinaryReader in) {
        return new ClientEncryptionKeyDefinition(
                in.string(),
                in.string(),
                in.bytes(),
                new WrapMetadata(
                        in.string(), in.string(), in.string(), in.optional(BinaryReader::string)));
    }
}
