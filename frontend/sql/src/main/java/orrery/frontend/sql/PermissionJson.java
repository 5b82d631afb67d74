package orrery.frontend.sql;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.JsonText;
import orrery.document.KeyHeader;
import orrery.document.Value;
import orrery.frontend.rest.BodyReader;
import orrery.frontend.rest.Json;
import orrery.frontend.rest.KeyJson;
import orrery.gateway.api.IssuedPermission;
import orrery.model.Bytes;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.resource.Permission;
import orrery.model.resource.PermissionDefinition;
import orrery.model.resource.PermissionMode;
import orrery.model.resource.ResourceLink;

/** The body of a permission. */
final class PermissionJson {
    private static final Map<String, PermissionMode> MODES =
            Map.of("read", PermissionMode.READ, "all", PermissionMode.ALL);

    private static final String KEY = "resourcePartitionKey";

    private PermissionJson() {}

    static PermissionDefinition parse(Bytes body) {
        BodyReader reader = BodyReader.of(body);
        String id = ResourceNames.require(reader.text("id"));
        String mode =
                reader.spelling("permissionMode", MODES)
                        .orElseThrow(() -> ResourceNames.missing("permissionMode"));
        String resource = ResourceNames.required(reader, "resource");
        if (ResourceLink.parse(resource).isEmpty()) {
            throw reader.refused(
                    "resource",
                    "must be the link of a container or of something in it, such as dbs/d/colls/c"
                            + " or dbs/d/colls/c/docs/1");
        }
        if (reader.isNull(KEY)) {
            // A variable that was not set must not open the whole container.
            throw reader.refused(
                    KEY,
                    "is null. Leave it out to reach all keys, or send [null] for the items whose"
                            + " key is null");
        }
        Optional<PartitionKey> key = reader.find(KEY).map(value -> key(reader, value));
        reader.ignore("_rid", "_self", "_etag", "_ts", "_token");
        reader.finish();
        return new PermissionDefinition(id, mode, resource, key);
    }

    /** An array with one value a level; SDKs also let a value stand by itself. */
    private static PartitionKey key(BodyReader reader, Value value) {
        Value levels = value instanceof Value.Array ? value : new Value.Array(List.of(value));
        PartitionKey key;
        try {
            key = KeyHeader.parse(JsonText.write(levels));
        } catch (OrreryException notAKey) {
            // Its text speaks of the header, which has the same form.
            throw reader.refused(
                    KEY, "must be an array of strings, numbers, true, false, null and {}");
        }
        if (key.components().isEmpty()) {
            throw reader.refused(KEY, "must have at least one value");
        }
        return key;
    }

    static Value.Obj write(IssuedPermission issued) {
        Permission permission = issued.permission();
        PermissionDefinition definition = permission.definition();
        Json.Builder json =
                Json.builder()
                        .put("id", definition.name())
                        .put("permissionMode", definition.modeText())
                        .put("resource", definition.resource());
        definition.partitionKey().ifPresent(key -> json.put(KEY, KeyJson.write(key)));
        return json.put("_rid", permission.rid().toString())
                .put("_self", permission.rid().link())
                .put("_etag", permission.etag().quoted())
                .put("_ts", permission.timestampMillis() / 1000)
                .put("_token", issued.token())
                .build();
    }
}
