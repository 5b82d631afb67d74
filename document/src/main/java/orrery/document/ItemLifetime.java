package orrery.document;

import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

/** Reads the lifetime of an item from its property {@code ttl}. */
public final class ItemLifetime {
    /** The item says nothing: it is for the container to say. */
    public static final int UNSAID = 0;

    public static final int ENDLESS = -1;

    private static final String PROPERTY = "ttl";
    private static final byte[] NAME = {'"', 't', 't', 'l', '"'};
    private static final byte[] FIELD = {'t', 't', 'l'};

    private ItemLifetime() {}

    /**
     * Seconds from the item's last write on, or one of the constants. What is no lifetime counts as
     * unsaid: items from before it was refused may have it.
     */
    public static int of(Encoding encoding, Bytes storedBody) {
        Value value = find(encoding, storedBody);
        return value instanceof Value.Int(long seconds) && isLifetime(seconds)
                ? (int) seconds
                : UNSAID;
    }

    /**
     * Throws BAD_REQUEST if the property is not a lifetime. In a document of MongoDB it may be
     * anything: clients there know no such property.
     */
    public static void check(Encoding encoding, Bytes storedBody) {
        if (encoding == Encoding.JSON) {
            check(find(encoding, storedBody));
        }
    }

    /**
     * The same for a change that keeps what it does not name. Such a change is not to blame for a
     * property that was there before, and an item from before it was refused may have one.
     */
    public static void checkChange(Encoding encoding, Bytes storedBefore, Bytes storedAfter) {
        if (encoding == Encoding.BSON) {
            return;
        }
        Value after = find(encoding, storedAfter);
        if (!after.equals(find(encoding, storedBefore))) {
            check(after);
        }
    }

    private static void check(Value value) {
        if (value.isDefined()
                && !(value instanceof Value.Int(long seconds) && isLifetime(seconds))) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "The input ttl '"
                            + JsonText.write(value)
                            + "' is invalid. Ensure to provide a nonzero positive integer less"
                            + " than or equal to '2147483647', or '-1' which means never expire.");
        }
    }

    private static boolean isLifetime(long seconds) {
        return seconds == ENDLESS || (seconds > 0 && seconds <= Integer.MAX_VALUE);
    }

    private static Value find(Encoding encoding, Bytes storedBody) {
        return switch (encoding) {
            case JSON -> {
                if (!mayHave(storedBody.unsafeArray())) {
                    yield Value.Undefined.UNDEFINED;
                }
                yield JsonBodies.INSTANCE
                        .jsonProperties(storedBody, PROPERTY::equals, 1)
                        .getOrDefault(PROPERTY, Value.Undefined.UNDEFINED);
            }
            case BSON -> {
                Value found = BsonCodec.readOne(storedBody, FIELD);
                yield found == null ? Value.Undefined.UNDEFINED : JsonForm.of(found);
            }
        };
    }

    /** Most items have nothing of the kind: a look at the bytes is cheaper than parsing them. */
    private static boolean mayHave(byte[] body) {
        int at = 0;
        while (at < body.length) {
            if (at + Long.BYTES <= body.length && Utf8.isPlainTextNext(body, at)) {
                at += Long.BYTES;
                continue;
            }
            int end = Math.min(at + Long.BYTES, body.length);
            for (; at < end; at++) {
                if (body[at] == '\\') {
                    return true; // the name may be written with escapes
                }
                if (body[at] == NAME[0] && isNameAt(body, at)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isNameAt(byte[] body, int start) {
        if (start + NAME.length > body.length) {
            return false;
        }
        for (int i = 1; i < NAME.length; i++) {
            if (body[start + i] != NAME[i]) {
                return false;
            }
        }
        return true;
    }
}
