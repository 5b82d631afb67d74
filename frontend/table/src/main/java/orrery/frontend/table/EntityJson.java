package orrery.frontend.table;

import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
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

    /** An entity that is an answer by itself. */
    void element(ByteSink out, Entity entity, FileTime time) {
        Members members = new Members(out);
        if (level != MetadataLevel.NONE) {
            members.text("odata.metadata", metadata() + "/@Element");
        }
        entity(members, entity, time);
    }

    /** An entity among others. */
    void row(ByteSink out, Entity entity, FileTime time) {
        entity(new Members(out), entity, time);
    }

    private void entity(Members members, Entity entity, FileTime time) {
        if (level == MetadataLevel.FULL) {
            String link = EntityLink.of(table, entity.partitionKey(), entity.rowKey());
            members.text("odata.type", type)
                    .text("odata.id", base + "/" + link)
                    .text("odata.etag", TableTime.etag(time))
                    .text("odata.editLink", link);
        } else if (level == MetadataLevel.MINIMAL) {
            members.text("odata.etag", TableTime.etag(time));
        }
        Predicate<String> isWanted =
                select.<Predicate<String>>map(names -> names::contains).orElse(_ -> true);
        if (isWanted.test(StoredNames.PARTITION_KEY)) {
            members.text(StoredNames.PARTITION_KEY, entity.partitionKey());
        }
        if (isWanted.test(StoredNames.ROW_KEY)) {
            members.text(StoredNames.ROW_KEY, entity.rowKey());
        }
        if (isWanted.test(StoredNames.TIMESTAMP)) {
            if (level == MetadataLevel.FULL) {
                members.text(StoredNames.TIMESTAMP + TYPE_SUFFIX, EdmType.DATETIME.text());
            }
            members.text(StoredNames.TIMESTAMP, TableTime.format(time));
        }
        for (Map.Entry<String, EdmValue> property : entity.properties().entrySet()) {
            if (isWanted.test(property.getKey())) {
                property(members, property.getKey(), property.getValue());
            }
        }
        members.end();
    }

    private void property(Members members, String name, EdmValue value) {
        boolean isAnnotated =
                switch (value) {
                    case EdmValue.Int64 _, EdmValue.Moment _, EdmValue.Guid _, EdmValue.Binary _ ->
                            true;
                    // Without its type it would come back as a string.
                    case EdmValue.Real(double number) -> !Double.isFinite(number);
                    case EdmValue.Text _, EdmValue.Int32 _, EdmValue.Bool _ -> false;
                };
        if (isAnnotated && level != MetadataLevel.NONE) {
            members.text(name + TYPE_SUFFIX, value.type().text());
        }
        switch (value) {
            case EdmValue.Text(String text) -> members.text(name, text);
            case EdmValue.Int32(int number) -> members.ascii(name, Integer.toString(number));
            case EdmValue.Bool(boolean bool) -> members.ascii(name, Boolean.toString(bool));
            // The digits have a fraction, without which they would come back as an Int32.
            case EdmValue.Real(double number) when Double.isFinite(number) ->
                    members.ascii(name, Double.toString(number));
            case EdmValue.Real(double number) -> members.text(name, Double.toString(number));
            case EdmValue.Int64(long number) -> members.text(name, Long.toString(number));
            case EdmValue.Moment moment -> members.text(name, TableTime.format(moment));
            case EdmValue.Guid(var guid) -> members.text(name, guid.toString());
            case EdmValue.Binary(var bytes) ->
                    members.text(name, Base64.getEncoder().encodeToString(bytes.unsafeArray()));
        }
    }

    /** Writes an object member by member. */
    private static final class Members {
        private final ByteSink out;
        private char before = '{';

        Members(ByteSink out) {
            this.out = out;
        }

        private void name(String name) {
            out.put(before);
            before = ',';
            JsonText.write(Value.of(name), out);
            out.put(':');
        }

        Members text(String name, String text) {
            name(name);
            JsonText.write(Value.of(text), out);
            return this;
        }

        void ascii(String name, String json) {
            name(name);
            out.putAscii(json);
        }

        void end() {
            if (before == '{') {
                out.put('{');
            }
            out.put('}');
        }
    }
}
