package orrery.frontend.table;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import orrery.document.ByteSink;
import orrery.document.JsonText;
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
final class StoredEntity implements EntityKeys {
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

    private static final byte[] ID = quoted(StoredNames.ID);
    private static final byte[] ROW_KEY = quoted(StoredNames.STORED_ROW_KEY);
    private static final byte[] PARTITION_KEY = quoted(StoredNames.STORED_PARTITION_KEY);
    private static final byte[] ETAG = quoted(StoredNames.ETAG);

    /** In place of a value that is not there. */
    private static final int NOWHERE = -1;

    private final StoredCursor cursor = new StoredCursor(new byte[0]);
    private final StoredContent content = new StoredContent();
    private byte[] text = new byte[0];
    private int[] places = new int[16 * PLACES];
    private int members;
    private int id = NOWHERE;
    private int rowKey = NOWHERE;
    private int partitionKey = NOWHERE;
    private @Nullable Etag etag;

    private static byte[] quoted(String name) {
        return ('"' + name + '"').getBytes(StandardCharsets.UTF_8);
    }

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
        id = NOWHERE;
        rowKey = NOWHERE;
        partitionKey = NOWHERE;
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
        if (!isOwn) {
            byte[] known = isPlain ? text : quoted(name(name));
            if (isKnown(known, isPlain ? name : 0, isPlain ? nameEnd : known.length)) {
                return;
            }
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

    /** Passes over what every item has, and remembers where the keys are. */
    private boolean isKnown(byte[] name, int from, int to) {
        int start = cursor.at();
        if (isName(ID, name, from, to)) {
            id = start;
        } else if (isName(ROW_KEY, name, from, to)) {
            rowKey = start;
        } else if (isName(PARTITION_KEY, name, from, to)) {
            partitionKey = start;
        } else if (isName(ETAG, name, from, to)) {
            etag = etag(start);
            return true;
        } else if (StoredNames.isProperty(
                new String(name, from + 1, to - from - 2, StandardCharsets.UTF_8))) {
            return false;
        }
        cursor.skipValue();
        return true;
    }

    private static boolean isName(byte[] known, byte[] name, int from, int to) {
        return Arrays.equals(known, 0, known.length, name, from, to);
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

    @Override
    public String partitionKey() {
        return textAt(partitionKey);
    }

    @Override
    public String rowKey() {
        return textAt(id == NOWHERE ? rowKey : id);
    }

    private String textAt(int place) {
        if (place == NOWHERE) {
            return "";
        }
        cursor.reset(place);
        return textOf(cursor.value());
    }

    @Override
    public void writePartitionKey(ByteSink out) {
        writeText(partitionKey, out);
    }

    @Override
    public void writeRowKey(ByteSink out) {
        writeText(id == NOWHERE ? rowKey : id, out);
    }

    private void writeText(int place, ByteSink out) {
        if (place != NOWHERE && text[place] == '"') {
            cursor.reset(place);
            if (!cursor.skipText()) {
                out.put(text, place, cursor.at() - place);
                return;
            }
        }
        JsonText.write(Value.of(textAt(place)), out);
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
        if (isCopied(out, at)) {
            return;
        }
        int nameEnd = places[at + NAME_END];
        Optional<EdmValue> value = shown(at);
        if (value.isEmpty()) {
            return;
        }
        if (nameEnd > name) {
            out.property(text, name, nameEnd, value.get(), isAnnotated);
        } else {
            out.property(StoredNames.shown(name(name)), value.get(), isAnnotated);
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
