package orrery.document;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import orrery.model.Bytes;

/**
 * Picks a few properties out of a body that was checked before it was stored. A query does this for
 * each item it meets.
 */
final class StoredBody {
    private StoredBody() {}

    /** Reads the wanted properties; it stops after the last of them. */
    static Map<String, Value> read(Bytes body, PropertyNames wanted) {
        try {
            return properties(body.unsafeArray(), wanted);
        } catch (IndexOutOfBoundsException e) {
            throw new IllegalStateException("a stored body is not JSON", e);
        }
    }

    private static Map<String, Value> properties(byte[] text, PropertyNames wanted) {
        Members.Builder found = new Members.Builder();
        if (wanted.ofBody() == 0) {
            return found.build();
        }
        StoredCursor cursor = new StoredCursor(text);
        for (boolean isMember = cursor.enter(); isMember; isMember = cursor.nextMember()) {
            String name = name(text, cursor, wanted);
            cursor.toValue();
            if (name == null) {
                cursor.skipValue();
            } else {
                found.put(name, cursor.value());
                if (found.size() == wanted.ofBody()) {
                    break;
                }
            }
        }
        return found.build();
    }

    /** The name that begins here, if it is wanted. */
    private static @Nullable String name(byte[] text, StoredCursor cursor, PropertyNames wanted) {
        int start = cursor.at();
        if (cursor.skipText()) {
            cursor.reset(start);
            return wanted.find(cursor.text());
        }
        return wanted.find(text, start + 1, cursor.at() - 1);
    }
}
