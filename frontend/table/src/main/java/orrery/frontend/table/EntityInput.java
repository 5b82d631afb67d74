package orrery.frontend.table;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import orrery.document.JsonInput;
import orrery.document.edm.EdmValue;
import orrery.document.edm.EntityLimits;
import orrery.document.edm.StoredNames;
import orrery.model.Bytes;
import orrery.model.memory.MemoryAccount;

/**
 * The entity in the body of a request. The type of a property may stand before or behind it.
 * Clients send back what they have read, so annotations and the timestamp are passed over. A null
 * is the same as no property.
 */
final class EntityInput {
    private static final String ANNOTATIONS = "odata.";
    private static final String TYPE = "@odata.type";

    /** Strings in memory have two bytes for each character. */
    private static final int MEMORY_PER_BYTE = 2;

    private final Map<String, EntityValues.Raw> values = new LinkedHashMap<>();
    private final Map<String, String> types = new HashMap<>();

    private EntityInput() {}

    /** Reads an entity that must name its keys. */
    static Entity insert(Bytes body) {
        EntityInput input = read(body);
        return input.entity(input.key(StoredNames.PARTITION_KEY), input.key(StoredNames.ROW_KEY));
    }

    /**
     * Reads an entity whose keys are those of the path. Clients may repeat them in the body; the
     * path counts. An empty body has no properties.
     */
    static Entity update(Bytes body, String partitionKey, String rowKey) {
        EntityInput input = body.isEmpty() ? new EntityInput() : read(body);
        return input.entity(partitionKey, rowKey);
    }

    private static EntityInput read(Bytes body) {
        MemoryAccount.current().take((long) MEMORY_PER_BYTE * body.length());
        EntityInput input = new EntityInput();
        try (JsonParser parser = JsonInput.open(body.unsafeArray())) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw JsonInput.invalid("An entity is a JSON object");
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                input.member(parser, parser.currentName());
            }
            JsonInput.requireEnd(parser);
        } catch (IOException fault) {
            throw JsonInput.invalid(fault);
        }
        return input;
    }

    private void member(JsonParser parser, String name) throws IOException {
        JsonToken token = parser.nextToken();
        if (name.startsWith(ANNOTATIONS)) {
            parser.skipChildren();
        } else if (name.endsWith(TYPE)) {
            String property = name.substring(0, name.length() - TYPE.length());
            if (token != JsonToken.VALUE_STRING) {
                throw TableException.of(
                        TableErrorCode.INVALID_INPUT, "'" + name + "' is not a string.");
            }
            if (types.put(property, parser.getText()) != null) {
                throw duplicate(name);
            }
        } else if (token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY) {
            throw TableException.of(
                    TableErrorCode.INVALID_INPUT,
                    "The property '" + name + "' holds an object or an array.");
        } else if (values.put(name, new EntityValues.Raw(token, parser.getText())) != null) {
            throw duplicate(name);
        }
    }

    private static TableException duplicate(String name) {
        return TableException.of(TableErrorCode.DUPLICATE_PROPERTIES, "It is '" + name + "'.");
    }

    private String key(String name) {
        EntityValues.Raw raw = values.get(name);
        if (raw == null || raw.token() == JsonToken.VALUE_NULL) {
            throw new TableException(TableErrorCode.PROPERTIES_NEED_VALUE);
        }
        if (raw.token() != JsonToken.VALUE_STRING) {
            throw TableException.of(TableErrorCode.INVALID_INPUT, "A " + name + " is a string.");
        }
        return raw.text();
    }

    private Entity entity(String partitionKey, String rowKey) {
        EntityRules.checkKeys(partitionKey, rowKey);
        Map<String, EdmValue> properties = new LinkedHashMap<>();
        values.forEach(
                (name, raw) -> property(name, raw).ifPresent(value -> properties.put(name, value)));
        EntityLimits.check(partitionKey, rowKey, properties);
        return new Entity(partitionKey, rowKey, properties);
    }

    private Optional<EdmValue> property(String name, EntityValues.Raw raw) {
        switch (name) {
            case StoredNames.PARTITION_KEY, StoredNames.ROW_KEY, StoredNames.TIMESTAMP -> {
                return Optional.empty();
            }
            default -> EntityRules.checkName(name);
        }
        if (raw.token() == JsonToken.VALUE_NULL) {
            return Optional.empty();
        }
        EdmValue value = EntityValues.typed(name, raw, types.get(name));
        EntityRules.checkValue(name, value);
        return Optional.of(value);
    }
}
