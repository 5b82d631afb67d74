package orrery.frontend.table;

import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import orrery.document.ByteSink;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.document.edm.EdmType;
import orrery.document.edm.EdmValue;
import orrery.document.edm.StoredNames;
import orrery.frontend.rest.PageEnvelope;
import orrery.model.FileTime;

/**
 * Entities of one table in the JSON of answers.
 *
 * @param base the address of the account
 * @param type the name that the full annotations give to the type of the entities
 */
record EntityJson(
        MetadataLevel level,
        String base,
        String type,
        String table,
        Optional<List<String>> select) {
    private static final String TYPE_SUFFIX = "@odata.type";
    private static final byte[] ETAG = quotedBytes("odata.etag");
    private static final byte[] PARTITION_KEY = quotedBytes(StoredNames.PARTITION_KEY);
    private static final byte[] ROW_KEY = quotedBytes(StoredNames.ROW_KEY);
    private static final byte[] TIMESTAMP = quotedBytes(StoredNames.TIMESTAMP);

    static EntityJson of(
            TableRequest request,
            MetadataLevel level,
            String account,
            String table,
            Optional<List<String>> select) {
        return new EntityJson(level, request.base(), account + "." + table, table, select);
    }

    PageEnvelope envelope() {
        if (level == MetadataLevel.NONE) {
            return new PageEnvelope("{\"value\":[", "]}");
        }
        return new PageEnvelope("{\"odata.metadata\":" + quoted(metadata()) + ",\"value\":[", "]}");
    }

    private String metadata() {
        return base + "/$metadata#" + table;
    }

    private static String quoted(String text) {
        return JsonText.write(Value.of(text));
    }

    private static byte[] quotedBytes(String text) {
        return JsonText.writeBytes(Value.of(text)).unsafeArray();
    }

    /** An entity that is an answer by itself. */
    void element(ByteSink out, Entity entity, FileTime time) {
        Members members = element(out);
        start(members, entity, time);
        Predicate<String> isWanted = isWanted();
        for (Map.Entry<String, EdmValue> property : entity.properties().entrySet()) {
            if (isWanted == null || isWanted.test(property.getKey())) {
                members.property(property.getKey(), property.getValue(), isAnnotated());
            }
        }
        members.end();
    }

    /** The same of an entity that was stored. */
    void element(ByteSink out, StoredEntity entity, FileTime time) {
        stored(element(out), entity, time);
    }

    private Members element(ByteSink out) {
        Members members = new Members(out);
        if (level != MetadataLevel.NONE) {
            members.text("odata.metadata", metadata() + "/@Element");
        }
        return members;
    }

    /** An entity among others. */
    void row(ByteSink out, StoredEntity entity, FileTime time) {
        stored(new Members(out), entity, time);
    }

    private void stored(Members members, StoredEntity entity, FileTime time) {
        start(members, entity, time);
        entity.properties(members, isAnnotated(), isWanted());
        members.end();
    }

    private boolean isAnnotated() {
        return level != MetadataLevel.NONE;
    }

    /** Null where all properties are wanted. */
    private @Nullable Predicate<String> isWanted() {
        return select.<Predicate<String>>map(names -> names::contains).orElse(null);
    }

    /** Writes all that stands in front of the properties of a client. */
    private void start(Members members, EntityKeys keys, FileTime time) {
        if (level == MetadataLevel.FULL) {
            String link = EntityLink.of(table, keys.partitionKey(), keys.rowKey());
            members.text("odata.type", type).text("odata.id", base + "/" + link);
            TableTime.writeEtag(time, members.name(ETAG));
            members.text("odata.editLink", link);
        } else if (level == MetadataLevel.MINIMAL) {
            TableTime.writeEtag(time, members.name(ETAG));
        }
        Predicate<String> isWanted = isWanted();
        if (isWanted == null || isWanted.test(StoredNames.PARTITION_KEY)) {
            keys.writePartitionKey(members.name(PARTITION_KEY));
        }
        if (isWanted == null || isWanted.test(StoredNames.ROW_KEY)) {
            keys.writeRowKey(members.name(ROW_KEY));
        }
        if (isWanted == null || isWanted.test(StoredNames.TIMESTAMP)) {
            if (level == MetadataLevel.FULL) {
                members.text(StoredNames.TIMESTAMP + TYPE_SUFFIX, EdmType.DATETIME.text());
            }
            TableTime.write(time, members.name(TIMESTAMP));
        }
    }

    /** Writes an object member by member. */
    static final class Members {
        private final ByteSink out;
        private char before = '{';

        Members(ByteSink out) {
            this.out = out;
        }

        /** Begins a member whose name stands in a text, in quotes; its value is to follow. */
        ByteSink name(byte[] text, int from, int to) {
            out.put(before);
            before = ',';
            return out.put(text, from, to - from).put(':');
        }

        private ByteSink name(byte[] quoted) {
            return name(quoted, 0, quoted.length);
        }

        Members text(String name, String text) {
            JsonText.write(Value.of(text), name(quotedBytes(name)));
            return this;
        }

        /**
         * @param isAnnotated whether the type is told where JSON does not tell it
         */
        void property(String name, EdmValue value, boolean isAnnotated) {
            byte[] quoted = quotedBytes(name);
            property(quoted, 0, quoted.length, value, isAnnotated);
        }

        /** Writes a property whose name stands in a text, in quotes. */
        void property(byte[] text, int from, int to, EdmValue value, boolean isAnnotated) {
            boolean isTypeUnclear =
                    switch (value) {
                        case EdmValue.Int64 _,
                                EdmValue.Moment _,
                                EdmValue.Guid _,
                                EdmValue.Binary _ ->
                                true;
                        // Without its type it would come back as a string.
                        case EdmValue.Real(double number) -> !Double.isFinite(number);
                        case EdmValue.Text _, EdmValue.Int32 _, EdmValue.Bool _ -> false;
                    };
            if (isTypeUnclear && isAnnotated) {
                out.put(before).put(text, from, to - 1 - from).putAscii(TYPE_SUFFIX);
                before = ',';
                out.putAscii("\":\"").putAscii(value.type().text()).put('"');
            }
            ByteSink content = name(text, from, to);
            switch (value) {
                case EdmValue.Text(String string) -> JsonText.write(Value.of(string), content);
                case EdmValue.Int32(int number) -> content.putAscii(Integer.toString(number));
                case EdmValue.Bool(boolean bool) -> content.putAscii(Boolean.toString(bool));
                // The digits have a fraction, without which they would come back as an Int32.
                case EdmValue.Real(double number) when Double.isFinite(number) ->
                        content.putAscii(Double.toString(number));
                case EdmValue.Real(double number) -> ascii(content, Double.toString(number));
                case EdmValue.Int64(long number) -> ascii(content, Long.toString(number));
                case EdmValue.Moment moment -> ascii(content, TableTime.format(moment));
                case EdmValue.Guid(var guid) -> ascii(content, guid.toString());
                case EdmValue.Binary(var bytes) ->
                        ascii(content, Base64.getEncoder().encodeToString(bytes.unsafeArray()));
            }
        }

        /** Writes a text that needs no escapes. */
        private static void ascii(ByteSink out, String text) {
            out.put('"').putAscii(text).put('"');
        }

        void end() {
            if (before == '{') {
                out.put('{');
            }
            out.put('}');
        }
    }
}
