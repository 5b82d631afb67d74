package orrery.server.client.transfer;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import orrery.document.ByteSink;
import orrery.document.ItemBody;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PropertyPath;

/**
 * Makes an item of a row, by the server's own rules: its properties stay as they were written, but
 * for those that the server sets itself.
 *
 * <p>An item without an id gets one that follows from its row, so that the same file gives the same
 * items again.
 *
 * @param idFrom the property whose value becomes the id
 */
record ItemMaker(Optional<PropertyPath> idFrom) {
    /** How the server begins; a row of a file is no request. */
    private static final String OF_REQUESTS = "^The request payload is invalid\\. ";

    /** An item with the id that it has in {@code body}. */
    record Made(String id, Bytes body) {}

    /** Throws BAD_REQUEST if the row can be no item. */
    Made make(Row row) {
        if (row.isTooLarge()) {
            throw refused("It is larger than an item may be.");
        }
        try {
            return read(row);
        } catch (OrreryException wrong) {
            throw refused(wrong.text().replaceFirst(OF_REQUESTS, ""));
        }
    }

    static boolean isJson(Row row) {
        try {
            JsonText.parse(row.text());
            return true;
        } catch (OrreryException notJson) {
            return false;
        }
    }

    private Made read(Row row) {
        Bytes text = idFrom.map(path -> withIdFrom(row.text(), path)).orElse(row.text());
        ItemBody body = ItemBody.parse(text);
        if (body.id().isPresent()) {
            return new Made(body.id().get(), body.stored());
        }
        String id = newId(row).toString();
        ByteSink out = new ByteSink();
        out.putAscii("{\"id\":\"").putAscii(id).putAscii(body.isEmpty() ? "\"" : "\",");
        byte[] stored = body.stored().unsafeArray();
        int brace = indexOf(stored, '{');
        return new Made(id, out.put(stored, brace + 1, stored.length - brace - 1).toBytes());
    }

    /** Appends the id. Where a name comes twice in an item, the last one counts. */
    private static Bytes withIdFrom(Bytes text, PropertyPath path) {
        Value item = JsonText.parse(text);
        if (!(item instanceof Value.Obj(Map<String, Value> properties))) {
            return text;
        }
        Value id = item;
        for (String segment : path.segments()) {
            id =
                    id instanceof Value.Obj(Map<String, Value> inner)
                            ? inner.getOrDefault(segment, Value.Undefined.UNDEFINED)
                            : Value.Undefined.UNDEFINED;
        }
        String name =
                switch (id) {
                    case Value.Text(String plain) -> plain;
                    case Value.Int(long number) -> Long.toString(number);
                    case Value.Undefined _ ->
                            throw refused("It has no " + path + " to take the id from.");
                    default -> throw refused("Its " + path + " is neither a text nor an integer.");
                };
        byte[] json = text.unsafeArray();
        int brace = json.length - 1;
        while (json[brace] != '}') {
            brace--;
        }
        ByteSink out = new ByteSink().put(json, 0, brace);
        out.putAscii(properties.isEmpty() ? "\"id\":" : ",\"id\":");
        JsonText.write(Value.of(name), out);
        return out.put('}').toBytes();
    }

    private static UUID newId(Row row) {
        byte[] text = row.text().unsafeArray();
        return UUID.nameUUIDFromBytes(
                ByteBuffer.allocate(Long.BYTES + text.length)
                        .putLong(row.number())
                        .put(text)
                        .array());
    }

    private static int indexOf(byte[] text, char wanted) {
        int at = 0;
        while (text[at] != wanted) {
            at++;
        }
        return at;
    }

    private static OrreryException refused(String reason) {
        return new OrreryException(ErrorCode.BAD_REQUEST, reason);
    }
}
