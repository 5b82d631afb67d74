package orrery.model;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Reads {@code epk-vectors.json}: keys and where the official SDKs place them. */
final class EpkVectors {
    /** One vector: the key in {@code values} if there is one, and its other fields by type. */
    record Vector(
            PartitionKey key,
            Map<String, String> texts,
            Map<String, Long> numbers,
            Map<String, List<String>> lists) {
        String text(String field) {
            return Objects.requireNonNull(texts.get(field), field);
        }

        long number(String field) {
            return Objects.requireNonNull(numbers.get(field), field);
        }

        List<String> list(String field) {
            return Objects.requireNonNull(lists.get(field), field);
        }

        EffectiveKey key(String field) {
            return EffectiveKey.ofHex(text(field));
        }

        boolean hasText(String field) {
            return texts.containsKey(field);
        }
    }

    private static final Map<String, List<Vector>> GROUPS = load();

    private EpkVectors() {}

    static List<Vector> group(String name) {
        return Objects.requireNonNull(GROUPS.get(name), name);
    }

    private static Map<String, List<Vector>> load() {
        try (InputStream file = EpkVectors.class.getResourceAsStream("/epk-vectors.json");
                JsonParser json =
                        new JsonFactory().createParser(Objects.requireNonNull(file, "vectors"))) {
            Map<String, List<Vector>> groups = new HashMap<>();
            json.nextToken();
            while (json.nextToken() != JsonToken.END_OBJECT) {
                String name = json.currentName();
                if (json.nextToken() == JsonToken.START_ARRAY) {
                    List<Vector> vectors = new ArrayList<>();
                    while (json.nextToken() != JsonToken.END_ARRAY) {
                        vectors.add(vector(json));
                    }
                    groups.put(name, vectors);
                }
            }
            return groups;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Vector vector(JsonParser json) throws IOException {
        Vector vector =
                new Vector(PartitionKey.EMPTY, new HashMap<>(), new HashMap<>(), new HashMap<>());
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String field = json.currentName();
            JsonToken token = json.nextToken();
            if (field.equals("values")) {
                vector =
                        new Vector(
                                partitionKey(json),
                                vector.texts(),
                                vector.numbers(),
                                vector.lists());
            } else if (token == JsonToken.VALUE_STRING) {
                vector.texts().put(field, json.getText());
            } else if (token == JsonToken.VALUE_NUMBER_INT) {
                vector.numbers().put(field, json.getLongValue());
            } else if (token == JsonToken.START_ARRAY) {
                List<String> texts = new ArrayList<>();
                while (json.nextToken() != JsonToken.END_ARRAY) {
                    texts.add(json.getText());
                }
                vector.lists().put(field, texts);
            }
        }
        return vector;
    }

    private static PartitionKey partitionKey(JsonParser json) throws IOException {
        List<KeyComponent> components = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            components.add(
                    switch (json.currentToken()) {
                        case START_OBJECT -> {
                            json.nextToken();
                            yield KeyComponent.UNDEFINED;
                        }
                        case VALUE_NULL -> KeyComponent.NULL;
                        case VALUE_TRUE -> KeyComponent.TRUE;
                        case VALUE_FALSE -> KeyComponent.FALSE;
                        case VALUE_STRING -> new KeyComponent.Text(json.getText());
                        case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
                                new KeyComponent.Numeric(json.getDoubleValue());
                        default -> throw new IllegalStateException("not a key component");
                    });
        }
        return new PartitionKey(components);
    }
}
