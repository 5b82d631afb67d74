package orrery.gateway;

import java.util.List;
import java.util.Map;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.KeyRange;
import orrery.model.OrreryException;

/**
 * The continuation of a query over several partitions as clients of the service know it: JSON with
 * a token and the range of keys that it stands in. The range tells readers how far the query has
 * come; what counts is in the token itself.
 */
final class RangedToken {
    private RangedToken() {}

    static String of(String token, KeyRange keys) {
        return "{\"token\":"
                + JsonText.write(Value.of(token))
                + ",\"range\":{\"min\":\""
                + keys.min().toHex()
                + "\",\"max\":\""
                + keys.max().toHex()
                + "\"}}";
    }

    /** The token inside, for a client that gives back all, a list of one, or the token alone. */
    static String token(String continuation) {
        if (!continuation.startsWith("{") && !continuation.startsWith("[")) {
            return continuation;
        }
        Value ranged = parsed(continuation);
        if (ranged instanceof Value.Array(List<Value> elements) && elements.size() == 1) {
            ranged = elements.getFirst();
        }
        if (ranged instanceof Value.Obj(Map<String, Value> members)
                && members.get("token") instanceof Value.Text(String token)) {
            return token;
        }
        throw Continuations.invalid();
    }

    private static Value parsed(String json) {
        try {
            return JsonText.parse(json);
        } catch (OrreryException notJson) {
            throw Continuations.invalid();
        }
    }
}
