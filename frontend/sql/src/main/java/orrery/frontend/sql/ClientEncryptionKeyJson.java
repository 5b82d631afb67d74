package orrery.frontend.sql;

import java.util.Base64;
import orrery.document.Value;
import orrery.frontend.rest.BodyReader;
import orrery.frontend.rest.Json;
import orrery.model.Bytes;
import orrery.model.resource.ClientEncryptionKey;
import orrery.model.resource.ClientEncryptionKeyDefinition;
import orrery.model.resource.ClientEncryptionKeyDefinition.WrapMetadata;

/** The body of a client encryption key. */
final class ClientEncryptionKeyJson {
    private static final String WRAPPED = "wrappedDataEncryptionKey";

    private ClientEncryptionKeyJson() {}

    static ClientEncryptionKeyDefinition parse(Bytes body) {
        BodyReader reader = BodyReader.of(body);
        String id = ResourceNames.require(reader.text("id"));
        String algorithm = ResourceNames.required(reader, "encryptionAlgorithm");
        Bytes wrapped = wrapped(reader);
        WrapMetadata metadata =
                reader.object("keyWrapMetadata")
                        .map(ClientEncryptionKeyJson::metadata)
                        .orElseThrow(() -> ResourceNames.missing("keyWrapMetadata"));
        reader.ignore("_rid", "_self", "_etag", "_ts");
        reader.finish();
        return new ClientEncryptionKeyDefinition(id, algorithm, wrapped, metadata);
    }

    private static Bytes wrapped(BodyReader reader) {
        String text = ResourceNames.required(reader, WRAPPED);
        try {
            byte[] bytes = Base64.getDecoder().decode(text);
            // It has several spellings; only one is returned as it was sent.
            if (!Base64.getEncoder().encodeToString(bytes).equals(text)) {
                throw reader.refused(WRAPPED, "must be Base64");
            }
            return Bytes.wrap(bytes);
        } catch (IllegalArgumentException notBase64) {
            throw reader.refused(WRAPPED, "must be Base64");
        }
    }

    private static WrapMetadata metadata(BodyReader reader) {
        WrapMetadata metadata =
                new WrapMetadata(
                        ResourceNames.required(reader, "type"),
                        ResourceNames.required(reader, "name"),
                        ResourceNames.required(reader, "value"),
                        reader.text("algorithm"));
        reader.finish();
        return metadata;
    }

    static Value.Obj write(ClientEncryptionKey key) {
        ClientEncryptionKeyDefinition definition = key.definition();
        WrapMetadata metadata = definition.metadata();
        Json.Builder wrapping =
                Json.builder()
                        .put("type", metadata.type())
                        .put("name", metadata.name())
                        .put("value", metadata.value());
        metadata.algorithm().ifPresent(algorithm -> wrapping.put("algorithm", algorithm));
        byte[] wrapped = definition.wrappedKey().unsafeArray();
        return Json.builder()
                .put("id", definition.name())
                .put("encryptionAlgorithm", definition.algorithm())
                .put(WRAPPED, Base64.getEncoder().encodeToString(wrapped))
                .put("keyWrapMetadata", wrapping.build())
                .put("_rid", key.rid().toString())
                .put("_self", key.rid().link())
                .put("_etag", key.etag().quoted())
                .put("_ts", key.timestampMillis() / 1000)
                .build();
    }
}
