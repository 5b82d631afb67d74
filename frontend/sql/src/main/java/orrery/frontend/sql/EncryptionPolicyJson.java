package orrery.frontend.sql;

import java.util.OptionalLong;
import orrery.document.Value;
import orrery.frontend.rest.BodyReader;
import orrery.frontend.rest.Json;
import orrery.model.ClientEncryptionPolicy;
import orrery.model.ClientEncryptionPolicy.IncludedPath;

/** The policy of client encryption inside a container's body. What it may say is the engine's. */
final class EncryptionPolicyJson {
    private static final String VERSION = "policyFormatVersion";
    private static final int MAX_VERSION = 255;

    private EncryptionPolicyJson() {}

    static ClientEncryptionPolicy parse(BodyReader policy) {
        OptionalLong version = policy.integer(VERSION);
        if (version.orElse(1) < 0 || version.orElse(1) > MAX_VERSION) {
            throw policy.refused(VERSION, "must be 1 or 2");
        }
        if (policy.find("includedPaths").isEmpty()) {
            throw ResourceNames.missing(policy.path("includedPaths"));
        }
        ClientEncryptionPolicy parsed =
                new ClientEncryptionPolicy(
                        policy.objects("includedPaths").stream()
                                .map(EncryptionPolicyJson::path)
                                .toList(),
                        (int) version.orElse(1));
        policy.finish();
        return parsed;
    }

    private static IncludedPath path(BodyReader reader) {
        IncludedPath path =
                new IncludedPath(
                        ResourceNames.required(reader, "path"),
                        ResourceNames.required(reader, "clientEncryptionKeyId"),
                        ResourceNames.required(reader, "encryptionType"),
                        ResourceNames.required(reader, "encryptionAlgorithm"));
        reader.finish();
        return path;
    }

    static Value write(ClientEncryptionPolicy policy) {
        return Json.builder()
                .put(
                        "includedPaths",
                        new Value.Array(
                                policy.includedPaths().stream()
                                        .<Value>map(EncryptionPolicyJson::write)
                                        .toList()))
                .put(VERSION, policy.formatVersion())
                .build();
    }

    private static Value.Obj write(IncludedPath path) {
        return Json.builder()
                .put("path", path.path())
                .put("clientEncryptionKeyId", path.keyId())
                .put("encryptionType", path.type())
                .put("encryptionAlgorithm", path.algorithm())
                .build();
    }
}
