package orrery.frontend.sql;

import orrery.document.Value;
import orrery.frontend.rest.BodyReader;
import orrery.frontend.rest.Json;
import orrery.model.Bytes;
import orrery.model.resource.Database;

/** The body of a database. */
final class DatabaseJson {
    private DatabaseJson() {}

    /** The id; a database has nothing else that a client may set. */
    static String parseId(Bytes body) {
        BodyReader reader = BodyReader.of(body);
        String id = ResourceNames.requireDatabase(reader.text("id"));
        reader.ignore("_rid", "_self", "_etag", "_ts", "_colls", "_users");
        reader.finish();
        return id;
    }

    static Value.Obj write(Database database) {
        String rid = database.rid().toString();
        return Json.builder()
                .put("id", database.name())
                .put("_rid", rid)
                .put("_self", database.rid().link())
                .put("_etag", database.etag().quoted())
                .put("_colls", "colls/")
                .put("_users", "users/")
                .put("_ts", database.timestampMillis() / 1000)
                .build();
    }
}
