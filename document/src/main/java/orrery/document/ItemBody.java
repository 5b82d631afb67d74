package orrery.document;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.IdRules;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.RowKey;

/**
 * The body of an item as it is stored. In JSON: checked text, byte for byte as it arrived, but
 * without the system properties, without white space after its last brace and without properties
 * whose name comes again later.
 */
public final class ItemBody {
    private static final PartitionKeyDefinition NO_KEY =
            new PartitionKeyDefinition(List.of(), PartitionKeyDefinition.Kind.HASH, 2, false);

    /** The id of a body in JSON. */
    private final @Nullable String id;

    /** The key of a body in BSON. */
    private final @Nullable RowKey ownKey;

    private final Bytes stored;
    private final boolean isEmpty;
    private final PartitionKeyDefinition definition;
    private final PartitionKey key;
    private final BodyFormat format;

    private ItemBody(
            @Nullable String id,
            @Nullable RowKey ownKey,
            Bytes stored,
            boolean isEmpty,
            PartitionKeyDefinition definition,
            PartitionKey key,
            BodyFormat format) {
        this.id = id;
        this.ownKey = ownKey;
        this.stored = stored;
        this.isEmpty = isEmpty;
        this.definition = definition;
        this.key = key;
        this.format = format;
    }

    /** A body in BSON that has been read. */
    static ItemBody ofBson(
            @Nullable RowKey rowKey,
            Bytes bson,
            boolean isEmpty,
            PartitionKeyDefinition definition,
            PartitionKey key) {
        return new ItemBody(null, rowKey, bson, isEmpty, definition, key, BsonBodies.INSTANCE);
    }

    /** A body that need not be read, because somebody says what is in it. */
    static ItemBody ofKnown(Bytes body, Body.Known known) {
        return switch (known) {
            case Body.Known.Json(String id, PartitionKeyDefinition definition, PartitionKey key) ->
                    new ItemBody(id, null, body, false, definition, key, JsonBodies.INSTANCE);
            case Body.Known.Bson(RowKey id, PartitionKeyDefinition definition, PartitionKey key) ->
                    ofBson(id, body, false, definition, key);
        };
    }

    /** Throws BAD_REQUEST if the text is not a JSON object that may be stored. */
    public static ItemBody parse(Bytes json) {
        return parse(json, NO_KEY);
    }

    /** Finds the partition key in the same pass. */
    public static ItemBody parse(Bytes json, PartitionKeyDefinition definition) {
        try {
            return read(json, definition);
        } catch (IOException fault) {
            if (!JsonInput.isRepeatedName(fault)) {
                throw JsonInput.invalid(fault);
            }
        }
        try {
            return read(RepeatedNames.remove(json), definition);
        } catch (IOException fault) {
            throw JsonInput.invalid(fault);
        }
    }

    private static ItemBody read(Bytes json, PartitionKeyDefinition definition) throws IOException {
        byte[] text = json.unsafeArray();
        try (JsonParser parser = JsonInput.openWithoutRepeats(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw JsonInput.invalid("An item must be a JSON object", 0);
            }
            Reading reading =
                    new Reading(
                            parser,
                            text,
                            new KeyFinder(definition.paths()),
                            SystemProperties::isSystemProperty);
            int end = reading.read();
            JsonInput.requireEnd(parser);
            return new ItemBody(
                    reading.id,
                    null,
                    reading.cuts.remove(json, end),
                    reading.keptCount == 0,
                    definition,
                    reading.keys.key(),
                    JsonBodies.INSTANCE);
        }
    }

    /**
     * The id that SQL knows the item by. Empty if the item has none; whether that is allowed is for
     * the caller to say.
     */
    public Optional<String> id() {
        return ownKey == null
                ? Optional.ofNullable(id)
                : Optional.of(SqlId.of(Encoding.BSON, ownKey));
    }

    /**
     * The key of the item, empty where it has no id.
     *
     * @param rules for ids that are texts in JSON; those of BSON were checked when it was read.
     *     Throws BAD_REQUEST for an id that they forbid.
     */
    public Optional<RowKey> rowKey(IdRules rules) {
        return ownKey == null ? id().map(rules::rowKey) : Optional.of(ownKey);
    }

    /**
     * In JSON the last byte is the closing brace. The same array as was parsed, if nothing was cut.
     */
    public Bytes stored() {
        return stored;
    }

    /** Returns true if no property is left. */
    public boolean isEmpty() {
        return isEmpty;
    }

    /**
     * The key under the given definition: undefined where a path is missing or leads to an object
     * or array. Costs another pass unless it is the definition given to {@link #parse}.
     */
    public PartitionKey partitionKey(PartitionKeyDefinition wanted) {
        return wanted.equals(definition) ? key : format.partitionKey(stored, wanted);
    }

    /** The key of a body that was stored earlier. */
    public static PartitionKey partitionKeyOf(Bytes stored, PartitionKeyDefinition definition) {
        if (definition.paths().isEmpty()) {
            return PartitionKey.EMPTY;
        }
        try (JsonParser parser = JsonInput.openTrusted(stored.unsafeArray())) {
            parser.nextToken();
            KeyFinder keys = new KeyFinder(definition.paths());
            new Reading(parser, stored.unsafeArray(), keys, SystemProperties::isSystemProperty)
                    .read();
            return keys.key();
        } catch (IOException e) {
            throw new IllegalStateException("a stored body is not JSON", e);
        }
    }

    /** A stored body without the top-level property of this name. */
    static Bytes without(Bytes stored, String name) {
        try (JsonParser parser = JsonInput.openTrusted(stored.unsafeArray())) {
            parser.nextToken();
            Reading reading =
                    new Reading(
                            parser, stored.unsafeArray(), new KeyFinder(List.of()), name::equals);
            int end = reading.read();
            return reading.cuts.remove(stored, end);
        } catch (IOException e) {
            throw new IllegalStateException("a stored body is not JSON", e);
        }
    }

    /** One pass over the tokens of an item. */
    private static final class Reading {
        private final JsonParser parser;
        private final KeyFinder keys;
        private final Cuts cuts;
        private final Predicate<String> isUnwanted;
        private @Nullable String id;
        private int keptCount;

        /** The top-level property being read is one that is cut out. */
        private boolean isCutting;

        private boolean isId;

        /** The place of an id that is no string, or -1; told at the end, as another may follow. */
        private long idFault = -1;

        Reading(JsonParser parser, byte[] text, KeyFinder keys, Predicate<String> isUnwanted) {
            this.parser = parser;
            this.keys = keys;
            this.isUnwanted = isUnwanted;
            this.cuts = new Cuts(text);
        }

        /** The offset behind the closing brace. The opening one has been read. */
        int read() throws IOException {
            int depth = 1;
            while (true) {
                JsonToken token = parser.nextToken();
                switch (token) {
                    case FIELD_NAME -> {
                        String name = parser.currentName();
                        if (depth == 1) {
                            startProperty(name);
                        }
                        if (!isCutting) {
                            keys.name(name, depth);
                        }
                    }
                    case START_OBJECT, START_ARRAY -> {
                        if (isId && depth == 1) {
                            idFault = JsonInput.offset(parser);
                        }
                        keys.start(token == JsonToken.START_OBJECT, depth);
                        depth++;
                    }
                    case END_OBJECT, END_ARRAY -> {
                        depth--;
                        if (depth == 0) {
                            if (idFault >= 0) {
                                throw JsonInput.invalid(
                                        "The property 'id' must be a string", idFault);
                            }
                            cuts.endObject(keptCount > 0);
                            return (int) parser.currentLocation().getByteOffset();
                        }
                        keys.end(depth);
                        endValue(depth);
                    }
                    default -> {
                        scalar(token, depth);
                        endValue(depth);
                    }
                }
            }
        }

        private void startProperty(String name) throws IOException {
            isCutting = isUnwanted.test(name);
            isId = name.equals("id");
            if (isCutting) {
                cuts.start(JsonInput.offset(parser));
            } else {
                keptCount++;
                if (cuts.isOpen()) {
                    cuts.end(JsonInput.offset(parser));
                }
            }
        }

        private void scalar(JsonToken token, int depth) throws IOException {
            if (token.isNumeric()) {
                JsonInput.requireFinite(parser, token);
            }
            keys.scalar(parser, token, depth);
            if (isId && depth == 1) {
                if (token == JsonToken.VALUE_STRING) {
                    id = KeyFinder.wellFormed(parser.getText());
                } else {
                    idFault = JsonInput.offset(parser);
                }
            }
        }

        private void endValue(int depth) throws IOException {
            if (isCutting && depth == 1) {
                parser.finishToken(); // strings nobody asked for are read only now
                cuts.reach(parser.currentLocation().getByteOffset());
            }
        }
    }
}
