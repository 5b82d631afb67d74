package orrery.model;

import java.util.List;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The properties that clients encrypt before they send an item, and the keys they use. The server
 * never sees what is encrypted: it keeps the policy for clients, which read it from the container.
 * It never changes.
 *
 * @param formatVersion 2 where the id or the partition key may be encrypted, too
 */
public record ClientEncryptionPolicy(List<IncludedPath> includedPaths, int formatVersion) {
    public ClientEncryptionPolicy {
        includedPaths = List.copyOf(includedPaths);
    }

    /**
     * A property that clients encrypt.
     *
     * @param keyId the name of a client encryption key in the container's database
     * @param type {@code Deterministic} or {@code Randomized}
     */
    public record IncludedPath(String path, String keyId, String type, String algorithm) {
        private void write(BinaryWriter out) {
            out.string(path).string(keyId).string(type).string(algorithm);
        }

        private static IncludedPath read(BinaryReader in) {
            return new IncludedPath(in.string(), in.string(), in.string(), in.string());
        }
    }

    void write(BinaryWriter out) {
        out.u8(formatVersion).list(includedPaths, (w, path) -> path.write(w));
    }

    static ClientEncryptionPolicy read(BinaryReader in) {
        int version = in.u8();
        return new ClientEncryptionPolicy(in.list(IncludedPath::read), version);
    }
}
