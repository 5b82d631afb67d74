package orrery.frontend.table;

import orrery.document.ByteSink;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.frontend.rest.Json;
import orrery.frontend.rest.PageEnvelope;

/**
 * Tables in the JSON of answers.
 *
 * @param base the address of the account
 * @param account names the account in the type of a table
 */
record TableJson(MetadataLevel level, String base, String account) {
    static TableJson of(TableRequest request, String account) {
        return new TableJson(request.level(), request.base(), account);
    }

    private String metadata() {
        return base + "/$metadata#Tables";
    }

    PageEnvelope envelope() {
        return level == MetadataLevel.NONE
                ? new PageEnvelope("{\"value\":[", "]}")
                : new PageEnvelope(
                        "{\"odata.metadata\":"
                                + JsonText.write(Value.of(metadata()))
                                + ",\"value\":[",
                        "]}");
    }

    /** A table that is an answer by itself. */
    void element(ByteSink out, String name) {
        Json.Builder json = Json.builder();
        if (level != MetadataLevel.NONE) {
            json.put("odata.metadata", metadata() + "/@Element");
        }
        write(out, json, name);
    }

    /** A table among others. */
    void row(ByteSink out, String name) {
        write(out, Json.builder(), name);
    }

    private void write(ByteSink out, Json.Builder json, String name) {
        if (level == MetadataLevel.FULL) {
            String link = EntityLink.ofTable(name);
            json.put("odata.type", account + ".Tables")
                    .put("odata.id", base + "/" + link)
                    .put("odata.editLink", link);
        }
        JsonText.write(json.put("TableName", name).build(), out);
    }
}
