package orrery.frontend.sql;

import orrery.document.Value;
import orrery.frontend.rest.BodyReader;
import orrery.frontend.rest.Json;
import orrery.model.Bytes;
import orrery.model.resource.User;

/** The body of a user. */
final class UserJson {
    private UserJson() {}

    /** The id; a user has nothing else that a client may set. */
    static String parseId(Bytes body) {
        BodyReader reader = BodyReader.of(body);
        String id = ResourceNames.require(reader.text("id"));
        reader.ignore("_rid", "_self", "_etag", "_ts", "_permissions");
        reader.finish();
        return id;
    }

    static Value.Obj write(User user) {
        return Json.builder()
                .put("id", user.name())
                .put("_rid", user.rid().toString())
                .put("_self", user.rid().link())
                .put("_etag", user.etag().quoted())
                .put("_permissions", "permissions/")
                .put("_ts", user.timestampMillis() / 1000)
                .build();
    }
}
