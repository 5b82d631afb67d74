package orrery.frontend.table;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import orrery.document.StoredCursor;
import orrery.document.Value;
import orrery.document.edm.EdmType;
import orrery.document.edm.EdmValue;
import orrery.document.edm.StoredContent;
import orrery.document.edm.StoredNames;
import orrery.model.Bytes;
import orrery.model.Etag;

/**
 * An entity in the text that is stored, which goes from there into an answer without being taken
 * apart: a read looks at each byte once, and copies names and values. What is not in the form that
 * {@link EntityDocument} gives it, such as a property that another API has written, is parsed and
 * shown by {@link EntityDocument#shown}. One serves all rows of a page. Not for use by two threads
 * at once.
 */
final class StoredEntity {
    /** The quotes around an etag, and those that it has itself, behind escapes. */
    private static final int ETAG_QUOTES = 3;

    private static final int ETAG_LENGTH = 36;

    private static final int STRING = EdmType.STRING.tag();
    private static final int BOOLEAN = EdmType.BOOLEAN.tag();
    private static final int INT32 = EdmType.INT32.tag();

    /** So many digits are an Int32 in any case. */
    private static final int INT32_DIGITS = 9;

    /** The places of a member: its name, its content and the tag of its type. */
    private static final int NAME = 0;

    private static final int NAME_END = 1;
    private static final int START = 2;
    private static final int END = 3;
    private static final int TAG = 4;
    private static final int PLACES = 5;

    private final StoredCursor cursor = new StoredCursor(new byte[0]);
    private final StoredContent content = new StoredContent();
    private byte[] text = new byte[0];
    private int[] places = new int[16 * PLACES];
    private int members;
    private @Nullable String id;
    private @Nullable String rowKey;
    private @Nullable String partitionKey;
    private @Nullable Etag etag;

    static StoredEntity of(Bytes body) {
        StoredEntity entity = new StoredEntity();
        entity.open(body);
        return entity;
    }

    /**
     * Goes to another entity.
     *
     * @param body the body of an item, or a row of a query, which has the etag as well
     */
    void open(Bytes body) {
        text = body.unsafeArray();
        members = 0;
        id = null;
        rowKey = null;
        partitionKey = null;
        etag = null;
        cursor.open(text);
        for (boolean isMember = cursor.enter(); isMember; isMember = cursor.nextMember()) {
            member();
        }
    }

    private void member() {
        int name = cursor.at();
        boolean isPlain = !cursor.skipText();
        int nameEnd = cursor.at();
        cursor.toValue();
        // Names of the service begin with one of these, and few others do.
        byte first = text[name + 1];
        boolean isOwn = isPlain && first != '$' && first != '_' && first != 'i' && first != 't';
        if (!isOwn && !StoredNames.isProperty(name(name))) {
            known(name(name));
            return;
        }
        if ((members + 1) * PLACES > places.length) {
            places = Arrays.copyOf(places, 2 * places.length);
        }
        int at = members * PLACES;
        places[at + NAME] = name;
        places[at + NAME_END] = isOwn ? nameEnd : name;
        content.read(cursor);
        places[at + START] = content.start();
        places[at + END] = content.end();
        places[at + TAG] = content.tag();
        members++;
    }

    /** Reads what every item has. */
    private void known(String name) {
        int start = cursor.at();
        switch (name) {
            case StoredNames.ID -> id = textOf(cursor.value());
            case StoredNames.STORED_ROW_KEY -> rowKey = textOf(cursor.value());
            case StoredNames.STORED_PARTITION_KEY -> partitionKey = textOf(cursor.value());
            case StoredNames.ETAG -> etag = etag(start);
            default -> cursor.skipValue();
        }
    }

    private static String textOf(Value value) {
        return value instanceof Value.Text(String text) ? text : "";
    }

    private @Nullable Etag etag(int start) {
        cursor.skipValue();
        int end = cursor.at();
        if (end - start == ETAG_LENGTH + 2 * ETAG_QUOTES) {
            Optional<Etag> found =
                    Etag.parse(
                            new String(
                                    text,
                                    start + ETAG_QUOTES,
                                    ETAG_LENGTH,
                                    StandardCharsets.US_ASCII));
            if (found.isPresent()) {
                return found.get();
            }
        }
        return Etag.parse(textOf(cursor.parse(start, end))).orElse(null);
    }

    private String name(int at) {
        int here = cursor.at();
        cursor.reset(at);
        String name = cursor.text();
        cursor.reset(here);
        return name;
    }

    String partitionKey() {
        return partitionKey == null ? "" : partitionKey;
    }

    String rowKey() {
        String key = id == null ? rowKey : id;
        return key == null ? "" : key;
    }

    Optional<Etag> etag() {
        return Optional.ofNullable(etag);
    }

    /**
     * Writes the properties that are wanted behind what stands in an object already.
     *
     * @param isWanted null where all are
     */
    void properties(
            EntityJson.Members out, boolean isAnnotated, @Nullable Predicate<String> isWanted) {
        for (int i = 0; i < members; i++) {
            property(out, i * PLACES, isAnnotated, isWanted);
        }
    }

    private void property(
            EntityJson.Members out,
            int at,
            boolean isAnnotated,
            @Nullable Predicate<String> isWanted) {
        int name = places[at + NAME];
        if (isWanted != null && !isWanted.test(StoredNames.shown(name(name)))) {
            return;
        }
        if (!isCopied(out, at)) {
            shown(at)
                    .ifPresent(
                            value ->
                                    out.property(
                                            StoredNames.shown(name(name)), value, isAnnotated));
        }
    }

    /** Copies a property that is shown under the same name and with the same content. */
    private boolean isCopied(EntityJson.Members out, int at) {
        int start = places[at + START];
        int length = places[at + END] - start;
        boolean isSame =
                places[at + NAME_END] > places[at + NAME]
                        && isShownAsStored(places[at + TAG], start, length);
        if (isSame) {
            out.name(text, places[at + NAME], places[at + NAME_END]).put(text, start, length);
        }
        return isSame;
    }

    private boolean isShownAsStored(int tag, int start, int length) {
        if (tag == STRING) {
            return text[start] == '"';
        }
        if (tag == BOOLEAN) {
            return text[start] == 't' || text[start] == 'f';
        }
        return tag == INT32 && length <= INT32_DIGITS && cursor.isInteger(start, start + length);
    }

    /** The value as the API shows it. */
    private Optional<EdmValue> shown(int at) {
        int tag = places[at + TAG];
        if (tag == StoredContent.UNTYPED) {
            return EntityDocument.shown(cursor.parse(places[at + START], places[at + END]));
        }
        cursor.reset(places[at + START]);
        Value content = cursor.value();
        Optional<EdmValue> typed =
                EdmType.ofTag(tag).flatMap(type -> EdmValue.ofContent(type, content));
        if (typed.isPresent()) {
            return typed;
        }
        return EntityDocument.shown(
                Value.Obj.of(EdmValue.TYPE, Value.of(tag), EdmValue.CONTENT, content));
    }
}
