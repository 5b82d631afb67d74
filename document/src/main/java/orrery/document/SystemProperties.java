package orrery.document;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import orrery.model.Bytes;
import orrery.model.Item;
import orrery.model.ResourceId;

/**
 * The properties that the service adds to the items of one container. They are not stored in the
 * body: a read copies the body and puts them in front of its last brace, so it neither parses nor
 * prints. Code that shows or judges an item takes them from here.
 */
public final class SystemProperties {
    private static final Value ATTACHMENTS = Value.of("attachments/");

    private final int database;
    private final int container;
    private final String items;
    private final boolean hasLinks;

    public SystemProperties(ResourceId container) {
        this(
                container.database().orElseThrow(),
                container.container().orElseThrow(),
                container.link() + "docs/",
                true);
    }

    private SystemProperties(int database, int container, String items, boolean hasLinks) {
        this.database = database;
        this.container = container;
        this.items = items;
        this.hasLinks = hasLinks;
    }

    /** The same properties, but {@code _self} and {@code _attachments} are not spliced in. */
    public SystemProperties withoutLinks() {
        return new SystemProperties(database, container, items, false);
    }

    /**
     * Appends the item as clients see it to what the sink already holds. A body in JSON is copied;
     * one in BSON is printed in its JSON form.
     *
     * @param lsn only where the reader asked for it, as the change feed does
     */
    public void splice(ByteSink out, Item item, OptionalLong lsn) {
        splice(out, BodyFormat.of(item.encoding()).toJson(item.body()), item, lsn);
    }

    /** Appends the item with its etag and nothing else of the service. */
    public static void spliceEtag(ByteSink out, Item item) {
        beginSplice(out, BodyFormat.of(item.encoding()).toJson(item.body()), "\"_etag\":");
        JsonText.writeText(item.etag().quoted(), out);
        out.put('}');
    }

    /**
     * The item as clients see it, without the top-level properties that nobody wants: most queries
     * look at a few of many.
     */
    public Value.Obj read(Item item, Predicate<String> isWanted) {
        Map<String, Value> properties =
                BodyFormat.of(item.encoding())
                        .jsonProperties(item.body(), isWanted, Integer.MAX_VALUE);
        addWanted(properties, item, isWanted);
        return new Value.Obj(properties);
    }

    /** Like {@link #read(Item, Predicate)}, but stops when it has all that are wanted. */
    public Value.Obj read(Item item, PropertyNames wanted) {
        Map<String, Value> properties =
                BodyFormat.of(item.encoding()).jsonProperties(item.body(), wanted);
        if (wanted.ofService().isEmpty()) {
            return new Value.Obj(properties);
        }
        Map<String, Value> all = new LinkedHashMap<>(properties);
        addWanted(all, item, wanted.ofService()::contains);
        return new Value.Obj(all);
    }

    private void addWanted(Map<String, Value> properties, Item item, Predicate<String> isWanted) {
        if (isWanted.test("_rid") || isWanted.test("_self")) {
            String rid = ResourceId.ofItem(database, container, item.docid()).toString();
            put(properties, "_rid", Value.of(rid), isWanted);
            put(properties, "_self", Value.of(items + rid + "/"), isWanted);
        }
        if (isWanted.test("_etag")) {
            properties.put("_etag", Value.of(item.etag().quoted()));
        }
        put(properties, "_attachments", ATTACHMENTS, isWanted);
        put(properties, "_ts", Value.of(item.timestampSeconds()), isWanted);
    }

    private static void put(
            Map<String, Value> properties, String name, Value value, Predicate<String> isWanted) {
        if (isWanted.test(name)) {
            properties.put(name, value);
        }
    }

    private void splice(ByteSink out, Bytes body, Item item, OptionalLong lsn) {
        String rid = ResourceId.ofItem(database, container, item.docid()).toString();
        splice(
                out,
                body,
                rid,
                hasLinks ? items + rid + "/" : null,
                item.etag().quoted(),
                item.timestampSeconds(),
                lsn);
    }

    /**
     * Appends.
     *
     * @param body as {@link ItemBody#stored} gave it
     * @param self null leaves out all links
     * @param etag with its double quotes
     */
    static void splice(
            ByteSink out,
            Bytes body,
            String rid,
            @Nullable String self,
            String etag,
            long tsSeconds,
            OptionalLong lsn) {
        beginSplice(out, lsn.isPresent() ? withoutLsn(body) : body, "\"_rid\":");
        JsonText.writeText(rid, out);
        if (self != null) {
            out.putAscii(",\"_self\":");
            JsonText.writeText(self, out);
        }
        out.putAscii(",\"_etag\":");
        JsonText.writeText(etag, out);
        out.putAscii(self == null ? ",\"_ts\":" : ",\"_attachments\":\"attachments/\",\"_ts\":");
        out.putAscii(Long.toString(tsSeconds));
        if (lsn.isPresent()) {
            out.putAscii(",\"_lsn\":").putAscii(Long.toString(lsn.getAsLong()));
        }
        out.put('}');
    }

    /** Appends a body up to its last brace, and the name of the first property of the service. */
    private static void beginSplice(ByteSink out, Bytes body, String name) {
        byte[] text = body.unsafeArray();
        int brace = text.length - 1;
        if (brace < 1 || text[brace] != '}') {
            throw new IllegalArgumentException("a stored body ends with its closing brace");
        }
        out.put(text, 0, brace);
        if (!isEmpty(text, brace)) {
            out.put(',');
        }
        out.putAscii(name);
    }

    /**
     * Returns true if a client's top-level property of this name is replaced by the service's own.
     */
    public static boolean isSystemProperty(String name) {
        if (name.isEmpty() || name.charAt(0) != '_') {
            return false;
        }
        return switch (name) {
            case "_rid", "_self", "_etag", "_ts", "_attachments" -> true;
            default -> false;
        };
    }

    /**
     * {@code _lsn} is the service's own only where it is asked for; elsewhere a client may have a
     * property of that name, say in an item copied from a change feed. It must not stand twice.
     */
    private static Bytes withoutLsn(Bytes body) {
        byte[] text = body.unsafeArray();
        for (int i = 0; i + 4 < text.length; i++) {
            boolean mayBeLsn =
                    (text[i] == '_' && text[i + 1] == 'l' && text[i + 2] == 's')
                            || (text[i] == '\\' && text[i + 1] == 'u');
            if (mayBeLsn) {
                return ItemBody.without(body, "_lsn");
            }
        }
        return body;
    }

    /** Only an opening brace can stand before the closing one of an object without properties. */
    private static boolean isEmpty(byte[] text, int brace) {
        int at = brace - 1;
        while (text[at] <= ' ' && text[at] >= 0) {
            at--;
        }
        return text[at] == '{';
    }
}
