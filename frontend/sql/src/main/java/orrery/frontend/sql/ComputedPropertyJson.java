package orrery.frontend.sql;

import java.util.List;
import orrery.document.Value;
import orrery.frontend.rest.BodyReader;
import orrery.frontend.rest.Json;
import orrery.model.ContainerDefinition.ComputedProperty;
import orrery.query.syntax.QueryError;

/**
 * The computed properties inside a container's body. Absent is none, also where there were some
 * before. What they may be is the engine's to say.
 */
final class ComputedPropertyJson {
    private ComputedPropertyJson() {}

    static List<ComputedProperty> parse(BodyReader container) {
        return container.objects("computedProperties").stream()
                .map(ComputedPropertyJson::property)
                .toList();
    }

    private static ComputedProperty property(BodyReader reader) {
        ComputedProperty property =
                new ComputedProperty(required(reader, "name"), required(reader, "query"));
        reader.finish();
        return property;
    }

    private static String required(BodyReader reader, String name) {
        return reader.text(name)
                .orElseThrow(() -> QueryError.engine("One of the specified inputs is invalid"));
    }

    static Value write(List<ComputedProperty> properties) {
        return new Value.Array(
                properties.stream()
                        .<Value>map(
                                property ->
                                        Json.object(
                                                "name",
                                                Value.of(property.name()),
                                                "query",
                                                Value.of(property.query())))
                        .toList());
    }
}
