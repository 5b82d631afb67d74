package orrery.frontend.sql;

import java.util.Map;
import java.util.Optional;
import orrery.document.Value;
import orrery.frontend.rest.BodyReader;
import orrery.frontend.rest.Json;
import orrery.model.Bytes;
import orrery.model.ResourceId;
import orrery.model.ScriptDefinition;
import orrery.model.ScriptDefinition.Kind;
import orrery.model.ScriptDefinition.Trigger;
import orrery.model.ScriptDefinition.When;
import orrery.model.TriggerOperation;
import orrery.model.resource.Script;

/** The body of a stored procedure, a trigger or a user-defined function. */
final class ScriptJson {
    private static final Map<String, When> SIDES = Map.of("pre", When.PRE, "post", When.POST);
    private static final Map<String, TriggerOperation> OPERATIONS =
            Map.of(
                    "all", TriggerOperation.ALL,
                    "create", TriggerOperation.CREATE,
                    "update", TriggerOperation.UPDATE,
                    "delete", TriggerOperation.DELETE,
                    "replace", TriggerOperation.REPLACE,
                    "upsert", TriggerOperation.UPSERT);

    private ScriptJson() {}

    static ScriptDefinition parse(Kind kind, Bytes body) {
        BodyReader reader = BodyReader.of(body);
        String id = ResourceNames.require(reader.text("id"));
        String source =
                reader.text("body")
                        .filter(text -> !text.isBlank())
                        .orElseThrow(() -> ResourceNames.missing("body"));
        Optional<Trigger> trigger =
                kind == Kind.TRIGGER ? Optional.of(trigger(reader)) : Optional.empty();
        reader.ignore("_rid", "_self", "_etag", "_ts");
        reader.finish();
        return new ScriptDefinition(kind, id, source, trigger);
    }

    private static Trigger trigger(BodyReader reader) {
        return new Trigger(
                spelling(reader, "triggerType", SIDES),
                spelling(reader, "triggerOperation", OPERATIONS));
    }

    private static <E extends Enum<E>> String spelling(
            BodyReader reader, String name, Map<String, E> choices) {
        return reader.spelling(name, choices).orElseThrow(() -> ResourceNames.missing(name));
    }

    static Value.Obj write(Script script) {
        ScriptDefinition definition = script.definition();
        Json.Builder json = Json.builder().put("id", script.name()).put("body", definition.body());
        definition
                .trigger()
                .ifPresent(
                        trigger ->
                                json.put("triggerType", trigger.side())
                                        .put("triggerOperation", trigger.write()));
        String rid = script.rid().toString();
        ResourceId container = ResourceId.ofContainer(script.database(), script.container());
        return json.put("_rid", rid)
                .put("_self", container.link() + segment(definition.kind()) + "/" + rid + "/")
                .put("_etag", script.etag().quoted())
                .put("_ts", script.timestampMillis() / 1000)
                .build();
    }

    /** Returns the path segment before the id of a script of this kind. */
    static String segment(Kind kind) {
        return switch (kind) {
            case PROCEDURE -> "sprocs";
            case TRIGGER -> "triggers";
            case FUNCTION -> "udfs";
        };
    }
}
