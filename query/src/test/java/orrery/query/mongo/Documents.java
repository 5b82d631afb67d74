package orrery.query.mongo;

import orrery.document.BodyFormat;
import orrery.document.BsonCodec;
import orrery.document.Value;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.Encoding;

/** Documents from extended JSON with single quotes, which need no escapes in Java. */
public final class Documents {
    private Documents() {}

    public static Value.Obj of(String json) {
        return BsonCodec.read(bson(json));
    }

    public static Bytes bson(String json) {
        return BodyFormat.of(Encoding.BSON).show(Body.json(Bytes.ofUtf8(json.replace('\'', '"'))));
    }

    /** A single value. */
    public static Value value(String json) {
        return of("{'v':" + json + "}").properties().getOrDefault("v", Value.Undefined.UNDEFINED);
    }
}
